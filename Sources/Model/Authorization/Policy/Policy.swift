import Foundation

/// All denials in force. It wins over every grant.
public struct Policy: Sendable, Hashable {
    /// Any change of a rule shows within a week; the rest is for weeks in which the clock leaves the hour out.
    private static let daysAhead = 15

    public let rules: [PolicyRule]
    /// The one whose clocks the rules' hours are about.
    public let timeZone: TimeZone

    public init(rules: [PolicyRule] = [], timeZone: TimeZone = .autoupdatingCurrent) {
        self.rules = rules
        self.timeZone = timeZone
    }

    /// The rule that restricts this at the given time, or `nil` when none does.
    public func restriction(of key: DecisionKey, at date: Date) -> PolicyRule? {
        rules.first { $0.covers(key, at: date, in: timeZone) }
    }

    /// Those that restrict at the given time.
    public func rulesInForce(at date: Date) -> [PolicyRule] {
        rules.filter { $0.isInForce(at: date, in: timeZone) }
    }

    /// Whether time alone can change what it restricts.
    public var hasHours: Bool { rules.contains { $0.hours != nil } }

    /// When a rule's hours next begin or end; `nil` when none do.
    public func nextChange(after date: Date) -> Date? {
        let timed = rules.filter { $0.hours != nil }
        guard !timed.isEmpty else { return nil }
        let minutes = timed.reduce(into: Set<Int>()) { $0.formUnion($1.hours?.boundaries ?? []) }
        func inForce(_ moment: Date) -> [Bool] { timed.map { $0.isInForce(at: moment, in: timeZone) } }
        let now = inForce(date)
        return LocalTime.dates(showing: minutes, after: date, days: Self.daysAhead, in: timeZone)
            .first { inForce($0) != now }
    }
}
