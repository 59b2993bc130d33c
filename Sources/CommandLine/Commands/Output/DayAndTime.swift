import Foundation

/// A moment in the person's time zone, to the second.
enum DayAndTime {
    static func text(_ date: Date, timeZone: TimeZone = .current) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
            .year().month().day().time(includingFractionalSeconds: false)
        return date.formatted(style)
    }
}
