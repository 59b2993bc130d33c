import Base
import Synchronization

/// Whether a grant is still valid. Ending is immediate and final; readers of frames or words check `isLive` before they pass
/// on each.
public final class Lease: Sendable {
    /// UUID, in the records of the session.
    public let identifier: String
    public let key: DecisionKey
    /// Index of the record of the decision.
    public let decisionRecord: UInt64?
    /// Index of the record that allowed full fidelity for one session.
    public let fidelityRecord: UInt64?

    private let ended = Latch<LeaseEnding>()
    private let lowered = Latch<Void>()
    private let absent = Mutex<(reason: Absence?, handlers: [@Sendable () -> Void])>((nil, []))
    private let terms: Mutex<(scope: Scope, fidelity: Fidelity)>
    /// The session began in the foreground, and the manifest declares that it continues in the background.
    private let continuesInBackground: Bool
    /// It is for listening on behalf of the client, which gets only an event.
    private let isOfMonitor: Bool
    /// What the person was shown.
    let agreed: Agreement
    /// What VoiceGate may keep, as the person agreed.
    public var kept: KeepingTimes { agreed.kept }

    init(
        identifier: String, key: DecisionKey, scope: Scope = .whileInUse, fidelity: Fidelity = .full,
        continuesInBackground: Bool = false, isOfMonitor: Bool = false, agreed: Agreement = Agreement(),
        decisionRecord: UInt64? = nil, fidelityRecord: UInt64? = nil
    ) {
        self.identifier = identifier
        self.key = key
        self.decisionRecord = decisionRecord
        self.fidelityRecord = fidelityRecord
        self.terms = Mutex((scope, fidelity))
        self.continuesInBackground = continuesInBackground
        self.isOfMonitor = isOfMonitor
        self.agreed = agreed
    }

    /// `always` can be reduced while the session runs.
    public var scope: Scope { terms.withLock { $0.scope } }

    /// Can be reduced while the session runs, never raised.
    public var fidelity: Fidelity { terms.withLock { $0.fidelity } }

    /// What allows the session to listen now; `nil`: its audio is dropped.
    public func ground(in presence: Presence) -> ListeningGround? {
        absence == nil ? ground(withoutAbsence: presence) : nil
    }

    /// Why the session listens to nothing until the user is back; `nil`: it may listen. The device is closed meanwhile.
    public var absence: Absence? { absent.withLock { $0.reason } }

    /// The handler is called when `absence` has changed, on the thread that changes it; it must be short and must not block.
    public func onAbsenceChange(_ handler: @escaping @Sendable () -> Void) {
        absent.withLock { $0.handlers.append(handler) }
    }

    func setAbsence(_ absence: Absence?) {
        let handlers = absent.withLock { state -> [@Sendable () -> Void] in
            guard state.reason != absence else { return [] }
            state.reason = absence
            return state.handlers
        }
        for handler in handlers { handler() }
    }

    /// Whether it listens all the same.
    func ignores(_ absence: Absence) -> Bool { isOfMonitor && agreed.allowsMonitors(during: absence) }

    /// Whether the session goes on after an absence: it may listen without its client in the foreground.
    var outlastsAbsence: Bool { ground(withoutAbsence: .background) != nil }

    private func ground(withoutAbsence presence: Presence) -> ListeningGround? {
        if presence == .foreground { return .foreground }
        if continuesInBackground { return .backgroundMode }
        return scope == .always ? .always : nil
    }

    func lowerFidelity() {
        terms.withLock { $0.fidelity = .reduced }
        lowered.set()
    }

    func lowerScope() { terms.withLock { if $0.scope == .always { $0.scope = .whileInUse } } }

    /// Costs one uncontended lock.
    public var isLive: Bool { ending == nil }

    public var ending: LeaseEnding? { ended.reason }

    /// See `Latch.onSet`.
    @discardableResult
    public func onEnd(_ handler: @escaping @Sendable (LeaseEnding) -> Void) -> Registration { ended.onSet(handler) }

    /// The handler is called when the fidelity is lowered. See `Latch.onSet`.
    public func onLowering(_ handler: @escaping @Sendable () -> Void) { lowered.onSet { _ in handler() } }

    /// Only the first call has an effect.
    func end(_ ending: LeaseEnding) { ended.set(ending) }
}

/// Why a lease ended. The raw values are the `reason` of a session's `ended` event.
public enum LeaseEnding: String, Sendable, Codable, Hashable {
    /// The person withdrew or denied the permission.
    case revoked
    /// A policy came into force.
    case restricted
    /// The person muted everything.
    case muted
    /// The client was in the background for too long with a grant for one use.
    case background
    /// The screen was locked, and the session may listen only in the foreground.
    case locked
    /// The same, for another session on the screen.
    case switched
    /// The same, for the machine's sleep.
    case asleep
    /// The process of a grant for one use has ended.
    case disconnected
    /// The session ended it.
    case finished
}

extension LeaseEnding {
    init(_ absence: Absence) {
        switch absence {
        case .locked: self = .locked
        case .switched: self = .switched
        case .asleep: self = .asleep
        }
    }
}

/// A lease that the gate can still end.
struct LiveLease {
    let lease: Lease
    /// The process that took it.
    let process: ProcessIdentity
    /// The program that it was for.
    var program: AllowedProgram
    /// When its process was first seen out of use, for a grant for one use.
    var outOfUseSince: Moment?
}

/// Proof that the gate allowed capturing. Only the gate makes one, and a capture source cannot be opened without it.
public struct MicrophoneGrant: ~Copyable, Sendable {
    /// Check it before passing on each frame.
    public let lease: Lease

    init(lease: Lease) { self.lease = lease }
}

/// What a session needs that listens and recognises.
public struct DictationGrants: ~Copyable, Sendable {
    public let speechRecognition: SpeechRecognitionGrant
    public let microphone: MicrophoneGrant
}

/// Proof that the gate allowed speech recognition. Only the gate makes one, and a recogniser cannot be started without it.
public struct SpeechRecognitionGrant: ~Copyable, Sendable {
    /// Check it before passing on each result.
    public let lease: Lease

    init(lease: Lease) { self.lease = lease }
}
