import Authorization
import Foundation
import RecognizerProcess
import SocketAPI
import Speech
import Synchronization

/// The sessions that run or are about to: for the indicator, for control from another connection, and for the service's
/// end.
actor SessionRegistry {
    private struct Entry {
        let user: UInt32
        let session: any EndableSession
        let startedAt: Date
        /// Counts sessions, so that two of the same moment have an order.
        let number: Int
        var isEnding = false
    }

    /// Sessions at a time: as many as the recognisers follow on this machine's processors. Each holds about 100 MB.
    static let mostSessions = RecognizerPool.Configuration.mostSessionsHere

    /// Of them, sessions of one client, so that no client keeps all others out.
    static let mostOfClient = mostSessions / 2

    private nonisolated let indicator: IndicatorBoard
    private var entries: [String: Entry] = [:]
    private var count = 0
    /// Why sessions do not listen now.
    private nonisolated let pauses = Mutex<[String: Set<PauseReason>]>([:])
    private var neighbour: (any SessionNeighbour)?
    /// The last events must be read before the connections are closed.
    private(set) var isStopping = false
    private var whenEmpty: [CheckedContinuation<Void, Never>] = []

    init(indicator: IndicatorBoard = IndicatorBoard()) { self.indicator = indicator }

    func setNeighbour(_ neighbour: any SessionNeighbour) { self.neighbour = neighbour }

    /// Whether a session of the client runs, its monitors not counted.
    func hasSession(of owner: MonitorOwner) -> Bool {
        entries.values.contains {
            $0.user == owner.user && $0.session.requester.client.identifier == owner.client
                && !($0.session is MonitorListener)
        }
    }

    /// Enters a session before it starts, so that it is seen and can be ended from the first moment on. `remove` follows
    /// when it is over, however it ends.
    ///
    /// - Parameter resources: what it uses; `nil`: both, or speech recognition alone where there is no device.
    func add(_ session: any EndableSession, device: String?, resources: [Resource]? = nil) async throws {
        guard !isStopping else { throw RouteError(.busy, "The service is being stopped.") }
        guard entries.count < Self.mostSessions else {
            throw RouteError(
                .busy,
                "\(Self.mostSessions) sessions run already, as many as this machine's processors follow. End one (voicegate "
                    + "status shows them), then try again.")
        }
        let requester = session.requester
        let ofClient = entries.values.count { $0.session.requester.client.identifier == requester.client.identifier }
        guard ofClient < Self.mostOfClient else {
            throw RouteError(
                .busy, "\(Self.mostOfClient) sessions of this client run already. End one, then try again.")
        }
        entries[session.identifier] = Entry(
            user: requester.caller.user, session: session, startedAt: Date(), number: count)
        count += 1
        indicator.begin(
            session, resources: resources ?? (device == nil ? [.speechRecognition] : Resource.allCases), device: device,
            presence: { session.presence })
        if !(session is MonitorListener) { await neighbour?.makeRoom(for: requester) }
    }

    /// Shows what a session's client is told about its pauses. Only the service's own are shown: a client that suspends
    /// itself could go on at any moment.
    nonisolated func note(_ event: DictationEvent, of session: any EndableSession) {
        switch event {
        case .paused(let reason):
            pauses.withLock { _ = $0[session.identifier, default: []].insert(reason) }
            if reason == .background { indicator.setPaused(true, session.identifier) }
        case .resumed(let reason):
            pauses.withLock { _ = $0[session.identifier]?.remove(reason) }
            if reason == .background { indicator.setPaused(false, session.identifier) }
        default: break
        }
    }

    /// - Parameter hasListened: `false` for one that failed before anything could be heard.
    func remove(_ session: any EndableSession, hasListened: Bool = true) {
        entries[session.identifier] = nil
        pauses.withLock { $0[session.identifier] = nil }
        indicator.end(session.identifier, hasListened: hasListened)
        if let neighbour, !(session is MonitorListener) {
            Task { await neighbour.sessionEnded(of: session.requester) }
        }
        guard entries.isEmpty else { return }
        for waiter in whenEmpty { waiter.resume() }
        whenEmpty = []
    }

    func dictation(_ identifier: String, ofUser user: UInt32) -> DictationSession? {
        guard let entry = entries[identifier], entry.user == user else { return nil }
        return entry.session as? DictationSession
    }

    /// Dictations of a user, the newest first.
    ///
    /// - Parameter isWanted: whether one that was asked for in this way is to be among them.
    func dictations(ofUser user: UInt32, where isWanted: (Requester) -> Bool) -> [DictationsReply.Session] {
        let pauses = pauses.withLock { $0 }
        return entries.values.sorted { $0.number > $1.number }.compactMap { entry in
            guard entry.user == user, let session = entry.session as? DictationSession, isWanted(session.requester)
            else { return nil }
            return DictationsReply.Session(
                session: session.identifier, client: session.requester.client.identifier.rawValue,
                device: session.configuration.device, startedAt: entry.startedAt,
                paused: (pauses[session.identifier] ?? []).sorted { $0.rawValue < $1.rawValue },
                isEnding: entry.isEnding)
        }
    }

    /// A client has told the session to end.
    func noteEnding(_ identifier: String) { entries[identifier]?.isEnding = true }

    /// Identifiers of those that run or are about to.
    var runningSessions: Set<String> { Set(entries.keys) }

    /// Ends every session and returns when all are closed and recorded.
    func stopAll() async {
        isStopping = true
        for entry in entries.values { entry.session.abandon(.serviceStopped) }
        guard !entries.isEmpty else { return }
        await withCheckedContinuation { whenEmpty.append($0) }
    }
}

/// Whoever listens for a client while none of its sessions does.
protocol SessionNeighbour: Sendable {
    /// A session of the client begins; returns when the device is free.
    func makeRoom(for requester: Requester) async
    func sessionEnded(of requester: Requester) async
}
