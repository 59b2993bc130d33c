import Base
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
    public nonisolated var collector: RecordCollector? { configuration.collector }
    public nonisolated let history: ChangeHistory

    var book: DecisionBook
    var pending: [DecisionKey: PendingPrompt] = [:]
    var blocked = Throttle<BlockedAccess>()
    var backOff: PromptBackOff
    /// The last mute or unmute of each scope since the start.
    var muteWrites: [MuteScope: MuteWrite] = [:]
    /// The ledger could not be read for what is muted, so everything is.
    var isMuteUnknown = false
    var callersSeen = CallersSeen()
    var shownNotices: ShownNotices
    /// Keys with a grant whose restriction by a policy is recorded, or being written.
    var restrictedGrants: Set<DecisionKey> = []
    private var leases: [String: LiveLease] = [:]
    /// Set when it is known whether the stored grants can be trusted.
    let verification = Latch<Void>()
    /// The decisions as they were read, until it is known whether they can be trusted.
    private var unverified: [DecisionKey: Decision] = [:]
    /// Of the keys for which settings have a grant that waits.
    var waitingGrants: [DecisionKey: WaitingGrants] = [:]
    var endedProcesses = EndedProcesses()
    var absences = Absences()

    /// Reads the stored decisions from the ledger.
    ///
    /// - Parameter isVerified: `false` if `ledgerWasVerified` will be called: until then requests that grant, use or
    ///   lower a permission wait. No session can run meanwhile, and revocations do not wait. If it cannot be read
    ///   whether everything was muted, everything is.
    /// - Throws: the ledger's error; without its decisions the gate cannot know the denials.
    public init(
        ledger: any Ledger, agent: any Agent, policy: Policy = Policy(), isVerified: Bool = true,
        configuration: GateConfiguration = GateConfiguration()
    ) async throws {
        self.ledger = ledger
        self.agent = agent
        self.configuration = configuration
        self.history = ChangeHistory(generation: configuration.newIdentifier())
        self.backOff = PromptBackOff(delays: configuration.promptDelays)
        let moment = configuration.now()
        // Nothing is allowed because of the notices, so the gate can do without them.
        self.shownNotices = ShownNotices((try? await ledger.shownNotices()) ?? [])
        let stored = try await ledger.decisions()
        // A grant without terms permits nothing.
        let decisions = stored.filter { $0.verdict == .denied || $0.terms != nil }.map { $0.anchored(to: moment) }
        let mutes = isVerified ? try await ledger.mutes() : try? await ledger.mutes()
        self.book = DecisionBook(
            policy: policy, mutes: mutes ?? .unknown, decisions: decisions, expiry: configuration.expiry,
            engine: configuration.engine, collector: configuration.collector)
        self.restrictedGrants = Set(book.grantedKeys.filter { policy.restriction(of: $0, at: moment.date) != nil })
        if isVerified {
            verification.set()
        } else {
            isMuteUnknown = mutes == nil
            unverified = Dictionary(stored.map { ($0.key, $0) }) { _, last in last }
        }
        await expireGrants()
    }

    /// The ledger was read as a whole. A stored grant counts if this gate read it as it was verified; any other must be given
    /// again.
    ///
    /// - Parameter decisions: those that were verified; `nil`: the ledger was altered.
    public func ledgerWasVerified(_ decisions: [Decision]?) async {
        let verified = Dictionary((decisions ?? []).map { ($0.key, $0) }) { _, last in last }
        let isDropped = book.dropGrants { verified[$0] != unverified[$0] }
        unverified = [:]
        // An altered ledger may be readable.
        if isMuteUnknown, let mutes = try? await ledger.mutes(), isMuteUnknown {
            isMuteUnknown = false
            // What was muted or unmuted since counts.
            book.apply(book.mutes.replaced(by: mutes, except: muteWrites.keys))
            announceToAll()
        } else if isDropped {
            announceToAll()
        }
        verification.set()
        await expireGrants()
    }

    /// Waits until it is known whether the stored grants can be trusted. Called by all that gives or uses one.
    ///
    /// - Returns: `false` if the task is cancelled before that; the caller must then give and use none.
    func grantsAreTrusted() async -> Bool { await verification.value(within: nil) != nil }

    /// The requester's permission for a resource. Does not ask the person.
    public func standing(of resource: Resource, for requester: Requester) -> Standing {
        book.standing(of: resource, for: requester, at: configuration.now())
    }

    public func status(of resource: Resource, for requester: Requester) -> AuthorizationStatus {
        standing(of: resource, for: requester).status
    }

    /// The number of requests that wait for the key's prompt.
    func waiters(for key: DecisionKey) -> Int { pending[key]?.waiters ?? 0 }

    /// The user's stored decisions.
    public func decisions(ofUser user: UInt32) -> [Decision] { book.decisions(ofUser: user) }

    /// A grant for a source of frames, if the microphone is authorized. Does not ask the person.
    ///
    /// - Parameter monitor: what the monitors do that it is for; for one that only notifies the person, a grant while in use
    ///   suffices.
    public func microphoneGrant(
        for requester: Requester, monitor: MonitorAction? = nil
    ) async throws(AuthorizationError) -> MicrophoneGrant {
        MicrophoneGrant(lease: try await lease(of: .microphone, for: requester, monitor: monitor))
    }

    /// A grant for a recogniser, if speech recognition is authorized, and the client has phrases if only these are. Does not ask
    /// the person.
    public func speechRecognitionGrant(
        for requester: Requester, monitor: MonitorAction? = nil
    ) async throws(AuthorizationError) -> SpeechRecognitionGrant {
        SpeechRecognitionGrant(
            lease: try await lease(of: .speechRecognition, for: requester, monitor: monitor))
    }

    /// Both grants, or none.
    public func dictationGrants(
        for requester: Requester, monitor: MonitorAction? = nil
    ) async throws(AuthorizationError) -> DictationGrants {
        let speech = try await speechRecognitionGrant(for: requester, monitor: monitor)
        let microphone: MicrophoneGrant
        do {
            microphone = try await microphoneGrant(for: requester, monitor: monitor)
        } catch {
            finish(speech.lease)
            throw error
        }
        return DictationGrants(speechRecognition: speech, microphone: microphone)
    }

    /// Why the requester may not use the resource, after its lease has ended.
    public func refusal(of resource: Resource, for requester: Requester) -> AuthorizationError {
        if let absence = absence(of: resource, requester) {
            return AuthorizationError(.absent(absence), resource, requester)
        }
        return AuthorizationError(for: standing(of: resource, for: requester), resource, requester)
    }

    /// Ends a lease at the end of its session.
    public func finish(_ lease: Lease) {
        if let live = leases[lease.identifier] { end(live, .finished) }
    }

    /// Processes with a grant for one use. While there are any, their presence has to be noted; `history` reports when there
    /// may be some again.
    public var processesAllowedOnce: Set<ProcessIdentity> {
        // A lasting answer may have taken the place of the one that a session began with.
        book.onceAnswers.processes.union(leases.values.lazy.filter { $0.lease.scope == .once }.map(\.process))
    }

    /// Notes where a process with a grant for one use is. The grant ends, with its sessions, when the process was out of use
    /// for `GateConfiguration.onceOutOfUse`: in the background, without a session that may continue there.
    public func note(_ presence: Presence, of process: ProcessIdentity) {
        let (moment, limit) = (configuration.now(), configuration.onceOutOfUse)
        let sessions = leases.values.filter { $0.process == process && $0.lease.scope == .once }
        let isInUse = presence == .foreground || sessions.contains { $0.lease.ground(in: presence) != nil }
        let ended = book.onceAnswers.note(process, isInUse: isInUse, at: moment, limit: limit)
        for live in sessions {
            let since = isInUse ? nil : live.outOfUseSince ?? moment
            leases[live.lease.identifier]?.outOfUseSince = since
            let isOver = since.map { (moment.elapsed(since: $0) ?? limit) >= limit } ?? false
            if isOver || ended.contains(live.lease.key) { end(live, .background) }
        }
        for key in ended { announce(key) }
    }

    /// Ends what only a process that has ended may use; its identifier may be reused. Answers to its prompts permit nothing,
    /// and its requests that are under way ask nothing more.
    public func processEnded(_ process: ProcessIdentity) {
        endedProcesses.insert(process)
        for key in pending.keys where pending[key]?.prompt.requester.caller.process == process {
            pending[key]?.isAbandoned = true
        }
        let keys = book.processEnded(process)
        for live in leases.values where live.process == process && live.lease.scope == .once {
            end(live, .disconnected)
        }
        for key in keys { announce(key) }
    }

    /// The processes on which something depends that ends with them: a grant for one session, a lease, or a question that
    /// may become one.
    public var concernedProcesses: Set<ProcessIdentity> {
        book.concernedProcesses.union(leases.values.map(\.process)).union(
            pending.values.map(\.prompt.requester.caller.process))
    }

    private func end(_ live: LiveLease, _ ending: LeaseEnding) {
        let lease = live.lease
        leases[lease.identifier] = nil
        lease.end(ending)
        if book.temporaryFidelity.end(lease.key, of: live.process, lease: lease.identifier) { announce(lease.key) }
    }

    /// The user's permissions now, and the position in `history` from which later changes can be read without a gap.
    public func permissions(ofUser user: UInt32) -> AuthorizationUpdate {
        AuthorizationUpdate(
            cursor: history.last(ofUser: user), user: user, key: nil, book: book.excerpt(ofUser: user),
            moment: configuration.now())
    }

    func announce(_ key: DecisionKey) {
        history.append(key, ofUser: key.user, book.excerpt(about: key), at: configuration.now())
    }

    /// Announces a change that may concern all keys of the user.
    func announce(toUser user: UInt32) {
        history.append(nil, ofUser: user, book.excerpt(ofUser: user), at: configuration.now())
    }

    /// Announces a change that may concern all keys.
    func announceToAll() {
        for user in history.users { announce(toUser: user) }
        history.signalToAll()
    }

    /// Ends the leases of the keys concerned; their sessions stop at once.
    func endLeases(_ ending: LeaseEnding, where isConcerned: (DecisionKey) -> Bool) {
        for live in leases.values where isConcerned(live.lease.key) { end(live, ending) }
    }

    /// - Parameter ending: `nil`: the lease stays.
    func endLeases(_ ending: (Lease) -> LeaseEnding?) {
        for live in leases.values { if let ending = ending(live.lease) { end(live, ending) } }
    }

    /// Ends the leases of a grant that were given to another program. Grants for one session belong to their process.
    func endLeases(of key: DecisionKey, exceptOf program: AllowedProgram?) {
        for live in leases.values where live.lease.key == key && live.lease.scope != .once {
            if live.program.sha256 != program?.sha256 { end(live, .revoked) }
        }
    }

    /// The package manager replaced the program: sessions of the version before go on.
    func carryOverLeases(of key: DecisionKey, from previous: AllowedProgram, to program: AllowedProgram) {
        for (identifier, live) in leases where live.lease.key == key && live.program.sha256 == previous.sha256 {
            leases[identifier]?.program = program
        }
    }

    /// Whether a session of the user is running.
    public func isListening(user: UInt32) -> Bool { leases.values.contains { $0.lease.key.user == user } }

    var liveLeases: [DecisionKey: [Lease]] { Dictionary(grouping: leases.values.map(\.lease)) { $0.key } }

    func hasLiveLease(of key: DecisionKey) -> Bool { leases.values.contains { $0.lease.key == key } }

    /// No suspension between the check and the registration: a change before it refuses the lease, a change after it ends
    /// the lease.
    private func lease(
        of resource: Resource, for requester: Requester, monitor: MonitorAction?
    ) async throws(AuthorizationError) -> Lease {
        guard await grantsAreTrusted() else { throw AuthorizationError(.noAnswer, resource, requester) }
        let standing = standing(of: resource, for: requester)
        guard let terms = standing.terms else {
            throw await recorded(AuthorizationError(for: standing, resource, requester), requester)
        }
        if let absence = absence(of: resource, requester),
            monitor == nil || !terms.agreed.allowsMonitors(during: absence)
        {
            throw await recorded(AuthorizationError(.absent(absence), resource, requester), requester)
        }
        let isReached = terms.scope == .always || monitor == .notify && terms.scope == .whileInUse
        guard requester.presence == .foreground || isReached else {
            throw await recorded(
                AuthorizationError(.notInBackground(of: requester.client), resource, requester), requester)
        }
        let key = requester.key(for: resource)
        if terms.scope != .once, let decision = book[key],
            book.carriesOver(decision, to: requester.caller.executable)
        {
            try await carryOver(key, to: requester)
            // The permission may have changed meanwhile.
            return try await lease(of: resource, for: requester, monitor: monitor)
        }
        let (process, identifier) = (requester.caller.process, configuration.newIdentifier())
        let fidelityRecord = book.temporaryFidelity.take(key, process, lease: identifier)
        let fidelity = fidelityRecord != nil ? .full : terms.fidelity
        if resource == .speechRecognition, fidelity == .reduced, requester.client.manifest?.phrases.isEmpty != false {
            throw await recorded(AuthorizationError(.reducedFidelity, resource, requester), requester)
        }
        let lease = Lease(
            identifier: identifier, key: key, scope: terms.scope, fidelity: fidelity,
            continuesInBackground: requester.presence == .foreground
                && requester.client.manifest?.allowsBackgroundAudio == true,
            isOfMonitor: monitor != nil, agreed: terms.agreed,
            decisionRecord: terms.scope == .once
                ? book.onceAnswers[key, process]?.record : book[key]?.record,
            fidelityRecord: fidelityRecord)
        leases[lease.identifier] = LiveLease(
            lease: lease, process: process, program: AllowedProgram(requester.caller.executable))
        if terms.scope != .once { noteUse(of: key) }
        return lease
    }
}
