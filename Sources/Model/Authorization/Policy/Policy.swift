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

/// One denial of an administrator. A rule can only restrict; there is no way to write a grant.
public struct PolicyRule: Sendable, Hashable {
    /// The resource it is about; `nil`: both.
    public let resource: Resource?
    /// The client it is about; `nil`: all.
    public let client: ClientIdentifier?
    /// The user it is about; `nil`: all.
    public let user: UInt32?
    /// When it restricts; `nil`: always.
    public let hours: PolicyHours?
    /// What the person is told.
    public let reason: String?

    public init(
        resource: Resource?, client: ClientIdentifier?, user: UInt32?, hours: PolicyHours? = nil, reason: String?
    ) {
        self.resource = resource
        self.client = client
        self.user = user
        self.hours = hours
        self.reason = reason
    }

    /// - Parameter timeZone: the one whose clocks the hours are about.
    public func covers(_ key: DecisionKey, at date: Date, in timeZone: TimeZone = .autoupdatingCurrent) -> Bool {
        (resource == nil || resource == key.resource) && (client == nil || client == key.client)
            && (user == nil || user == key.user) && isInForce(at: date, in: timeZone)
    }

    /// Whether its hours are now.
    public func isInForce(at date: Date, in timeZone: TimeZone) -> Bool {
        guard let hours else { return true }
        return hours.contains(LocalTime(date, in: timeZone))
    }
}

/// Where a policy came from, for the log: the files with their digests, and those that could not be read.
public struct PolicyProvenance: Sendable, Hashable {
    /// Path → SHA-256 of the file's bytes, hexadecimal.
    public let files: [String: String]
    /// Path → why it could not be used; the denials of its last good version stay in force.
    public let broken: [String: String]

    public init(files: [String: String], broken: [String: String]) {
        self.files = files
        self.broken = broken
    }
}
