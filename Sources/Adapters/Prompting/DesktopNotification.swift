import LinuxSystem

/// Notifications by notify-send(1).
public struct DesktopNotification: Sendable {
    private let environment: [String: String]

    /// - Parameter environment: with the user's session bus, if there is one.
    public init(environment: [String: String]) { self.environment = environment }

    /// - Parameter passed: the tool's environment; default: all of it.
    /// - Throws: if notify-send is not installed, or there is no desktop.
    public func show(
        _ summary: String, _ body: String, environment passed: [String: String]? = nil, folder: String = "/"
    ) throws(ProcessError) -> ProgramLaunch.Running {
        guard let program = ProgramEnvironment.find("notify-send", in: environment["PATH"] ?? "/usr/bin:/bin") else {
            throw ProcessError(
                code: .failed, message: "There is no notify-send. Install the package libnotify-bin.")
        }
        guard ProgramEnvironment.hasSessionBus(environment) else {
            throw ProcessError(
                code: .failed, message: "There is no session bus, so no notification can be shown. Log in at a desktop."
            )
        }
        // A name may begin with a hyphen. A body is markup (Desktop Notifications Specification), a summary is not; the
        // tool reads backslashes in a body as C does (g_strcompress).
        let markup = body.replacing("\\", with: "\\\\").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
        return try ProgramLaunch.start(
            [program, "--app-name=VoiceGate", "--icon=audio-input-microphone", "--", summary, markup],
            environment: passed ?? environment, folder: folder)
    }
}
