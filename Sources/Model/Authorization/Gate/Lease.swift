import Synchronization

/// The living part of a grant: a grant proves a decision of the past, its lease tells whether that decision still holds.
///
/// Ending is immediate and for good. Whoever reads frames or words asks `isLive` before handing each on.
public final class Lease: Sendable {
    /// UUID; named in the records of the session.
    public let identifier: String
    public let key: DecisionKey
    /// Index of the record of the decision it stands on; `nil` where an earlier version made that.
    public let decisionRecord: UInt64?
    /// Index of the record of the yes to full fidelity for one session, where it stands on one.
    public let fidelityRecord: UInt64?

    private let ended = Latch<LeaseEnding>()
    private let terms: Mutex<(scope: Scope, fidelity: Fidelity)>
    /// The session began in the foreground, and the client declared that it goes on in the background.
    private let continuesInBackground: Bool
    /// What the person agreed that VoiceGate keeps.
    public let kept: KeepingTimes

    /// Only the gate makes leases.
    internal init(
        identifier: String, key: DecisionKey, scope: Scope = .whileInUse, fidelity: Fidelity = .full,
        continuesInBackground: Bool = false, kept: KeepingTimes = [:], decisionRecord: UInt64? = nil,
        fidelityRecord: UInt64? = nil
    ) {
        self.identifier = identifier
        self.key = key
        self.decisionRecord = decisionRecord
        self.fidelityRecord = fidelityRecord
        self.terms = Mutex((scope, fidelity))
        self.continuesInBackground = continuesInBackground
        self.kept = kept
    }

    /// What the session stands on now; `always` can become less while it runs.
    public var scope: Scope { terms.withLock { $0.scope } }

    /// How much may be told now. It can be lowered while the session runs, and is never raised.
    public var fidelity: Fidelity { terms.withLock { $0.fidelity } }

    /// Whether the session may listen while its client is there. What it may not hear is dropped, not kept.
    public func allowsListening(in presence: Presence) -> Bool {
        presence == .foreground || continuesInBackground || scope == .always
    }

    internal func lowerFidelity() { terms.withLock { $0.fidelity = .reduced } }

    internal func lowerScope() { terms.withLock { if $0.scope == .always { $0.scope = .whileInUse } } }

    /// Safe to ask from any thread; costs one uncontended lock.
    public var isLive: Bool { ending == nil }

    /// Why it ended, or `nil` while it is live.
    public var ending: LeaseEnding? { ended.reason }

    /// Runs the handler when the lease ends, on the thread that ends it, or at once when it has ended.
    /// The handler must be short and must not block.
    @discardableResult
    public func onEnd(_ handler: @escaping @Sendable (LeaseEnding) -> Void) -> Registration { ended.onSet(handler) }

    /// Ends the lease; the first ending is the one that counts.
    internal func end(_ ending: LeaseEnding) { ended.set(ending) }
}

/// Why a lease ended. The raw values are the `reason` of a session's `ended` event.
public enum LeaseEnding: String, Sendable, Codable, Hashable {
    /// The person took the permission back.
    case revoked
    /// A policy came into force.
    case restricted
    /// The person muted everything.
    case muted
    /// A yes for one session ended because its client stayed in the background.
    case background
    /// The session gave it back.
    case finished
}

/// A lease that the gate can still end.
struct LiveLease {
    let lease: Lease
    /// The process that took it; a yes for one session is its alone.
    let process: ProcessIdentity
}

/// Proof that the gate allowed capturing. Only the gate can make one, and a capture source cannot be opened without it.
public struct MicrophoneGrant: ~Copyable, Sendable {
    /// Tells whether the permission still holds; ask before handing on each frame.
    public let lease: Lease

    internal init(lease: Lease) { self.lease = lease }
}

/// Proof that the gate allowed speech recognition. Only the gate can make one, and a recogniser cannot be started
/// without it.
public struct SpeechRecognitionGrant: ~Copyable, Sendable {
    /// Tells whether the permission still holds; ask before handing on each result.
    public let lease: Lease

    internal init(lease: Lease) { self.lease = lease }
}
