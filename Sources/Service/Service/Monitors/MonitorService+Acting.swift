import Authorization
import Foundation
import LinuxSystem

extension MonitorService {
    /// Does what the monitor is for. While the client that was started runs, its monitors are off.
    func trigger(_ monitor: MonitorRegistration, _ owner: MonitorOwner) async {
        guard book.monitors.contains(monitor), let (manifest, requester) = await subject(of: owner),
            await parts.gate.permission(of: monitor, for: requester) == .allowed,
            await write(monitor, .triggered)
        else { return }
        let running: ProgramLaunch.Running
        do {
            switch monitor.action {
            case .start: running = try parts.act.start(monitor, manifest)
            case .notify: running = try parts.act.notify(monitor, manifest.name)
            }
        } catch {
            await fail(monitor, error.message)
            return
        }
        acting[owner] = monitor
        // Not waited for here: the client runs as long as it wants.
        Task {
            let status = await running.exitStatus()
            await ended(monitor, owner, status)
        }
    }

    private func ended(_ monitor: MonitorRegistration, _ owner: MonitorOwner, _ status: Int32) async {
        if !book.monitors.contains(monitor) {
            // Removed while its client ran.
        } else if status == 0 {
            backOffs[monitor.identifier, default: MonitorBackOff()].succeeded(at: .now)
        } else {
            backOffs[monitor.identifier, default: MonitorBackOff()].failed(at: .now)
        }
        switch monitor.action {
        case .start: await write(monitor, .exited(status: status))
        case .notify where status != 0:
            await write(monitor, .failed(reason: "notify-send ended with status \(status)."))
        case .notify: break
        }
        acting[owner] = nil
        evaluate(owner)
    }

    /// The monitors that may listen now; what has changed about the others is written down.
    func allowedMonitors(
        of owner: MonitorOwner
    ) async -> (monitors: [MonitorRegistration], requester: Requester?) {
        let subject = await subject(of: owner)
        var allowed: [MonitorRegistration] = []
        for monitor in book.monitors(of: owner) {
            var permission = MonitorPermission.paused(.missingUsageDescription)
            if let subject { permission = await parts.gate.permission(of: monitor, for: subject.requester) }
            switch permission {
            case .allowed:
                if pauses.removeValue(forKey: monitor.identifier) != nil { await write(monitor, .resumed) }
                allowed.append(monitor)
            case .paused(let reason):
                guard pauses.updateValue(reason, forKey: monitor.identifier) != reason else { continue }
                await write(monitor, .paused(reason))
            case .ended(let reason):
                // It ends first: a log that cannot be written must not keep it.
                forget(monitor)
                await write(monitor, .removed(reason))
            }
        }
        return (allowed, subject?.requester)
    }

    func forget(_ monitor: MonitorRegistration) {
        book.remove(monitor.identifier)
        pauses[monitor.identifier] = nil
        backOffs[monitor.identifier] = nil
    }

    /// The client as its manifest and its program are on disk now, and this service in its place.
    func subject(of owner: MonitorOwner) async -> (manifest: Manifest, requester: Requester)? {
        await parts.clients.registered(owner.client, user: owner.user)
    }
}
