import Authorization
import Base
import Foundation

/// A session as the registry sees it.
public protocol EndableSession: Sendable {
    /// UUID.
    nonisolated var identifier: String { get }
    nonisolated var requester: Requester { get }
    /// Whether the client is in the foreground now.
    nonisolated func presence() async -> Presence
    /// Whether the session's text can leave the machine, as determined before the session began.
    nonisolated var sharing: Sharing { get }
    /// How it ended, as in its record; `nil` before, and for one that has not begun.
    nonisolated var outcome: SessionOutcome? { get }
    /// What the service listens for on the client's behalf; empty: the client itself listens.
    nonisolated var phrases: [String] { get }
    /// What its monitors do; `nil`: it is not of monitors.
    nonisolated var monitorAction: MonitorAction? { get }

    /// Ends the session at once and at any stage: the audio is dropped, and a device that is not open yet stays closed.
    nonisolated func abandon(_ ending: DictationEnding)
}

extension EndableSession {
    public nonisolated var phrases: [String] { [] }
    public nonisolated var monitorAction: MonitorAction? { nil }
}

/// A session that a client began: dictation, a sound file, or recordings of a voice.
public protocol ClientSession: EndableSession {
    nonisolated var context: SessionContext { get }
}

extension ClientSession {
    public nonisolated var identifier: String { context.identifier }
    public nonisolated var requester: Requester { context.requester }
    public nonisolated func presence() async -> Presence { await context.presence() }
    public nonisolated var sharing: Sharing { context.sharing.atStart }
    public nonisolated var outcome: SessionOutcome? { context.outcome.reason }
    public nonisolated var monitorAction: MonitorAction? { context.monitorAction }

    public nonisolated func abandon(_ ending: DictationEnding) { context.abandoned.set(ending) }

    /// An event that was emitted but not read yet, as its client may have it now; `nil` if fidelity was lowered since.
    public nonisolated func passing(_ event: TimedDictationEvent) -> TimedDictationEvent? {
        context.fidelity.passing(event.event).map { TimedDictationEvent(time: event.time, event: $0) }
    }
}

/// What the sessions of clients have in common: the client, the log, and what ends the session from outside.
public struct SessionContext: Sendable {
    public let identifier: String
    public let requester: Requester
    let gate: Gate
    let ledger: any Ledger
    let keeper: (any Keeper)?
    let presence: @Sendable () async -> Presence
    let sharing: any SharingWatch
    let onEngine: @Sendable (_ session: String, SpeechEngine) -> Void
    let monitorAction: MonitorAction?
    public let abandoned = Latch<DictationEnding>()
    let outcome = Latch<SessionOutcome>()
    let fidelity = SessionFidelity()

    /// - Parameters:
    ///   - keeper: `nil`: nothing is kept.
    ///   - presence: called for every batch of frames.
    ///   - sharing: default: what the client's manifest declares.
    ///   - monitorAction: of the monitors that the session is for.
    ///   - onEngine: called with what recognises the session's speech, when its start is recorded; must not block.
    public init(
        identifier: String = UUID().uuidString.lowercased(), requester: Requester, gate: Gate, ledger: any Ledger,
        keeper: (any Keeper)? = nil, presence: @escaping @Sendable () async -> Presence,
        sharing: (any SharingWatch)? = nil, monitorAction: MonitorAction? = nil,
        onEngine: @escaping @Sendable (_ session: String, SpeechEngine) -> Void = { _, _ in }
    ) {
        self.identifier = identifier
        self.requester = requester
        self.gate = gate
        self.ledger = ledger
        self.keeper = keeper
        self.presence = presence
        self.onEngine = onEngine
        self.monitorAction = monitorAction
        self.sharing = sharing ?? DeclaredSharing(atStart: Sharing(requester.client.manifest?.practices))
    }
}

/// Whether a session's text can leave the machine through its client.
public protocol SharingWatch: Sendable {
    /// Before the session.
    var atStart: Sharing { get }

    /// Observes again after the session; the client may have exited.
    func atEnd() async -> Sharing
}

/// What the client's manifest declares, for a client whose network was not observed.
private struct DeclaredSharing: SharingWatch {
    let atStart: Sharing

    func atEnd() async -> Sharing { atStart }
}

/// A session was abandoned before it listened: the client has disconnected, or the service stops.
public struct SessionAbandoned: Error, Sendable, Hashable {
    public let ending: DictationEnding

    public init(ending: DictationEnding) { self.ending = ending }
}
