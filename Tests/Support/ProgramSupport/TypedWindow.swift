import Foundation
import Glibc
import TestSupport

/// A window of a real terminal program that has the keyboard, on a virtual screen; typed input comes
/// out line by line.
public final class TypedWindow: Sendable {
    public enum Screen: Sendable, CaseIterable {
        /// Xvfb, with xterm.
        case x11
        /// sway without a screen, with foot.
        case wayland
    }

    /// To find the screen by.
    public let environment: [String: String]
    /// A line for each that was typed.
    public let typed: RunningProgram
    private let programs: [RunningProgram]
    private let path: String

    /// - Parameter layout: of the keyboard, as XKB names it.
    public init(_ screen: Screen, layout: String) async throws {
        path = NSTemporaryDirectory() + "voicegate-window-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let own = ["PATH": "/usr/bin:/bin", "HOME": path, "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": path]
        let pipe = path + "/typed"
        guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.EIO) }
        // Sway does not run as root; then it runs as a user that has nothing.
        let isRoot = geteuid() == 0 && screen == .wayland
        if isRoot { for name in [path, pipe] where chown(name, 65_534, 65_534) != 0 { throw POSIXError(.EPERM) } }
        typed = try RunningProgram(
            ["/bin/sh", "-c", "exec 4<>'\(pipe)'; echo listening; exec cat <&4"], environment: own)
        try await typed.line { $0 == "listening" }
        let window = "stty -echo; echo window > '\(pipe)'; exec cat > '\(pipe)'"
        switch screen {
        case .x11:
            let x11 = try await VirtualScreen(environment: own)
            environment = x11.variables
            let shown = own.merging(environment) { $1 }
            let keyboard = try RunningProgram(["/usr/bin/setxkbmap", "-layout", layout], environment: shown)
            guard await keyboard.end() == 0 else { throw RunningProgram.Ended(output: [], errors: keyboard.errorText) }
            programs = [
                x11.server,
                try RunningProgram(
                    ["/usr/bin/xterm", "-u8", "-geometry", "100x36+0+0", "-e", "/bin/sh", "-c", window],
                    environment: shown),
            ]
        case .wayland:
            let script = path + "/window"
            try "#!/bin/sh\n\(window)\n".write(toFile: script, atomically: true, encoding: .utf8)
            guard chmod(script, 0o755) == 0 else { throw POSIXError(.EPERM) }
            let configuration = path + "/sway"
            try "input * xkb_layout \(layout)\nexec foot '\(script)'\n".write(
                toFile: configuration, atomically: true, encoding: .utf8)
            guard chmod(configuration, 0o644) == 0 else { throw POSIXError(.EPERM) }
            let nobody = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            programs = [
                try RunningProgram(
                    (isRoot ? nobody : []) + ["/usr/bin/sway", "-c", configuration],
                    environment: own.merging([
                        "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
                    ]) { $1 })
            ]
            environment = ["WAYLAND_DISPLAY": path + "/wayland-1"]
        }
        try await typed.line { $0 == "window" }
    }

    deinit {
        // By SIGKILL: the files that they would remove are removed here.
        for program in programs { program.signal(SIGKILL) }
        try? FileManager.default.removeItem(atPath: path)
    }
}
