/// Where events are written down before they have effect, and where decisions are kept.
public protocol Ledger: Sendable {
    /// All stored decisions, at most one for each key.
    func decisions() async throws -> [Decision]

    /// What earlier records tell, read once when the gate begins.
    func recollection() async throws -> LedgerRecollection

    /// What records tell of kept items, by their identifiers; items that no record names are missing.
    func traces(of items: Set<String>) async throws -> [String: ItemTrace]

    /// Whether the last word about it was that everything is muted.
    func isMuted() async throws -> Bool

    /// Writes the event and, in the same transaction, the change to the stored decisions.
    ///
    /// A decision that is stored without a record gets the index of this one.
    ///
    /// - Returns: the record's index, once it is durable. After an error neither the record nor the change exists, and
    ///   the caller must behave as if the event had not happened, unless that would mean listening.
    @discardableResult
    func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64
}

extension Ledger {
    /// Of a ledger that begins anew.
    public func recollection() async throws -> LedgerRecollection { LedgerRecollection() }

    public func traces(of items: Set<String>) async throws -> [String: ItemTrace] { [:] }
}

/// What is written down, each where it happens.
public enum LedgerEvent: Sendable {
    /// A request begins to wait for the person. Requests that join it are not written down.
    case asked(Prompt)
    /// The notice about to be shown says something else than the last one about the same.
    case noticeChanged(Prompt, previous: ShownNotice)
    /// A prompt is about to be shown; holds the notice word for word.
    case noticeShown(Prompt, asked: UInt64)
    /// The person said yes.
    case granted(Prompt, Scope, Fidelity, Indication, notice: UInt64)
    /// The person kept a yes that they had; `decision`: the record that made it, where it is known.
    case renewed(Prompt, Scope, Fidelity, Indication, notice: UInt64, decision: UInt64?)
    /// The person said no.
    case denied(Prompt, Indication, notice: UInt64)
    /// The person wants to be asked later.
    case deferred(Prompt, Indication, notice: UInt64)
    /// The person decided in settings, without a prompt. `terms` of a yes; `notice`: what settings show about the client.
    case decidedInSettings(DecisionKey, Verdict, Terms?, notice: Notice?, by: Caller)
    /// The person took an answer back: the status is `notDetermined` again. `decision`: the record that made it.
    case withdrawn(DecisionKey, notice: Notice?, decision: UInt64?, by: Caller)
    /// A yes was used for the first time in a while; written at most once a day for each.
    case used(DecisionKey)
    /// A yes ended by itself: it was not used for too long, or its age cannot be told any more.
    case expired(DecisionKey, ExpiryReason)
    /// A client with a yes while using asked for always; the person is asked later.
    case upgradeRequested(Requester, Resource)
    /// A program that the package manager replaced kept its yes.
    case carriedOver(Requester, Resource, from: AllowedProgram)
    /// The person muted everything, or ended that.
    case muted(by: Caller)
    case unmuted(by: Caller)
    /// A request was refused without a new decision. `repeated`: how many refusals of the same kind went unrecorded
    /// since the last one.
    case accessBlocked(Requester, Resource, RefusalCode, repeated: Int)
    /// A request was refused by an administrator's policy.
    case refusedByPolicy(Requester, Resource, PolicyRule, repeated: Int)
    /// A policy begins to restrict a client that has a yes; the yes is kept and without effect. `decision`: its record.
    case restrictedByPolicy(DecisionKey, PolicyRule, decision: UInt64?)
    /// A policy ended a yes in use. Never the person's own choice. `leases`: what the sessions that end stood on.
    case revokedByAdministrator(DecisionKey, PolicyRule, leases: [String], decision: UInt64?)
    /// An administrator's policy came into force.
    case policyChanged(Policy, source: PolicyProvenance)
    /// A session is about to listen; nothing has been heard yet.
    case sessionStarted(SessionDescription)
    case sessionStopped(SessionDescription, SessionOutcome)
    /// The recogniser of a session died or gave up.
    case recognizerFailed(session: String, client: ClientIdentifier, user: UInt32? = nil, reason: String)
    case monitor(MonitorRegistration, MonitorOccurrence)
    /// Something of a session is about to be kept.
    case dataRetained(RetainedData)
    case dataNotKept(UnkeptData)
    case dataErased(ErasedData)
    /// A session is over whose client passes on what it gets, as it declares.
    case dataShared(SharedData)
    case requestReceived(RightsRequest)
    case requestAnswered(RightsRequest, RightsAnswer)
    case exportMade(ExportDescription)
    /// The service found a log that was not closed in order.
    case recovered(Recovery)
}

/// What a record changes in the stored decisions.
public enum DecisionChange: Sendable, Hashable {
    case store(Decision)
    case remove(DecisionKey)
}

/// What the gate needs to know of earlier records.
public struct LedgerRecollection: Sendable, Hashable {
    /// The last notice about each client, resource and language.
    public var notices: [ShownNotice]
    /// The record that made each decision in force.
    public var decisionRecords: [DecisionKey: UInt64]
    /// UUIDs of sessions that have a start and no end, in the order of their starts.
    public var openSessions: [String]

    public init(
        notices: [ShownNotice] = [], decisionRecords: [DecisionKey: UInt64] = [:], openSessions: [String] = []
    ) {
        self.notices = notices
        self.decisionRecords = decisionRecords
        self.openSessions = openSessions
    }
}

/// What the service found when it opened a log that was not closed in order.
public struct Recovery: Sendable, Hashable {
    public enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
        /// The service ended without its sessions, which have a start and no end.
        case restarted
    }

    public let reason: Reason
    /// UUIDs of sessions that have no end. None of them listens: their devices were closed with the process.
    public let sessions: [String]

    public init(reason: Reason, sessions: [String]) {
        self.reason = reason
        self.sessions = sessions
    }
}

/// What records tell of a kept item.
public struct ItemTrace: Sendable, Hashable {
    /// The record of its erasure is in the log.
    public var isErased: Bool
    /// Permissions that its user took back from its client, or refused it, after it was recorded as kept.
    public var withdrawn: Set<Resource>

    public init(isErased: Bool = false, withdrawn: Set<Resource> = []) {
        self.isErased = isErased
        self.withdrawn = withdrawn
    }
}
