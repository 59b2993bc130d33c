import Authorization
import Foundation
import Sessions
import SocketAPI

/// What the user and other programs see of the monitors.
extension MonitorService {
    /// - Parameter client: whose own are wanted; `nil`: the person's and those of all clients.
    func monitors(ofUser user: UInt32, client: ClientIdentifier?) -> [MonitorsReply.Monitor] {
        book.monitors.filter { $0.user == user && (client == nil || $0.client == client && $0.action == .start) }
            .map(shown)
    }

    func shown(_ monitor: MonitorRegistration) -> MonitorsReply.Monitor {
        let owner = MonitorOwner(monitor)
        let backOff = backOffs[monitor.identifier]
        let wait = backOff?.wait(at: parts.now())
        let state: MonitorsReply.State =
            if pauses[monitor.identifier] != nil {
                .paused
            } else if isBusy(owner) {
                .running
            } else if wait != nil {
                .waiting
            } else if listeners[owner]?.listener.monitors.contains(monitor) == true {
                .listening
            } else {
                .off
            }
        return MonitorsReply.Monitor(
            monitor, state: state, reason: pauses[monitor.identifier],
            failures: backOff?.failures ?? 0, failure: backOff?.reason,
            nextAttempt: wait.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) })
    }

    /// Other programs see that VoiceGate listens for the user as long as a monitor may, whatever it hears or does.
    func showToOthers(_ owner: MonitorOwner, _ requester: Requester?) async {
        var permissions: [MonitorPermission] = []
        for monitor in book.monitors(of: owner) + spent.filter({ MonitorOwner($0) == owner }) {
            guard let requester else { break }
            let permission = await parts.runner.gate.permission(of: monitor, for: requester)
            if case .ended = permission { spent.removeAll { $0 == monitor } }
            permissions.append(permission)
        }
        parts.runner.registry.indicator.showMonitors(
            of: owner, permissions.contains(.allowed) ? requester : nil, device: parts.device)
    }
}
