import Base
import Foundation

/// The log of events and the stored decisions. Events are recorded before they take effect.
public protocol Ledger: Sendable {
    /// All stored decisions, at most one for each key.
    func decisions() async throws -> [Decision]

    /// The notices that were shown, oldest first; of each client, resource and language the last one counts.
    func shownNotices() async throws -> [ShownNotice]

    /// What the records say about kept items, by identifier; items without a record are missing.
    func traces(of items: Set<String>) async throws -> [String: ItemTrace]

    /// The mutes in force.
    func mutes() async throws -> Mutes

    /// Queues the event and, for the same transaction, the change to the stored decisions. Writes in the order of the
    /// calls; what waits is written together. A decision without a record is stored with the index of this one.
    func submit(_ event: LedgerEvent, changing change: DecisionChange?) -> Ticket
}

extension Ledger {
    /// The same, and waits until it is durable; see `Ticket.value`.
    @discardableResult
    public nonisolated(nonsending) func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws
        -> UInt64
    {
        try await submit(event, changing: change).value
    }

    public func shownNotices() async throws -> [ShownNotice] { [] }

    public func traces(of items: Set<String>) async throws -> [String: ItemTrace] { [:] }
}

/// The place of a submitted event in the ledger's order.
public final class Ticket: Sendable {
    private let latch = Latch<Result<UInt64, any Error>>()

    public init() {}

    /// The record's index once it is durable; `nil` before. After an error neither the record nor the change exists, except
    /// after one with which the ledger has stopped: then only a restart, which reads what is durable, shows whether they do.
    public var outcome: Result<UInt64, any Error>? { latch.reason }

    /// Waits for the outcome, also in a cancelled task. After an error the caller must behave as if the event had not
    /// happened, unless that would mean listening.
    public nonisolated(nonsending) var value: UInt64 {
        get async throws {
            try await latch.value.get()
        }
    }

    /// Call once, in the order of the submissions.
    public func complete(_ outcome: Result<UInt64, any Error>) { latch.set(outcome) }
}

/// An event that is recorded. `decision` is the index of the record of the decision concerned, if known.
public enum LedgerEvent: Sendable {
    /// A request begins to wait for the person. Requests that join it are not recorded.
    case asked(Prompt)
    /// The notice about to be shown differs from the previous one with the same subject.
    case noticeChanged(Prompt, previous: ShownNotice)
    /// A prompt is about to be shown.
    case noticeShown(Prompt, asked: UInt64)
    case granted(Prompt, Scope, Fidelity, Indication, notice: UInt64)
    /// The person kept an existing grant.
    case renewed(Prompt, Scope, Fidelity, Indication, notice: UInt64, decision: UInt64?)
    case denied(Prompt, Indication, notice: UInt64)
    /// The person wants to be asked later.
    case deferred(Prompt, Indication, notice: UInt64)
    /// The person decided in settings. `terms`: of a grant; `notice`: what settings show about the client.
    case decidedInSettings(DecisionKey, Verdict, Terms?, notice: Notice?, by: Caller)
    /// The person withdrew an answer: the status is `notDetermined` again.
    case withdrawn(DecisionKey, notice: Notice?, decision: UInt64?, by: Caller)
    /// A grant was used; recorded at most once a day for each.
    case used(DecisionKey)
    case expired(DecisionKey, ExpiryReason)
    /// A client with a grant while using asked for always; the person is asked later.
    case upgradeRequested(Requester, Resource)
    /// A program that the package manager replaced kept its grant.
    case carriedOver(Requester, Resource, from: AllowedProgram)
    case muted(MuteScope, by: Caller)
    case unmuted(MuteScope, by: Caller)
    /// A request was refused without a new decision. `repeated`: refusals of the same kind that were not recorded since
    /// the previous record.
    case accessBlocked(Requester, Resource, RefusalCode, repeated: Int)
    case refusedByPolicy(Requester, Resource, PolicyRule, repeated: Int)
    /// Written by the ledger itself.
    case refusalsCounted(CountedRefusals)
    /// A policy begins to restrict a grant, which stays stored without effect.
    case restrictedByPolicy(DecisionKey, PolicyRule, decision: UInt64?)
    /// A policy ended a grant in use. `leases`: those of the sessions that end.
    case revokedByAdministrator(DecisionKey, PolicyRule, leases: [String], decision: UInt64?)
    case policyChanged(Policy, source: PolicyProvenance)
    /// A session is about to listen.
    case sessionStarted(SessionDescription)
    case sessionStopped(SessionDescription, SessionOutcome)
    /// A session listens to nothing, and its device is closed, while its user is absent.
    case sessionPaused(session: String, ClientIdentifier, user: UInt32, Absence)
    /// The user is back.
    case sessionResumed(session: String, ClientIdentifier, user: UInt32, Absence)
    case recognizerFailed(session: String, client: ClientIdentifier, user: UInt32? = nil, reason: String)
    /// The user chose another engine for tasks.
    case engineChanged([EngineTask], from: SpeechEngine, to: SpeechEngine, user: UInt32)
    /// Records that are sent from now on go to a different collector or address, for another purpose, or with more or less;
    /// `nil`: nothing is sent.
    case collectorChanged(from: RecordCollector?, to: RecordCollector?, url: String?)
    case monitor(MonitorRegistration, MonitorOccurrence)
    /// Data of a session is about to be kept. `item`: its UUID, which the record of its erasure names; `until`: `nil`: until the
    /// permission is withdrawn; `location`: where the person can find it.
    case dataRetained(
        session: String, ClientIdentifier, user: UInt32, item: String, DataKind, bytes: Int64, until: Date?,
        location: String)
    /// Data of a session could not be kept. The session continued. `reason`: a sentence.
    case dataNotKept(session: String, ClientIdentifier, user: UInt32, DataKind, reason: String)
    /// Kept data of one client was erased.
    case dataErased(items: [String], [DataKind], ClientIdentifier, user: UInt32, ErasureReason)
    /// A session has ended whose data is passed on.
    case dataShared(SharedData)
    case requestReceived(RightsRequest)
    /// `records`, `items`: how many were erased; `kept`: how many records stay although their erasure was requested.
    case requestAnswered(
        RightsRequest, RightsOutcome, records: Int = 0, items: Int = 0,
        kept: [(records: Int, reason: KeepingReason)] = [])
    /// `format`: `bundle`, `jsonl`, `csv`, `jsonld`, `html`, `art30` or `backup`; `sha256`: of the file, of a bundle's `SHA256SUMS`
    /// or a backup's database, in lower-case hexadecimal; `size`: of the log, in records. An empty scope is the whole log.
    case exportMade(RightsScope, format: String, sha256: String, size: UInt64, by: Caller)
    /// The service opened a log that had not been closed in order: it ended without ending these sessions. Their devices were
    /// closed with the process.
    case recovered(sessions: [String])
}

/// A decision as the gate has it, or as it is in its row.
public protocol KeyedDecision: Sendable, Hashable {
    associatedtype Key: Sendable, Hashable
    associatedtype Index: Sendable, Hashable
    var key: Key { get }
    /// Index of the record that made it; `nil` until that is written.
    var record: Index? { get set }
}

extension Decision: KeyedDecision {}

/// A change of the stored decisions.
public struct Change<Decision: KeyedDecision>: Sendable, Hashable {
    public let key: Decision.Key
    /// `nil`: it is removed.
    public private(set) var decision: Decision?

    public static func store(_ decision: Decision) -> Self { Change(key: decision.key, decision: decision) }
    public static func remove(_ key: Decision.Key) -> Self { Change(key: key) }

    /// The change as it is stored: a new decision names the record that makes it.
    public func made(by record: Decision.Index) -> Self {
        var change = self
        if decision?.record == nil { change.decision?.record = record }
        return change
    }
}

public typealias DecisionChange = Change<Decision>

/// What the records say about a kept item.
public struct ItemTrace: Sendable, Hashable {
    /// Its erasure is recorded.
    public var isErased: Bool
    /// Permissions that were withdrawn or denied after the session began in which it was heard.
    public var withdrawn: Set<Resource>

    public init(isErased: Bool = false, withdrawn: Set<Resource> = []) {
        self.isErased = isErased
        self.withdrawn = withdrawn
    }
}

/// Why data was erased.
public enum ErasureReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// Its keeping time is over.
    case retentionEnded
    /// The person withdrew the permission.
    case withdrawn
    /// The person asked for it (`voicegate audit erase`).
    case requested
    /// The service ended while it was being written.
    case incomplete
}
