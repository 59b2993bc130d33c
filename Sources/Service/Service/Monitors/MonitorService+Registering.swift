import Authorization
import Foundation
import SocketAPI

extension MonitorService {
    /// Writes the monitor down and lets it listen.
    ///
    /// - Throws: `MonitorError`, `AuthorizationError` where the permission does not reach so far, or the log's error.
    func register(_ monitor: MonitorRegistration, for requester: Requester, by caller: Caller) async throws {
        try book.check(monitor)
        if let refusal = await parts.gate.refusal(of: monitor, for: requester) { throw refusal }
        // Asked again: others may have registered meanwhile. From here to the entry nothing else comes in between.
        try book.check(monitor)
        book.add(monitor)
        do {
            try await parts.log.record(.monitor(monitor, .registered(by: caller)), changing: nil)
        } catch {
            forget(monitor)
            throw error
        }
        evaluate(MonitorOwner(monitor))
    }

    func remove(_ monitor: MonitorRegistration) async throws {
        forget(monitor)
        evaluate(MonitorOwner(monitor))
        try await parts.log.record(.monitor(monitor, .removed(.removed)), changing: nil)
    }

    /// - Parameter client: `nil`: of all clients.
    func monitors(ofUser user: UInt32, client: ClientIdentifier?) -> [MonitorsReply.Monitor] {
        book.monitors.filter { $0.user == user && (client == nil || $0.client == client) }.map(shown)
    }

    func shown(_ monitor: MonitorRegistration) -> MonitorsReply.Monitor {
        let owner = MonitorOwner(monitor)
        let wait = backOffs[monitor.identifier]?.wait(at: .now)
        let state: MonitorsReply.State =
            if pauses[monitor.identifier] != nil {
                .paused
            } else if acting[owner] != nil {
                .running
            } else if wait != nil {
                .waiting
            } else if listeners[owner]?.listener.monitors.contains(monitor) == true {
                .listening
            } else {
                .off
            }
        return MonitorsReply.Monitor(
            monitor: monitor.identifier, client: monitor.client.rawValue, kind: monitor.kind.name,
            phrase: monitor.kind.phrase, action: monitor.action, state: state,
            reason: pauses[monitor.identifier]?.rawValue, failures: backOffs[monitor.identifier]?.failures ?? 0,
            nextAttempt: wait.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) })
    }
}

extension MonitorService: SessionNeighbour {
    /// A client's own session comes first: returns when its monitors have let go of the device.
    func makeRoom(for requester: Requester) async {
        let owner = MonitorOwner(user: requester.caller.user, client: requester.client.identifier)
        guard let (listener, task) = listeners[owner] else { return }
        listener.stop()
        await task.value
    }

    func sessionEnded(of requester: Requester) {
        evaluate(MonitorOwner(user: requester.caller.user, client: requester.client.identifier))
    }
}
