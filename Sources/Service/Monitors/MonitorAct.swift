import Authorization
import Base
import LinuxSystem
import Prompting
import Server
import SocketAPI

/// What a triggered monitor does outside of the service: starts its client, or notifies the user.
package struct MonitorAct: Sendable {
    private let socket: String
    private let environment: [String: String]
    private let desktop: DesktopNotices

    private static let passed = [
        "HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "LC_ALL", "TZ", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
        "XDG_STATE_HOME", "XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    ]

    /// - Parameter environment: the service's own; a client gets only what a program of the user's desktop needs.
    package init(socket: String, environment: [String: String]) {
        (self.socket, self.environment) = (socket, environment)
        desktop = DesktopNotices(environment: environment)
    }

    /// - Throws: `RouteError` if the client's command can never be started.
    func check(_ manifest: Manifest) throws(RouteError) {
        let command = command(of: manifest)
        guard let program = command.first, program.hasPrefix("/") else {
            throw RouteError(
                .invalidValue,
                "The launch command of \(manifest.identifier) does not begin with the absolute path of a program. Correct "
                    + "VoiceGateLaunchCommand in its manifest.")
        }
        do {
            _ = try PlannedProgram(command, searchPath: passedOn["PATH"], folder: home)
        } catch {
            throw RouteError(
                .invalidValue,
                "\(manifest.identifier) cannot be started: \(error.message) Correct VoiceGateLaunchCommand in its manifest, "
                    + "or install the program.")
        }
    }

    func start(_ launch: MonitorLaunch, _ manifest: Manifest) throws(ProcessError) -> ProgramLaunch.Running {
        var environment = passedOn.merging(launch.environment) { _, own in own }
        environment[MonitorLaunch.Variable.socket.rawValue] = socket
        return try ProgramLaunch.start(command(of: manifest), environment: environment, folder: home)
    }

    /// Returns when the notification is shown.
    func notify(_ monitor: MonitorRegistration, _ name: String) async throws(ProcessError) {
        let name = DisplayText.cleaned(name, limit: 60)
        let cause = monitor.kind.phrase.map { "“\(DisplayText.cleaned($0, limit: 100))” was said" } ?? "A sound began"
        try await desktop.show("“\(name)” waits for you", "\(cause). To go on, start \(name).")
    }

    private func command(of manifest: Manifest) -> [String] {
        manifest.launchCommand.isEmpty ? [manifest.executablePath] : manifest.launchCommand
    }

    private var passedOn: [String: String] {
        var passed = environment.filter { Self.passed.contains($0.key) }
        if passed["PATH"] == nil { passed["PATH"] = "/usr/local/bin:/usr/bin:/bin" }
        return passed
    }

    private var home: String { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/" }
}
