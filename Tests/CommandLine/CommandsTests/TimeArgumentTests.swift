import CommandText
import Foundation
import Testing

@Suite("Times on the command line")
struct TimeArgumentTests {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .current
        return calendar
    }()

    private func read(_ text: String) -> String? {
        // 14:30 in Berlin, on the day on which the clocks went back.
        let now = Date(timeIntervalSince1970: 1_792_935_000)
        return TimeArgument.date(text, now: now, calendar: Self.calendar)?.ISO8601Format()
    }

    @Test(
        "words, times ago, times of today, days and ISO 8601 are read",
        arguments: [
            ("now", "2026-10-25T13:30:00Z"), ("today", "2026-10-24T22:00:00Z"), ("Yesterday", "2026-10-23T22:00:00Z"),
            ("90m", "2026-10-25T12:00:00Z"), ("2h", "2026-10-25T11:30:00Z"), ("1d", "2026-10-24T12:30:00Z"),
            ("1w", "2026-10-18T12:30:00Z"), ("0:15", "2026-10-24T22:15:00Z"), ("2026-11-21", "2026-11-20T23:00:00Z"),
            ("2026-11-21 10:00:05", "2026-11-21T09:00:05Z"), ("2026-11-21T10:00", "2026-11-21T09:00:00Z"),
            ("2026-11-21 10:00:05.250", "2026-11-21T09:00:05Z"), ("2026-11-21T10:00Z", "2026-11-21T10:00:00Z"),
            ("2026-07-21 10:00+09:00", "2026-07-21T01:00:00Z"), ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
            ("2026-11-21T10:00:00.5+01:00", "2026-11-21T09:00:00Z"),
        ])
    func forms(_ text: String, _ time: String) { #expect(read(text) == time) }

    @Test(
        "anything else is refused",
        arguments: [
            "", "someday", "2", "h", "-2h", "25:00", "10:60", "2y", "999999h", "2026-13-01", "2026-02-30",
            "2026-11-21T", "2026-11-21T24:00", "2026-02-30 10:00", "2026-11-21 10", "2026-11-21x",
        ])
    func others(_ text: String) { #expect(read(text) == nil) }
}
