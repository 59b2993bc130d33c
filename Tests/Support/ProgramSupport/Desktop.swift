import Foundation
import Glibc
import TestSupport

/// A separate desktop: a session bus, an X server without a screen, and a real notification server (dunst).
public final class Desktop: Sendable {
    public let environment: [String: String]
    private let folder: TemporaryFolder
    private let programs: [RunningProgram]
    /// A line for each notification that is displayed: its summary and body.
    public let shown: RunningProgram

    public init() async throws {
        folder = try TemporaryFolder()
        let path = folder.path
        let own = ["PATH": "/usr/bin:/bin", "HOME": path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)/bus"]
        let bus = try RunningProgram(
            [
                "/usr/bin/dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=unix:path=\(path)/bus",
            ], environment: own)
        try await bus.line { $0.hasPrefix("unix:") }
        let screen = try await VirtualScreen(environment: own)
        environment = own.merging(screen.variables) { _, new in new }

        // dunst has a notification's buttons chosen by a menu; this one takes what the test wrote down.
        let choose = try folder.write("#!/bin/sh\ngrep -m1 -F -f '\(path)/choice'\n", to: "choose")
        let tell = try folder.write(
            "#!/bin/sh\nprintf '%s | %s\\n' \"$DUNST_SUMMARY\" \"$DUNST_BODY\" > '\(path)/shown'\n", to: "tell")
        for script in [choose, tell] where chmod(script, 0o700) != 0 { throw POSIXError(.EPERM) }
        guard mkfifo(path + "/shown", 0o600) == 0 else { throw POSIXError(.EIO) }
        let settings = try folder.write(
            "[global]\ndmenu = \(choose)\nbrowser = /bin/true\n[all]\nsummary = *\nscript = \(tell)\n", to: "dunstrc")
        shown = try RunningProgram(
            ["/bin/sh", "-c", "exec 4<>'\(path)/shown'; echo ready; exec cat <&4"], environment: own)
        try await shown.line { $0 == "ready" }
        let server = try RunningProgram(["/usr/bin/dunst", "-config", settings], environment: environment)
        programs = [bus, screen.server, server]
        try await run("gdbus", "wait", "--session", "--timeout", "30", "org.freedesktop.Notifications")
    }

    /// Presses the button of the notification that is shown.
    public func press(_ label: String) async throws {
        try folder.write("#\(label) (\n", to: "choice")
        try await run("dunstctl", "action", "0")
    }

    /// Closes the notification without pressing any button.
    public func close() async throws { try await run("dunstctl", "close") }

    /// Notifications that are shown now.
    public func count() async throws -> Int {
        try await Int(run("dunstctl", "count", "displayed").joined()) ?? -1
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> [String] {
        let program = try RunningProgram(["/usr/bin/" + arguments[0]] + arguments.dropFirst(), environment: environment)
        guard await program.end() == 0 else {
            throw RunningProgram.Ended(output: program.lines, errors: program.errorText)
        }
        return program.lines
    }
}
