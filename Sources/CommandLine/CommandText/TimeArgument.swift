import Foundation
import LinuxSystem
import SocketAPI

/// A point in time as a person writes it, relative to now or absolute.
public enum TimeArgument {
    /// For messages.
    public static let forms = "yesterday, 2h (ago), 10:30, 2026-11-21, '2026-11-21 10:00' or 2026-11-21T10:00:00Z"

    /// - Parameters:
    ///   - text: `now`; `today`, `yesterday` (their beginning); a number with `m`, `h`, `d` or `w` (so long ago); `HH:MM` of
    ///     today; a day of the local calendar, with or without a time; or ISO 8601, local if it has no offset.
    ///   - calendar: the local one; ISO 8601's year, month and day.
    public static func date(_ text: String, now: Date = Date(), calendar: Calendar = .local) -> Date? {
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
        guard let parts = text.wholeMatch(of: dayAndTime), let day = day(parts.1, calendar) else { return nil }
        guard let hour = parts.2, let minute = parts.3 else { return day }
        let seconds = parts.4 ?? "00"
        if let offset = parts.5 { return JSONCoding.date("\(parts.1)T\(hour):\(minute):\(seconds)\(offset)") }
        guard let hour = Int(hour), let minute = Int(minute), let second = Int(seconds.prefix(2)) else { return nil }
        return calendar.date(bySettingHour: hour, minute: minute, second: second, of: day)
    }

    private static func day(_ text: Substring, _ calendar: Calendar) -> Date? {
        let style = Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day()
        // Foundation takes 30 February for 2 March.
        guard let day = try? style.parse(String(text)), day.formatted(style) == text else { return nil }
        return day
    }

    private static var dayAndTime: Regex<(Substring, Substring, Substring?, Substring?, Substring?, Substring?)> {
        /([0-9-]{10})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?(Z|[+-][0-9]{2}:[0-9]{2})?)?/
    }

    private static let component: [Substring: Calendar.Component] = [
        "m": .minute, "h": .hour, "d": .day, "w": .weekOfYear,
    ]
}
