import Authorization
import Dictation
import Foundation
import SocketAPI

/// The sessions that run or are about to: for the indicator, for control from another connection, and for the service's
/// end.
actor SessionRegistry {
    private struct Entry {
        let device: String?
        let startedAt: Date
        let user: UInt32
        let session: any EndableSession
    }

    /// Sessions at a time; each holds a recogniser of about 200 MB.
    static let mostSessions = 8

    /// Of them, sessions of one client, so that no client keeps all others out.
    static let mostOfClient = 4

    private var entries: [String: Entry] = [:]
    private var isStopping = false
    private var whenEmpty: [CheckedContinuation<Void, Never>] = []

    /// Enters a session before it starts, so that it is seen and can be ended from the first moment on. `remove` follows
    /// when it is over, however it ends.
    func add(_ session: any EndableSession, device: String?) throws {
        guard !isStopping else { throw RouteError(.busy, "The service is being stopped.") }
        guard entries.count < Self.mostSessions else {
            throw RouteError(
                .busy,
                "\(Self.mostSessions) sessions run already. End one (voicegate status shows them), then try again.")
        }
        let requester = session.requester
        let ofClient = entries.values.count { $0.session.requester.client.identifier == requester.client.identifier }
        guard ofClient < Self.mostOfClient else {
            throw RouteError(
                .busy, "\(Self.mostOfClient) sessions of this client run already. End one, then try again.")
        }
        entries[session.identifier] = Entry(
            device: device, startedAt: Date(), user: requester.caller.user, session: session)
    }

    func remove(_ session: any EndableSession) {
        entries[session.identifier] = nil
        guard entries.isEmpty else { return }
        for waiter in whenEmpty { waiter.resume() }
        whenEmpty = []
    }

    func sessions(ofUser user: UInt32) -> [IndicatorReply.Session] {
        entries.values.filter { $0.user == user }.map(Self.shown).sorted { $0.startedAt < $1.startedAt }
    }

    private static func shown(_ entry: Entry) -> IndicatorReply.Session {
        let requester = entry.session.requester
        return IndicatorReply.Session(
            session: entry.session.identifier, client: requester.client.identifier.rawValue,
            name: requester.client.displayName, processIdentifier: requester.caller.process.processIdentifier,
            device: entry.device, startedAt: entry.startedAt, presence: entry.session.presence)
    }

    func dictation(_ identifier: String, ofUser user: UInt32) -> DictationSession? {
        guard let entry = entries[identifier], entry.user == user else { return nil }
        return entry.session as? DictationSession
    }

    /// Ends every session and returns when all are closed and recorded.
    func stopAll() async {
        isStopping = true
        for entry in entries.values { entry.session.abandon(.serviceStopped) }
        guard !entries.isEmpty else { return }
        await withCheckedContinuation { whenEmpty.append($0) }
    }
}
