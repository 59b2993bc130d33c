import Foundation

/// Decides every permission: asks the person, records the answer, and only then grants.
///
/// Default deny: anything unknown, unanswered or not recordable is refused. A change takes effect on running sessions at
/// once, through the leases of their grants.
public actor Gate {
    let ledger: any Ledger
    let agent: any Agent
    let configuration: GateConfiguration
    public nonisolated var engine: SpeechEngine { configuration.engine }
    public nonisolated let history: ChangeHistory

    var book: DecisionBook
    var pending: [DecisionKey: PendingPrompt] = [:]
    /// Counts changes that did not come from a prompt; a prompt's answer is dropped if its key's count has changed.
    var epochs: [DecisionKey: UInt64] = [:]
    var blocked = BlockedAccessThrottle()
    var backOff: PromptBackOff
    /// Keys whose answer is being recorded: not yet in the book, and perhaps already in the ledger.
    var committing: Set<DecisionKey> = []
    var muteEpoch: UInt64 = 0
    /// The last requester of each key; upgrade and review are asked in its name.
    var lastRequesters: [DecisionKey: Requester] = [:]
    /// When a use was last recorded; at most once a day.
    var recordedUses: [DecisionKey: Moment] = [:]
    /// When a review was last asked, so that it is asked at most once a day.
    var reviewsAsked: [DecisionKey: Moment] = [:]
    var shownNotices: ShownNotices
    /// Keys with a grant whose restriction by a policy is recorded.
    var restrictedGrants: Set<DecisionKey> = []
    private var leases: [String: LiveLease] = [:]
    private var lastWrite: Task<Void, Never>?

    /// Reads the stored decisions from the ledger.
    ///
    /// - Parameter trustsGrants: `false` if the ledger was found altered: then only denials are kept.
    /// - Throws: the ledger's error; without its decisions the gate cannot know the denials.
    public init(
        ledger: any Ledger, agent: any Agent, policy: Policy = Policy(), trustsGrants: Bool = true,
        configuration: GateConfiguration = GateConfiguration()
    ) async throws {
        self.ledger = ledger
        self.agent = agent
        self.configuration = configuration
        self.history = ChangeHistory(generation: configuration.newIdentifier())
        self.backOff = PromptBackOff(delays: configuration.promptDelays)
        let moment = configuration.now()
        // Nothing is allowed because of the recollection, so the gate can do without it.
        let recollection = (try? await ledger.recollection()) ?? LedgerRecollection()
        let decisions = try await ledger.decisions()
            // A grant without terms permits nothing.
            .filter { $0.verdict == .denied || (trustsGrants && $0.terms != nil) }
            .map { $0.anchored(to: moment) }
        self.shownNotices = ShownNotices(recollection.notices)
        // Whether everything was muted may be unknown in an altered log; it grants nothing either way.
        let isMuted = trustsGrants ? try await ledger.isMuted() : (try? await ledger.isMuted()) ?? false
        self.book = DecisionBook(
            policy: policy, isMuted: isMuted, decisions: decisions, expiry: configuration.expiry,
            engine: configuration.engine)
        self.restrictedGrants = Set(book.grantedKeys.filter { policy.restriction(of: $0, at: moment.date) != nil })
        await expireGrants()
    }

    /// The requester's permission for a resource. Does not ask the person.
    public func standing(of resource: Resource, for requester: Requester) -> Standing {
        book.standing(of: resource, for: requester, at: configuration.now())
    }

    public func status(of resource: Resource, for requester: Requester) -> AuthorizationStatus {
        standing(of: resource, for: requester).status
    }

    /// The status that settings show, from policy and stored decisions, whatever the client's program is.
    public func settledStatus(of key: DecisionKey) -> AuthorizationStatus {
        if book.isMuted || book.policy.restriction(of: key, at: configuration.now().date) != nil { return .restricted }
        switch book.decisions[key]?.verdict {
        case .authorized: return book.decisions[key].map(book.knowsEngine) == true ? .authorized : .notDetermined
        case .denied: return .denied
        case nil: return .notDetermined
        }
    }

    /// The number of requests that wait for the key's prompt.
    func waiters(for key: DecisionKey) -> Int { pending[key]?.waiters ?? 0 }

    func epoch(of key: DecisionKey) -> UInt64 { epochs[key, default: 0] }

    /// The user's stored decisions.
    public func decisions(ofUser user: UInt32) -> [Decision] {
        book.decisions.values.filter { $0.key.user == user }
    }

    /// A grant for a source of frames, if the microphone is authorized. Does not ask the person.
    ///
    /// - Parameter notifying: for a monitor that only notifies the person, a grant while in use suffices.
    public func microphoneGrant(
        for requester: Requester, notifying: Bool = false
    ) async throws(AuthorizationError) -> MicrophoneGrant {
        MicrophoneGrant(lease: try await lease(of: .microphone, for: requester, notifying: notifying))
    }

    /// A grant for a recogniser, if speech recognition is authorized. Does not ask the person.
    public func speechRecognitionGrant(
        for requester: Requester, notifying: Bool = false
    ) async throws(AuthorizationError) -> SpeechRecognitionGrant {
        SpeechRecognitionGrant(
            lease: try await lease(of: .speechRecognition, for: requester, notifying: notifying))
    }

    /// Why the requester may not use the resource, after its lease has ended.
    public func refusal(of resource: Resource, for requester: Requester) -> AuthorizationError {
        AuthorizationError(for: standing(of: resource, for: requester), resource, requester)
    }

    /// Ends a lease at the end of its use, and with it a grant for one session.
    public func finish(_ lease: Lease) {
        if let live = leases[lease.identifier] { end(live, .finished) }
    }

    /// Ends a grant for one session whose client has been in the background for too long.
    public func endOnceInBackground(_ lease: Lease) {
        if let live = leases[lease.identifier], lease.scope == .once { end(live, .background) }
    }

    /// Removes the grants of a process that has ended; its identifier may be reused.
    public func processEnded(_ process: ProcessIdentity) {
        for key in book.processEnded(process) { announce(key) }
    }

    private func end(_ live: LiveLease, _ ending: LeaseEnding) {
        let lease = live.lease
        leases[lease.identifier] = nil
        lease.end(ending)
        if lease.scope == .once, book.onceAnswers.end(lease.key, of: live.process, lease: lease.identifier) {
            announce(lease.key)
        }
    }

    /// A requester's permissions, and the position in `history` from which later changes can be read without a gap.
    public func position(of requester: Requester) -> AuthorizationPosition {
        let pairs = Resource.allCases.map { ($0, standing(of: $0, for: requester)) }
        return AuthorizationPosition(
            cursor: history.last, standings: Dictionary(uniqueKeysWithValues: pairs), isMuted: book.isMuted)
    }

    /// Writes to the ledger in the order of the calls: the last change of a decision must also be the last one stored.
    @discardableResult
    func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64 {
        try await enqueue(event, changing: change).value
    }

    /// The same without waiting.
    @discardableResult
    func enqueue(_ event: LedgerEvent, changing change: DecisionChange?) -> Task<UInt64, any Error> {
        let (ledger, earlier) = (ledger, lastWrite)
        let write = Task {
            await earlier?.value
            return try await ledger.record(event, changing: change)
        }
        lastWrite = Task { _ = try? await write.value }
        return write
    }

    /// Returns when every write enqueued so far is done or has failed.
    public func writesAreDone() async { await lastWrite?.value }

    /// - Parameter key: `nil` if the change may concern every key.
    func announce(_ key: DecisionKey?) {
        history.append(key, key.map { book.excerpt(about: $0) } ?? book, at: configuration.now())
    }

    /// Ends the leases of the keys concerned; their sessions stop at once.
    func endLeases(_ ending: LeaseEnding, where isConcerned: (DecisionKey) -> Bool) {
        for live in leases.values where isConcerned(live.lease.key) { end(live, ending) }
    }

    /// Reduces what running sessions may give to their clients, at once.
    func lowerFidelity(of key: DecisionKey) {
        for lease in liveLeases[key] ?? [] { lease.lowerFidelity() }
    }

    /// Running sessions may no longer listen in the background.
    func lowerScope(of key: DecisionKey) {
        for lease in liveLeases[key] ?? [] { lease.lowerScope() }
    }

    /// Whether a session of the user is running.
    public func isListening(user: UInt32) -> Bool { leases.values.contains { $0.lease.key.user == user } }

    var liveLeases: [DecisionKey: [Lease]] { Dictionary(grouping: leases.values.map(\.lease)) { $0.key } }

    func hasLiveLease(of key: DecisionKey) -> Bool { leases.values.contains { $0.lease.key == key } }

    /// No suspension between the check and the registration: a change before it refuses the lease, a change after it ends
    /// the lease.
    private func lease(
        of resource: Resource, for requester: Requester, notifying: Bool
    ) async throws(AuthorizationError) -> Lease {
        let standing = standing(of: resource, for: requester)
        guard let terms = standing.terms else {
            throw await recorded(AuthorizationError(for: standing, resource, requester), requester)
        }
        let isReached = terms.scope == .always || notifying && terms.scope == .whileInUse
        guard requester.presence == .foreground || isReached else {
            throw await recorded(AuthorizationError(.notInUse(terms), resource, requester), requester)
        }
        let key = requester.key(for: resource)
        let process = requester.caller.process
        let fidelityRecord = resource == .speechRecognition ? book.temporaryFidelity.take(key, process) : nil
        let lease = Lease(
            identifier: configuration.newIdentifier(), key: key, scope: terms.scope,
            fidelity: fidelityRecord != nil ? .full : terms.fidelity,
            continuesInBackground: requester.presence == .foreground
                && requester.client.manifest?.allowsBackgroundAudio == true,
            kept: terms.kept,
            decisionRecord: terms.scope == .once
                ? book.onceAnswers.record(of: key, for: process) : book.decisions[key]?.record,
            fidelityRecord: fidelityRecord)
        leases[lease.identifier] = LiveLease(lease: lease, process: process)
        if terms.scope == .once { book.onceAnswers.begin(key, of: process, lease: lease.identifier) }
        let before = book.decisions[key]
        if terms.scope != .once, let carrying = noteUse(of: key, by: requester) {
            do {
                _ = try await carrying.value
            } catch {
                finish(lease)
                // The grant is for the old program again, unless it was decided again meanwhile.
                if let before, book.decisions[key]?.decidedAt == before.decidedAt { book.amend(before) }
                throw AuthorizationError(.recordingFailed, resource, requester)
            }
        }
        return lease
    }
}
