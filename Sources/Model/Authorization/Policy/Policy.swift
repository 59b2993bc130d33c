import Foundation

/// The administrator's denials. They override every grant.
public struct Policy: Sendable, Hashable {
    /// Hours repeat weekly; the second week is for hours that a change of daylight saving time skips.
    private static let daysAhead = 15

    public let rules: [PolicyRule]
    /// The time zone of the rules' hours.
    public let timeZone: TimeZone

    public init(rules: [PolicyRule] = [], timeZone: TimeZone = .autoupdatingCurrent) {
        self.rules = rules
        self.timeZone = timeZone
    }

    /// The first rule that restricts the key at the date.
    public func restriction(of key: DecisionKey, at date: Date) -> PolicyRule? {
        rules.first { $0.covers(key, at: date, in: timeZone) }
    }

    public func rulesInForce(at date: Date) -> [PolicyRule] {
        rules.filter { $0.isInForce(at: date, in: timeZone) }
    }

    public var hasHours: Bool { rules.contains { $0.hours != nil } }

    /// When a rule's hours next begin or end.
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

/// One denial of an administrator. A rule cannot grant anything.
public struct PolicyRule: Sendable, Hashable {
    /// `nil`: both.
    public let resource: Resource?
    /// `nil`: all.
    public let client: ClientIdentifier?
    /// `nil`: all.
    public let user: UInt32?
    /// `nil`: always.
    public let hours: PolicyHours?
    /// Shown to the person.
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

    public func covers(_ key: DecisionKey, at date: Date, in timeZone: TimeZone = .autoupdatingCurrent) -> Bool {
        (resource == nil || resource == key.resource) && (client == nil || client == key.client)
            && (user == nil || user == key.user) && isInForce(at: date, in: timeZone)
    }

    public func isInForce(at date: Date, in timeZone: TimeZone) -> Bool {
        hours?.contains(LocalTime(date, in: timeZone)) ?? true
    }
}

/// The files of a policy, for the log.
public struct PolicyProvenance: Sendable, Hashable {
    /// Path → SHA-256 of the file's bytes, hexadecimal.
    public let files: [String: String]
    /// Path → why the file could not be read; the denials of its last good version remain in force.
    public let broken: [String: String]

    public init(files: [String: String], broken: [String: String]) {
        self.files = files
        self.broken = broken
    }
}
