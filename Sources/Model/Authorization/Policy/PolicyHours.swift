import Foundation

/// When a rule restricts: local times, and the days of the week on which they begin.
public struct PolicyHours: Sendable, Hashable {
    /// A part of the day, such as 22:00 to 06:00; a window that ends before it begins continues into the next day.
    public struct Window: Sendable, Hashable {
        static let minutesOfDay = 1440

        /// Minutes from midnight, 0 to 1439.
        public let start: Int
        /// Minutes from midnight, 1 to 1440 (24:00), exclusive.
        public let end: Int

        /// - Returns: `nil` for minutes outside the day, and for an empty window.
        public init?(start: Int, end: Int) {
            guard (0..<Self.minutesOfDay).contains(start), (0...Self.minutesOfDay).contains(end), start != end else {
                return nil
            }
            self.start = start
            self.end = end == 0 ? Self.minutesOfDay : end
        }

        public static var wholeDay: Window { Window(unchecked: 0, minutesOfDay) }

        private init(unchecked start: Int, _ end: Int) {
            self.start = start
            self.end = end
        }

        /// The form in policy files: `22:00-06:00`.
        public var text: String { "\(Self.clock(start))-\(Self.clock(end))" }

        private static func clock(_ minutes: Int) -> String {
            func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
            return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
        }

        var isOverMidnight: Bool { end < start }
    }

    public let windows: [Window]
    public let days: Set<Weekday>

    /// - Parameters:
    ///   - windows: empty: the whole day.
    ///   - days: days on which a window begins; empty: every day.
    public init(windows: [Window], days: Set<Weekday>) {
        self.windows = windows.isEmpty ? [.wholeDay] : windows
        self.days = days.isEmpty ? Set(Weekday.allCases) : days
    }

    /// From Monday on.
    public var sortedDays: [Weekday] { Weekday.allCases.filter(days.contains) }

    func contains(_ time: LocalTime) -> Bool {
        let (today, yesterday) = (Weekday(ofDay: time.day), Weekday(ofDay: time.day - 1))
        return windows.contains { window in
            if !window.isOverMidnight {
                return time.minute >= window.start && time.minute < window.end && days.contains(today)
            }
            return time.minute >= window.start && days.contains(today)
                || time.minute < window.end && days.contains(yesterday)
        }
    }

    /// The minutes of the day at which it can begin or end.
    var boundaries: Set<Int> { Set(windows.flatMap { [$0.start, $0.end % Window.minutesOfDay] }) }
}

/// A day of the week, named as in policy files.
public enum Weekday: String, Sendable, Hashable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// - Parameter day: days since 1 January 1970, which was a Thursday.
    init(ofDay day: Int) {
        let fromMonday = ((day + 3) % 7 + 7) % 7
        self = Self.allCases[fromMonday]
    }
}

/// A local time. The hour that is repeated in autumn occurs twice, the hour that is skipped in spring never.
struct LocalTime: Hashable {
    /// Days since 1 January 1970, local.
    let day: Int
    /// Minutes since midnight, 0 to 1439.
    let minute: Int

    init(_ date: Date, in timeZone: TimeZone) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + timeZone.secondsFromGMT(for: date)
        day = Int((Double(seconds) / 86_400).rounded(.down))
        minute = (seconds - day * 86_400) / 60
    }

    /// When the local time is one of these minutes, within some days after a date; also each change of daylight saving time.
    static func dates(
        showing minutes: Set<Int>, after date: Date, days: Int, in timeZone: TimeZone
    ) -> [Date] {
        var found: [Date] = []
        let end = date.addingTimeInterval(Double(days) * 86_400)
        var start = date
        while start < end {
            // Between two shifts the offset is constant.
            let offset = timeZone.secondsFromGMT(for: start)
            let shift = timeZone.nextDaylightSavingTimeTransition(after: start) ?? end
            let stop = min(shift, end)
            let firstDay = LocalTime(start, in: timeZone).day
            let lastDay = LocalTime(stop, in: timeZone).day + 1
            for day in firstDay...max(firstDay, lastDay) {
                for minute in minutes {
                    let moment = Date(timeIntervalSince1970: Double(day * 86_400 + minute * 60 - offset))
                    if moment > date, moment >= start, moment < stop { found.append(moment) }
                }
            }
            if shift < end { found.append(shift) }
            // Without a later shift this must still end.
            guard stop > start else { break }
            start = stop
        }
        return found.sorted()
    }
}
