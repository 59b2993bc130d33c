import Authorization
import Foundation
import Server
import SocketAPI
import Speech
import Synchronization

/// Follows the sessions of clients, not those of monitors: a client's monitors listen while none of its sessions does.
package protocol SessionFollower: Sendable {
    /// Returns when the session may open its device.
    func sessionBegins(of requester: Requester) async
    func sessionEnded(of requester: Requester) async
}

/// The running and starting sessions: for the indicator, for control from another connection, and for the service's end.
package actor SessionRegistry {
    private struct Entry {
        let session: any EndableSession
        var requester: Requester { session.requester }
        let hasMicrophone: Bool
        let startedAt: Date
        /// The order of sessions with the same start time.
        let number: Int
        var isEnding = false
    }

    package nonisolated let indicator: IndicatorBoard
    private var entries: [String: Entry] = [:]
    private var count = 0
    private nonisolated let pauses = Mutex<[String: Set<PauseReason>]>([:])
    private var follower: (any SessionFollower)?
    /// The last events must be read before the connections are closed.
    package private(set) var isStopping = false
    private var whenEmpty: [CheckedContinuation<Void, Never>] = []

    private var counts: QuotaCounts<ClientIdentifier>

    /// - Parameter quota: of users and their clients.
    package init(indicator: IndicatorBoard = IndicatorBoard(), quota: Quota) {
        self.indicator = indicator
        counts = QuotaCounts(quota)
    }

    package func setFollower(_ follower: any SessionFollower) { self.follower = follower }

    /// Whether a session of the client runs; its monitors do not count.
    package func hasSession(of owner: MonitorOwner) -> Bool {
        entries.values.contains { entry in
            entry.requester.caller.user == owner.user && entry.requester.client.identifier == owner.client
                && entry.session.monitorAction == nil
        }
    }

    /// Registers a session before it starts, so that it is shown and can be ended from the first moment. `remove` must
    /// follow when it is over.
    ///
    /// - Parameter resources: what it uses; `nil`: both, or speech recognition only if there is no device.
    func add(_ session: any EndableSession, device: String?, resources: [Resource]? = nil) async throws {
        guard !isStopping else { throw RouteError(.unavailable, "The service is being stopped.") }
        let requester = session.requester
        if let refusal = counts.take(requester.client.identifier, of: requester.caller.user) {
            throw RouteError(sessions: refusal)
        }
        entries[session.identifier] = Entry(
            session: session, hasMicrophone: device != nil, startedAt: Date(), number: count)
        count += 1
        indicator.begin(
            session, resources: resources ?? (device == nil ? [.speechRecognition] : Resource.allCases), device: device)
        if session.monitorAction == nil { await follower?.sessionBegins(of: requester) }
    }

    /// Notes a session's pauses. The indicator shows only those of the service: a client can end its own at any moment.
    nonisolated func note(_ event: DictationEvent, of session: any EndableSession) {
        let change: (inout Set<PauseReason>) -> Void
        switch event {
        case .paused(let reason): change = { $0.insert(reason) }
        case .resumed(let reason): change = { $0.remove(reason) }
        default: return
        }
        let reasons = pauses.withLock { pauses in
            change(&pauses[session.identifier, default: []])
            return pauses[session.identifier] ?? []
        }
        indicator.setPaused(reasons.contains { $0 != .suspended }, session.identifier)
    }

    /// Notes what recognises a session's speech from now on.
    package nonisolated func noteEngine(_ session: String, _ engine: SpeechEngine) {
        indicator.setEngine(engine, of: session)
    }

    /// A session that has heard nothing is no longer shown; one whose device did not close is, until that closes.
    func remove(_ session: any EndableSession) {
        if let entry = entries.removeValue(forKey: session.identifier) {
            counts.giveBack(entry.requester.client.identifier, of: entry.requester.caller.user)
        }
        pauses.withLock { $0[session.identifier] = nil }
        indicator.end(
            session.identifier, hasListened: (session.outcome?.account.heard ?? 0) > 0,
            isDeviceHeld: session.outcome?.isDeviceHeld ?? false)
        if let follower, session.monitorAction == nil {
            Task { await follower.sessionEnded(of: session.requester) }
        }
        guard entries.isEmpty else { return }
        for waiter in whenEmpty { waiter.resume() }
        whenEmpty = []
    }

    package func dictation(_ identifier: String, ofUser user: UInt32) -> DictationSession? {
        guard let entry = entries[identifier], entry.requester.caller.user == user else { return nil }
        return entry.session as? DictationSession
    }

    /// Dictations of a user, newest first.
    ///
    /// - Parameter isWanted: whether to include the dictations of a requester.
    package func dictations(ofUser user: UInt32, where isWanted: (Requester) -> Bool) -> [DictationsReply.Session] {
        let pauses = pauses.withLock { $0 }
        return entries.values.sorted { $0.number > $1.number }.compactMap { entry in
            guard let session = entry.session as? DictationSession, session.requester.caller.user == user,
                isWanted(session.requester)
            else { return nil }
            return DictationsReply.Session(
                session: session.identifier, client: session.requester.client.identifier.rawValue,
                device: session.configuration.device, startedAt: entry.startedAt,
                paused: (pauses[session.identifier] ?? []).sorted { $0.rawValue < $1.rawValue },
                isEnding: entry.isEnding)
        }
    }

    package func noteEnding(_ identifier: String) { entries[identifier]?.isEnding = true }

    package var runningSessions: Set<String> { Set(entries.keys) }

    /// Returns when each session with a microphone is over, or has closed its device and recorded that its user is absent; at most
    /// after the limit.
    ///
    /// - Returns: whether all are.
    func isAtRest(within limit: Duration) async -> Bool {
        let end = ContinuousClock.now + limit
        while !isAtRest, .now < end, (try? await Task.sleep(for: .milliseconds(10))) != nil {}
        return isAtRest
    }

    private var isAtRest: Bool {
        let pauses = pauses.withLock { $0 }
        return entries.values.allSatisfy { entry in
            !entry.hasMicrophone || pauses[entry.session.identifier]?.contains(where: \.isAbsence) == true
        }
    }

    /// Ends every session and returns when all are closed and recorded.
    package func stopAll() async {
        isStopping = true
        for entry in entries.values { entry.session.abandon(.serviceStopped) }
        guard !entries.isEmpty else { return }
        await withCheckedContinuation { whenEmpty.append($0) }
    }
}

extension RouteError {
    /// Too many sessions.
    fileprivate init(sessions refusal: QuotaRefusal) {
        let reason =
            switch refusal {
            case .ofProgram(let count): "\(count) sessions of this client run already. End one, then try again."
            case .ofUser(let count):
                "\(count) of your sessions run already, the most allowed at present. End one (voicegate status shows "
                    + "them), then try again."
            case .ofAll(let count):
                "\(count) sessions run already, the most that this machine's processors can recognise. Try again when "
                    + "one has ended."
            }
        self.init(.busy, reason)
    }
}
