import Foundation

/// The only place that decides. It asks the person, writes down what was answered, and only then grants.
///
/// Default deny: whatever is unknown, unanswered or cannot be recorded is refused. A change takes hold of running
/// sessions at once, through the leases of their grants.
public actor Gate {
    let ledger: any Ledger
    let agent: any Agent
    let configuration: GateConfiguration

    var book: DecisionBook
    var pending: [DecisionKey: PendingPrompt] = [:]
    /// Counts changes that did not come from a prompt; a prompt's answer is dropped when its key's count has moved on.
    var epochs: [DecisionKey: UInt64] = [:]
    var blocked = BlockedAccessThrottle()
    /// Keys whose answer is being written: not in the book yet, and perhaps in the ledger already.
    var committing: Set<DecisionKey> = []
    private var leases: [String: LiveLease] = [:]
    private var lastWrite: Task<Void, Never>?
    private var observers: [UUID: AsyncStream<AuthorizationChange>.Continuation] = [:]

    /// Reads the stored decisions from the ledger.
    ///
    /// - Parameter trustsYeses: `false` when the ledger was found altered: every yes has to be given anew, every no holds.
    /// - Throws: the ledger's error; without its decisions the gate cannot know who was denied.
    public init(
        ledger: any Ledger, agent: any Agent, policy: Policy = Policy(), trustsYeses: Bool = true,
        configuration: GateConfiguration = GateConfiguration()
    ) async throws {
        self.ledger = ledger
        self.agent = agent
        self.configuration = configuration
        let decisions = try await ledger.decisions().filter { trustsYeses || $0.verdict == .denied }
        self.book = DecisionBook(policy: policy, decisions: decisions)
    }

    /// How the requester stands with a resource. Asks nobody.
    public func standing(of resource: Resource, for requester: Requester) -> Standing {
        book.standing(of: resource, for: requester)
    }

    public func status(of resource: Resource, for requester: Requester) -> AuthorizationStatus {
        standing(of: resource, for: requester).status
    }

    /// What settings show for a client that does not run now: policy and stored decisions, whatever its program is.
    public func settledStatus(of key: DecisionKey) -> AuthorizationStatus {
        if book.policy.restriction(of: key) != nil { return .restricted }
        switch book.decisions[key]?.verdict {
        case .authorized: return .authorized
        case .denied: return .denied
        case nil: return .notDetermined
        }
    }

    /// How many requests wait for the prompt about this; 0 when none is shown.
    func waiters(for key: DecisionKey) -> Int { pending[key]?.waiters ?? 0 }

    /// How often something else than an answer decided about this.
    func epoch(of key: DecisionKey) -> UInt64 { epochs[key, default: 0] }

    /// The user's stored decisions.
    public func decisions(ofUser user: UInt32) -> [Decision] {
        book.decisions.values.filter { $0.key.user == user }
    }

    /// Proof for a source of frames, when the microphone is authorized. Asks nobody.
    public func microphoneGrant(for requester: Requester) async throws(AuthorizationError) -> MicrophoneGrant {
        MicrophoneGrant(lease: try await lease(of: .microphone, for: requester))
    }

    /// Proof for a recogniser, when speech recognition is authorized. Asks nobody.
    public func speechRecognitionGrant(
        for requester: Requester
    ) async throws(AuthorizationError) -> SpeechRecognitionGrant {
        SpeechRecognitionGrant(lease: try await lease(of: .speechRecognition, for: requester))
    }

    /// Why the requester may not use the resource now; for a session whose lease has ended.
    public func refusal(of resource: Resource, for requester: Requester) -> AuthorizationError {
        Refusal.error(for: standing(of: resource, for: requester), resource: resource, requester: requester)
    }

    /// Gives a lease back at the end of its use. A yes for one session ends with it.
    public func finish(_ lease: Lease) {
        if let live = leases[lease.identifier] { end(live, .finished) }
    }

    private func end(_ live: LiveLease, _ ending: LeaseEnding) {
        leases[live.lease.identifier] = nil
        live.lease.end(ending)
        if let process = live.onceOf, book.endOnce(live.lease.key, of: process, lease: live.lease.identifier) {
            announce(AuthorizationChange(key: live.lease.key))
        }
    }

    /// Every change from now on, in order. A reader that falls far behind loses the stream, never holds the gate.
    public func changes() -> AsyncStream<AuthorizationChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AuthorizationChange.self, bufferingPolicy: .bufferingOldest(1024))
        let identifier = UUID()
        observers[identifier] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.removeObserver(identifier) }
        }
        return stream
    }

    private func removeObserver(_ identifier: UUID) {
        observers[identifier] = nil
    }

    /// Writes to the ledger in the order of the calls, whatever the executor makes of them: the last change of a decision
    /// must also be the last one stored.
    @discardableResult
    func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64 {
        let (ledger, earlier) = (ledger, lastWrite)
        let write = Task {
            await earlier?.value
            return try await ledger.record(event, changing: change)
        }
        lastWrite = Task { _ = try? await write.value }
        return try await write.value
    }

    func announce(_ change: AuthorizationChange) {
        for (identifier, continuation) in observers {
            if case .dropped = continuation.yield(change) {
                continuation.finish()
                observers[identifier] = nil
            }
        }
    }

    /// Ends the leases that the condition names. Whoever holds one stops at once.
    func endLeases(_ ending: LeaseEnding, where isConcerned: (DecisionKey) -> Bool) {
        for live in leases.values where isConcerned(live.lease.key) { end(live, ending) }
    }

    /// No suspension between the check and the registration: a change comes before, and refuses, or after, and ends it.
    private func lease(of resource: Resource, for requester: Requester) async throws(AuthorizationError) -> Lease {
        let standing = standing(of: resource, for: requester)
        guard case .authorized(let scope) = standing else {
            let refusal = Refusal.error(for: standing, resource: resource, requester: requester)
            throw await recorded(refusal, requester)
        }
        let lease = Lease(identifier: configuration.newIdentifier(), key: requester.key(for: resource))
        let process = requester.caller.process
        leases[lease.identifier] = LiveLease(lease: lease, onceOf: scope == .once ? process : nil)
        if scope == .once { book.beginOnce(lease.key, of: process, lease: lease.identifier) }
        return lease
    }
}
