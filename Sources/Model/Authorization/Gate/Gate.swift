import Foundation

/// The only place that decides. It asks the person, writes down what was answered, and only then grants.
///
/// Default deny: whatever is unknown, unanswered or cannot be recorded is refused. A change takes hold of running
/// sessions at once, through the leases of their grants.
public actor Gate {
    let ledger: any Ledger
    let agent: any Agent
    let configuration: GateConfiguration
    /// Who recognises speech, and is named in notices where that is nobody of the service's own.
    public nonisolated var engine: SpeechEngine { configuration.engine }
    /// Every change, in order, for whoever follows.
    public nonisolated let history: ChangeHistory

    var book: DecisionBook
    var pending: [DecisionKey: PendingPrompt] = [:]
    /// Counts changes that did not come from a prompt; a prompt's answer is dropped when its key's count has moved on.
    var epochs: [DecisionKey: UInt64] = [:]
    var blocked = BlockedAccessThrottle()
    var backOff: PromptBackOff
    /// Keys whose answer is being written: not in the book yet, and perhaps in the ledger already.
    var committing: Set<DecisionKey> = []
    var muteEpoch: UInt64 = 0
    /// Who last used or asked for what; upgrade and review are asked in its name.
    var lastRequesters: [DecisionKey: Requester] = [:]
    /// When a use was last written down; further ones of the same day are only counted in memory.
    var recordedUses: [DecisionKey: Moment] = [:]
    /// When a review was last asked for, so that a person who does not answer is left alone for a day.
    var reviewsAsked: [DecisionKey: Moment] = [:]
    /// The last notice about each client and resource, to tell when one says something else.
    var shownNotices: ShownNotices
    /// Keys with a yes of which it is written down that a policy restricts them.
    var restrictedGrants: Set<DecisionKey> = []
    private var leases: [String: LiveLease] = [:]
    private var lastWrite: Task<Void, Never>?

    /// Reads the stored decisions from the ledger.
    ///
    /// - Parameter trustsGrants: `false` when the ledger was found altered: every yes has to be given anew, every no holds.
    /// - Throws: the ledger's error; without its decisions the gate cannot know who was denied.
    public init(
        ledger: any Ledger, agent: any Agent, policy: Policy = Policy(), trustsGrants: Bool = true,
        configuration: GateConfiguration = GateConfiguration()
    ) async throws {
        self.ledger = ledger
        self.agent = agent
        self.configuration = configuration
        self.history = ChangeHistory(life: configuration.newIdentifier())
        self.backOff = PromptBackOff(delays: configuration.promptDelays)
        let moment = configuration.now()
        // What cannot be remembered is nothing that anything is allowed on.
        let recollection = (try? await ledger.recollection()) ?? LedgerRecollection()
        let decisions = try await ledger.decisions()
            .filter { trustsGrants || $0.verdict == .denied }
            .map { $0.anchored(to: moment) }
        self.shownNotices = ShownNotices(recollection.notices)
        // A log that was altered allows nothing that is not answered anew, and may not tell whether it was muted.
        let isMuted = trustsGrants ? try await ledger.isMuted() : (try? await ledger.isMuted()) ?? false
        self.book = DecisionBook(
            policy: policy, isMuted: isMuted, decisions: decisions, expiry: configuration.expiry,
            engine: configuration.engine)
        self.restrictedGrants = Set(book.grantedKeys.filter { policy.restriction(of: $0, at: moment.date) != nil })
        await expireGrants()
    }

    /// How the requester stands with a resource. Asks nobody.
    public func standing(of resource: Resource, for requester: Requester) -> Standing {
        book.standing(of: resource, for: requester, at: configuration.now())
    }

    public func status(of resource: Resource, for requester: Requester) -> AuthorizationStatus {
        standing(of: resource, for: requester).status
    }

    /// What settings show for a client that does not run now: policy and stored decisions, whatever its program is.
    public func settledStatus(of key: DecisionKey) -> AuthorizationStatus {
        if book.isMuted || book.policy.restriction(of: key, at: configuration.now().date) != nil { return .restricted }
        switch book.decisions[key]?.verdict {
        case .authorized: return book.decisions[key].map(book.knowsEngine) == true ? .authorized : .notDetermined
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
    ///
    /// - Parameter notifying: for a monitor that does no more than tell the person: a yes while in use is enough.
    public func microphoneGrant(
        for requester: Requester, notifying: Bool = false
    ) async throws(AuthorizationError) -> MicrophoneGrant {
        MicrophoneGrant(lease: try await lease(of: .microphone, for: requester, notifying: notifying))
    }

    /// Proof for a recogniser, when speech recognition is authorized. Asks nobody.
    public func speechRecognitionGrant(
        for requester: Requester, notifying: Bool = false
    ) async throws(AuthorizationError) -> SpeechRecognitionGrant {
        SpeechRecognitionGrant(
            lease: try await lease(of: .speechRecognition, for: requester, notifying: notifying))
    }

    /// Why the requester may not use the resource now; for a session whose lease has ended.
    public func refusal(of resource: Resource, for requester: Requester) -> AuthorizationError {
        AuthorizationError(for: standing(of: resource, for: requester), resource, requester)
    }

    /// Gives a lease back at the end of its use. A yes for one session ends with it.
    public func finish(_ lease: Lease) {
        if let live = leases[lease.identifier] { end(live, .finished) }
    }

    /// Ends a yes for one session whose client has left the foreground for too long.
    public func endOnceInBackground(_ lease: Lease) {
        if let live = leases[lease.identifier], lease.scope == .once { end(live, .background) }
    }

    /// Forgets what was allowed to one process alone: it has ended, and another may get its identifier.
    public func processEnded(_ process: ProcessIdentity) {
        for key in book.processEnded(process) { announce(AuthorizationChange(key: key)) }
    }

    private func end(_ live: LiveLease, _ ending: LeaseEnding) {
        let (lease, process) = (live.lease, live.process)
        leases[lease.identifier] = nil
        lease.end(ending)
        if lease.scope == .once, book.onceAnswers.end(lease.key, of: process, lease: lease.identifier) {
            announce(AuthorizationChange(key: lease.key))
        }
    }

    /// How a requester stands now, and the place in the order of changes where that is true: reading `history` from
    /// there tells everything that comes after it, and nothing twice.
    public func position(of requester: Requester) -> AuthorizationPosition {
        let pairs = Resource.allCases.map { ($0, standing(of: $0, for: requester)) }
        return AuthorizationPosition(
            cursor: history.last, standings: Dictionary(uniqueKeysWithValues: pairs), isMuted: book.isMuted)
    }

    /// Writes to the ledger in the order of the calls, whatever the executor makes of them: the last change of a decision
    /// must also be the last one stored.
    @discardableResult
    func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64 {
        try await enqueue(event, changing: change).value
    }

    /// The same without waiting. What is enqueued first is written first.
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

    /// Returns when all that was enqueued so far is written or has failed.
    public func writesAreDone() async { await lastWrite?.value }

    /// Tells those who follow. Costs the same whether they read or not.
    func announce(_ change: AuthorizationChange) {
        let book = change.key.map { self.book.excerpt(about: $0) } ?? self.book
        history.append(change, book, at: configuration.now())
    }

    /// Ends the leases that the condition names. Whoever holds one stops at once.
    func endLeases(_ ending: LeaseEnding, where isConcerned: (DecisionKey) -> Bool) {
        for live in leases.values where isConcerned(live.lease.key) { end(live, ending) }
    }

    /// Lowers what running sessions may tell, at once.
    func lowerFidelity(of key: DecisionKey) {
        for live in leases.values where live.lease.key == key { live.lease.lowerFidelity() }
    }

    /// Takes from running sessions that they go on in the background.
    func lowerScope(of key: DecisionKey) {
        for live in leases.values where live.lease.key == key { live.lease.lowerScope() }
    }

    /// Whether anything of the user listens now.
    public func isListening(user: UInt32) -> Bool { hasLiveLease(ofUser: user) }

    func hasLiveLease(ofUser user: UInt32) -> Bool { leases.values.contains { $0.lease.key.user == user } }

    /// What runs now, by what it stands on.
    var liveLeases: [DecisionKey: [Lease]] { Dictionary(grouping: leases.values.map(\.lease)) { $0.key } }

    func hasLiveLease(of key: DecisionKey) -> Bool { leases.values.contains { $0.lease.key == key } }

    /// No suspension between the check and the registration: a change comes before, and refuses, or after, and ends it.
    private func lease(
        of resource: Resource, for requester: Requester, notifying: Bool
    ) async throws(AuthorizationError) -> Lease {
        let standing = standing(of: resource, for: requester)
        guard let terms = standing.terms else {
            let refusal = AuthorizationError(for: standing, resource, requester)
            throw await recorded(refusal, requester)
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
                // The yes is still one for the old program, unless it was decided anew meanwhile.
                if let before, book.decisions[key]?.decidedAt == before.decidedAt { book.amend(before) }
                throw AuthorizationError(.recordingFailed, resource, requester)
            }
        }
        return lease
    }
}
