import Foundation

/// A person's request for access to or erasure of their records (GDPR, articles 15 and 17).
public struct RightsRequest: Sendable, Hashable {
    public enum Right: String, Sendable, Codable, Hashable, CaseIterable {
        case access
        case erasure
    }

    /// UUID; the records of the answer and of the erasure name it.
    public let identifier: String
    public let right: Right
    public let scope: RightsScope
    public let caller: Caller

    public init(identifier: String, right: Right, scope: RightsScope, by caller: Caller) {
        self.identifier = identifier
        self.right = right
        self.scope = scope
        self.caller = caller
    }
}

/// The records that a request is about; each given property narrows it.
public struct RightsScope: Sendable, Hashable {
    public var client: ClientIdentifier?
    public var user: UInt32?
    /// The user's pseudonym in the records.
    public var subject: String?
    public var session: String?
    /// Inclusive.
    public var since: Date?
    /// Exclusive.
    public var before: Date?

    public init(
        client: ClientIdentifier? = nil, user: UInt32? = nil, subject: String? = nil, session: String? = nil,
        since: Date? = nil, before: Date? = nil
    ) {
        self.client = client
        self.user = user
        self.subject = subject
        self.session = session
        self.since = since
        self.before = before
    }
}

/// The result of a person's request.
public enum RightsOutcome: String, Sendable, Codable, Hashable, CaseIterable {
    case fulfilled
    /// Some records stay.
    case partly
    case failed
}

/// Why a record's fields stay although their erasure was requested.
public enum KeepingReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// A decision is in force, and the record proves that it was made.
    case decisionInForce
    /// A monitor is registered; its record is the only place that stores it.
    case monitorRegistered
    /// A mute is in force; its record is the only place that stores it.
    case muteInForce
    case sessionRunning
    /// It ends an earlier decision whose record stays, because the clock was set back in between: without it the earlier
    /// one would seem to be in force.
    case endsEarlierDecision
    /// It is about the log itself: its keys, requests and erasures.
    case logItself
}
