import Authorization
import Foundation
import Glibc
import LinuxSystem

/// Shows a notice as a notification of the desktop, with a button for each answer (org.freedesktop.Notifications).
///
/// Closing the notification, its end by itself, and a notification server that goes away mean no answer.
public struct DesktopPrompt: Sendable {
    /// notify-send of libnotify 0.8 waits for the button and closes the notification when it gets SIGINT.
    private let sender: Tool
    private let caller: Tool
    private let hasBus: Bool
    private let settleTime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - environment: with `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` of the person's session.
    ///   - settleTime: a button that is pressed sooner does not count; the notification is shown again.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, settleTime: Duration = .milliseconds(500),
        sender: String = "/usr/bin/notify-send", caller: String = "/usr/bin/gdbus",
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.sender = Tool(path: sender, environment: environment, ending: SIGINT)
        self.caller = Tool(path: caller, environment: environment)
        hasBus =
            environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false
            || environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
        self.settleTime = settleTime
        self.now = now
    }

    /// Whether prompts can be shown.
    ///
    /// - Throws: `noDesktop`, with what is missing.
    public func check() async throws { _ = try await isMarkup() }

    /// Waits for the person. Cancelling the task takes the notification away.
    ///
    /// - Throws: `noDesktop`, `noAnswer`
    public func ask(_ notice: DisplayedNotice, offersFidelity: Bool = false) async throws -> PromptReply {
        let text = NotificationText(notice, isMarkup: try await isMarkup())
        let buttons = NotificationButton.buttons(for: notice, offersFidelity: offersFidelity)
        while true {
            let shown = now()
            let run = try await run(sender, Self.arguments(text, buttons))
            try Task.checkCancellation()
            guard run.status == 0 else {
                throw PromptingError(
                    code: .noDesktop,
                    message: "The desktop could not show the prompt. Is its notification server there?")
            }
            let word = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let button = buttons.first(where: { $0.word == word }) else {
                throw PromptingError(
                    code: .noAnswer, message: "The notification was closed without an answer. Ask again.")
            }
            // A click that was meant for what lay there before opens the question anew.
            if shown.duration(to: now()) >= settleTime { return button.reply }
        }
    }

    static func arguments(_ text: NotificationText, _ buttons: [NotificationButton]) -> [String] {
        ["--app-name=VoiceGate", "--urgency=critical", "--expire-time=0", "--icon=audio-input-microphone", "--wait"]
            + buttons.map { "--action=\($0.word)=\($0.label)" }
            // The tool reads backslashes in a body as C does (g_strcompress); a text must not make lines that way.
            + ["--", text.summary, text.body.replacingOccurrences(of: "\\", with: "\\\\")]
    }

    private func isMarkup() async throws -> Bool {
        // The tools would start a bus of their own, where nobody looks.
        guard hasBus else {
            throw PromptingError(
                code: .noDesktop,
                message:
                    "This is no desktop session, so no notification can be shown. Run voicegate agent in a terminal.")
        }
        let run = try await run(
            caller,
            [
                "call", "--session", "--timeout", "10", "--dest", "org.freedesktop.Notifications", "--object-path",
                "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.GetCapabilities",
            ])
        guard run.status == 0 else {
            throw PromptingError(
                code: .noDesktop,
                message:
                    "No notification server answers on the session's bus. Start one (such as dunst or mako), or run "
                    + "voicegate agent in a terminal.")
        }
        guard run.output.contains("'actions'") else {
            throw PromptingError(
                code: .noDesktop,
                message: "This desktop's notification server shows no buttons, so prompts could not be answered there. "
                    + "Run voicegate agent in a terminal instead.")
        }
        return run.output.contains("'body-markup'")
    }

    private func run(_ tool: Tool, _ arguments: [String]) async throws -> ToolRun {
        do {
            return try await tool.run(arguments)
        } catch let error as ToolError {
            throw PromptingError(
                code: .noDesktop,
                message: "\(error) Install libnotify-bin and libglib2.0-bin for prompts on the desktop.")
        }
    }
}
