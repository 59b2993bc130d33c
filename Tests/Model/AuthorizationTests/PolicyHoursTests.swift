import Authorization
import Foundation
import TestSupport
import Testing

@Suite("The hours of a policy")
struct PolicyHoursTests {
    private let key: DecisionKey
    private let berlin: TimeZone
    private let utc: TimeZone

    init() throws {
        key = DecisionKey(user: 1000, client: .unregistered(executable: "x"), resource: .microphone)
        berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        utc = try #require(TimeZone(identifier: "UTC"))
    }

    private func policy(
        _ windows: [(Int, Int)], _ days: Set<Weekday> = [], in timeZone: TimeZone
    ) throws -> Policy {
        let windows = try windows.map { try #require(PolicyHours.Window(start: $0.0 * 60, end: $0.1 * 60)) }
        return Policy(
            rules: [
                PolicyRule(
                    resource: nil, client: nil, user: nil, hours: PolicyHours(windows: windows, days: days), reason: nil
                )
            ], timeZone: timeZone)
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func restricts(_ policy: Policy, _ text: String) throws -> Bool {
        policy.restriction(of: key, at: try date(text)) != nil
    }

    @Test("a window restricts from its start until before its end, in local time")
    func window() throws {
        let policy = try policy([(9, 17)], in: berlin)
        #expect(try !restricts(policy, "2026-01-12T07:59:59Z"))
        #expect(try restricts(policy, "2026-01-12T08:00:00Z"))
        #expect(try restricts(policy, "2026-01-12T15:59:59Z"))
        #expect(try !restricts(policy, "2026-01-12T16:00:00Z"))
        // Summer time: the same hours on the wall, an hour earlier in UTC.
        #expect(try restricts(policy, "2026-07-13T07:00:00Z"))
        #expect(try !restricts(policy, "2026-07-13T15:00:00Z"))
    }

    @Test("a window across midnight belongs to the day on which it begins")
    func overMidnight() throws {
        let policy = try policy([(22, 6)], [.fri], in: utc)
        // 16 January 2026 is a Friday.
        #expect(try !restricts(policy, "2026-01-16T05:00:00Z"))
        #expect(try !restricts(policy, "2026-01-16T21:59:00Z"))
        #expect(try restricts(policy, "2026-01-16T22:00:00Z"))
        #expect(try restricts(policy, "2026-01-17T05:59:59Z"))
        #expect(try !restricts(policy, "2026-01-17T06:00:00Z"))
        #expect(try !restricts(policy, "2026-01-17T22:00:00Z"))
    }

    @Test("days without hours are complete days, and end at 24:00")
    func wholeDays() throws {
        let policy = try policy([], [.sat, .sun], in: utc)
        #expect(try !restricts(policy, "2026-01-16T23:59:59Z"))
        #expect(try restricts(policy, "2026-01-17T00:00:00Z"))
        #expect(try restricts(policy, "2026-01-18T23:59:59Z"))
        #expect(try !restricts(policy, "2026-01-19T00:00:00Z"))
        #expect(policy.nextChange(after: try date("2026-01-14T12:00:00Z")) == (try date("2026-01-17T00:00:00Z")))
        // Saturday runs into Sunday: nothing changes between.
        #expect(policy.nextChange(after: try date("2026-01-17T12:00:00Z")) == (try date("2026-01-19T00:00:00Z")))
        #expect(try self.policy([(0, 24)], in: utc).nextChange(after: Date()) == nil)
    }

    @Test("days before 1970 and at its beginning have the right weekday")
    func weekdays() throws {
        let policy = try policy([], [.thu], in: utc)
        #expect(try restricts(policy, "1970-01-01T12:00:00Z"))
        #expect(try !restricts(policy, "1969-12-31T12:00:00Z"))
        #expect(try restricts(policy, "1969-12-25T23:59:59Z"))
    }

    @Test("when the clock is set back, the repeated hour counts twice")
    func autumn() throws {
        // 25 October 2026: 03:00 becomes 02:00 at 01:00 UTC.
        let policy = try policy([(2, 3)], in: berlin)
        #expect(try restricts(policy, "2026-10-25T00:30:00Z"))
        #expect(try restricts(policy, "2026-10-25T01:30:00Z"))
        #expect(try !restricts(policy, "2026-10-25T02:00:00Z"))
        #expect(policy.nextChange(after: try date("2026-10-25T00:30:00Z")) == (try date("2026-10-25T02:00:00Z")))
    }

    @Test("when the clock is set forward, a window in the skipped hour does not occur, and others end in time")
    func spring() throws {
        // 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
        let missing = try policy([(2, 3)], in: berlin)
        #expect(try !restricts(missing, "2026-03-29T00:59:59Z"))
        #expect(try !restricts(missing, "2026-03-29T01:00:00Z"))
        #expect(missing.nextChange(after: try date("2026-03-28T12:00:00Z")) == (try date("2026-03-30T00:00:00Z")))
        let half = Policy(
            rules: [
                PolicyRule(
                    resource: nil, client: nil, user: nil,
                    hours: PolicyHours(windows: [try #require(PolicyHours.Window(start: 90, end: 150))], days: []),
                    reason: nil)
            ], timeZone: berlin)
        #expect(half.nextChange(after: try date("2026-03-29T00:40:00Z")) == (try date("2026-03-29T01:00:00Z")))
        #expect(try !restricts(half, "2026-03-29T01:00:00Z"))
    }

    @Test("a rule without hours does not change with time")
    func always() {
        let policy = Policy(rules: [PolicyRule(resource: nil, client: nil, user: nil, reason: nil)])
        #expect(!policy.hasHours)
        #expect(policy.nextChange(after: Date()) == nil)
    }

    @Test("empty windows and minutes outside the day are refused")
    func impossible() {
        for (start, end) in [(0, 0), (60, 60), (-1, 5), (1440, 10), (10, 1441)] {
            #expect(PolicyHours.Window(start: start, end: end) == nil)
        }
    }

    @Test(
        "the next change is the one that a search minute by minute finds, also across clock changes",
        arguments: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
    func reference(zone: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        // Weeks with a shift of the clock in one of these zones, and one without.
        for start in ["2026-03-27T00:00:00Z", "2026-04-03T12:00:00Z", "2026-10-23T07:00:00Z", "2026-06-01T00:00:00Z"] {
            let hours = PolicyHours(
                windows: (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in
                    PolicyHours.Window(
                        start: Int.random(in: 0..<1440, using: &random), end: Int.random(in: 1...1440, using: &random))
                },
                days: Set(Weekday.allCases.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }))
            let rule = PolicyRule(resource: nil, client: nil, user: nil, hours: hours, reason: nil)
            let policy = Policy(rules: [rule], timeZone: timeZone)
            var moment = try date(start)
            let end = moment.addingTimeInterval(5 * 86_400)
            var expected = policy.nextChange(after: moment)
            var was = walked(hours, moment, calendar)
            while moment < end {
                moment += 60
                let now = walked(hours, moment, calendar)
                #expect(rule.isInForce(at: moment, in: timeZone) == now, "\(zone) \(moment) seed \(seed)")
                if now != was {
                    #expect(expected == moment, "\(zone) \(moment) seed \(seed)")
                    expected = policy.nextChange(after: moment)
                }
                was = now
            }
            if let expected { #expect(expected > end) }
        }
    }

    /// The same asked of Foundation's calendar.
    private func walked(_ hours: PolicyHours, _ date: Date, _ calendar: Calendar) -> Bool {
        let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
        let (weekday, minute) = ((parts.weekday ?? 0) - 1, (parts.hour ?? 0) * 60 + (parts.minute ?? 0))
        let names: [Weekday] = [.sun, .mon, .tue, .wed, .thu, .fri, .sat]
        return hours.windows.contains { window in
            let beganToday = hours.days.contains(names[weekday])
            if window.start < window.end { return beganToday && (window.start..<window.end).contains(minute) }
            return beganToday && minute >= window.start
                || hours.days.contains(names[(weekday + 6) % 7]) && minute < window.end
        }
    }
}
