import Foundation
import SocketAPI

/// A point in time as a person writes it, relative to now or absolute.
public enum TimeArgument {
    /// For messages.
    public static let forms = "yesterday, 2h (ago), 10:30, 2026-11-21 or 2026-11-21T10:00:00Z"

    /// - Parameters:
    ///   - text: `now`; `today`, `yesterday` (their beginning); a number with `m`, `h`, `d` or `w` (so long ago); `HH:MM` of
    ///     today; a day of the local calendar; or ISO 8601.
    ///   - calendar: the local one; ISO 8601's year, month and day.
    public static func date(_ text: String, now: Date = Date(), calendar: Calendar = .current) -> Date? {
        let today = calendar.startOfDay(for: now)
        switch text.lowercased() {
        case "now": return now
        case "today": return today
        case "yesterday": return calendar.date(byAdding: .day, value: -1, to: today)
        default: break
        }
        if let found = text.wholeMatch(of: /([0-9]{1,5})([mhdw])/), let count = Int(found.1) {
            return calendar.date(byAdding: component[found.2] ?? .minute, value: -count, to: now)
        }
        if let found = text.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/), let hour = Int(found.1),
            let minute = Int(found.2)
        {
            return calendar.date(bySettingHour: hour, minute: minute, second: 0, of: today)
        }
        if let date = JSONCoding.date(text) { return date }
        let style = Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day()
        // Foundation takes 30 February for 2 March, and ignores what follows the day.
        guard let day = try? style.parse(text), day.formatted(style) == text else { return nil }
        return day
    }

    private static let component: [Substring: Calendar.Component] = [
        "m": .minute, "h": .hour, "d": .day, "w": .weekOfYear,
    ]
}
