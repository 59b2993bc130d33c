import Authorization
import LinuxSystem

/// What a triggered monitor does: starts its client, or notifies the user.
struct MonitorAct: Sendable {
    let socket: String
    /// The service's own; a client gets only what a program of the user's desktop needs.
    let environment: [String: String]

    private static let passed = [
        "HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "LC_ALL", "TZ", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
        "XDG_STATE_HOME", "XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    ]

    func start(_ monitor: MonitorRegistration, _ manifest: Manifest) throws(ProcessError) -> ProgramLaunch.Running {
        var environment = passedOn
        environment["VOICEGATE_LAUNCH_REASON"] = monitor.kind.name
        environment["VOICEGATE_MONITOR"] = monitor.identifier
        environment["VOICEGATE_PHRASE"] = monitor.kind.phrase
        environment["VOICEGATE_SOCKET"] = socket
        let command = manifest.launchCommand.isEmpty ? [manifest.executablePath] : manifest.launchCommand
        return try ProgramLaunch.start(command, environment: environment, folder: home)
    }

    func notify(_ monitor: MonitorRegistration, _ name: String) throws(ProcessError) -> ProgramLaunch.Running {
        let name = DisplayText.cleaned(name, limit: 60)
        let cause = monitor.kind.phrase.map { "“\(DisplayText.cleaned($0, limit: 100))” was said" } ?? "A sound began"
        return try DesktopNotification(environment: environment).show(
            "“\(name)” waits for you", "\(cause). To go on, start \(name).", environment: passedOn, folder: home)
    }

    private var passedOn: [String: String] {
        var passed = environment.filter { Self.passed.contains($0.key) }
        if passed["PATH"] == nil { passed["PATH"] = "/usr/local/bin:/usr/bin:/bin" }
        return passed
    }

    private var home: String { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/" }
}

extension MonitorService {
    /// Does what the monitor is for. While the started client runs, its monitors are off.
    func trigger(_ monitor: MonitorRegistration, _ owner: MonitorOwner) async {
        guard book.monitors.contains(monitor),
            let (manifest, requester) = await parts.clients.registered(owner.client, user: owner.user),
            await parts.runner.gate.permission(of: monitor, for: requester) == .allowed,
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
        // Not awaited here: the client may run for hours.
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

    /// The monitors that may listen now. Records changes of the others.
    func allowedMonitors(
        of owner: MonitorOwner
    ) async -> (monitors: [MonitorRegistration], requester: Requester?) {
        let subject = await parts.clients.registered(owner.client, user: owner.user)
        var allowed: [MonitorRegistration] = []
        for monitor in book.monitors(of: owner) {
            var permission = MonitorPermission.paused(.missingUsageDescription)
            if let subject { permission = await parts.runner.gate.permission(of: monitor, for: subject.requester) }
            switch permission {
            case .allowed:
                if pauses.removeValue(forKey: monitor.identifier) != nil { await write(monitor, .resumed) }
                allowed.append(monitor)
            case .paused(let reason):
                guard pauses.updateValue(reason, forKey: monitor.identifier) != reason else { continue }
                await write(monitor, .paused(reason))
            case .ended(let reason):
                // It ends first, even if the log cannot be written.
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
}
