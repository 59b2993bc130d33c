import Authorization
import Foundation
import Glibc
import LinuxSystem

/// Shows a notice as a desktop notification with a button for each answer (org.freedesktop.Notifications).
///
/// A notification that is closed or expires, and a notification server that exits, mean no answer.
public struct DesktopPrompt: Agent {
    /// notify-send of libnotify 0.8 waits for the button and closes the notification when it gets SIGINT.
    private let sender: Tool
    private let caller: Tool
    private let hasBus: Bool
    private let settleTime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - environment: with `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` of the user's session.
    ///   - settleTime: a button that is pressed sooner is ignored, and the notification is shown again.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, settleTime: Duration = .milliseconds(500),
        sender: String = "/usr/bin/notify-send", caller: String = "/usr/bin/gdbus",
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.sender = Tool(path: sender, environment: environment, ending: SIGINT)
        self.caller = Tool(path: caller, environment: environment)
        hasBus = ProgramEnvironment.hasSessionBus(environment)
        self.settleTime = settleTime
        self.now = now
    }

    /// Whether prompts can be shown.
    ///
    /// - Throws: `noDesktop` with the reason.
    public func check() async throws { _ = try await isMarkup() }

    public func canAsk(_ prompt: Prompt) async -> Bool { (try? await check()) != nil }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        try await ask(DisplayedNotice(prompt), offersFidelity: prompt.offersFidelity)
    }

    /// Waits for the answer. Cancelling the task closes the notification.
    ///
    /// - Throws: `noDesktop`, `noAnswer`
    public func ask(_ notice: DisplayedNotice, offersFidelity: Bool = false) async throws -> AgentReply {
        let text = NotificationText(notice, isMarkup: try await isMarkup())
        let buttons = NotificationButton.buttons(for: notice, offersFidelity: offersFidelity)
        while true {
            let shown = now()
            let run = try await run(sender, Self.arguments(text, buttons))
            try Task.checkCancellation()
            guard run.status == 0 else {
                throw Self.noDesktop(
                    "The desktop could not show the prompt. Check that its notification server runs.")
            }
            let word = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let button = buttons.first(where: { $0.word == word }) else {
                throw PromptingError(
                    code: .noAnswer, message: "The notification was closed without an answer. Ask again.")
            }
            // A click that was meant for another window shows the question again.
            if shown.duration(to: now()) >= settleTime { return button.reply }
        }
    }

    static func arguments(_ text: NotificationText, _ buttons: [NotificationButton]) -> [String] {
        ["--app-name=VoiceGate", "--urgency=critical", "--expire-time=0", "--icon=audio-input-microphone", "--wait"]
            + buttons.map { "--action=\($0.word)=\($0.label)" }
            // The tool reads C escapes in a body (g_strcompress); a text must not add lines that way.
            + ["--", text.summary, text.body.replacingOccurrences(of: "\\", with: "\\\\")]
    }

    private func isMarkup() async throws -> Bool {
        guard hasBus else {
            throw Self.noDesktop(
                "There is no desktop session to show a notification in. Run voicegate agent in a terminal.")
        }
        let run = try await run(
            caller,
            [
                "call", "--session", "--timeout", "10", "--dest", "org.freedesktop.Notifications", "--object-path",
                "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.GetCapabilities",
            ])
        guard run.status == 0 else {
            throw Self.noDesktop(
                "No notification server runs on the session bus. Start one (such as dunst or mako), or run "
                    + "voicegate agent in a terminal.")
        }
        guard run.output.contains("'actions'") else {
            throw Self.noDesktop(
                "The desktop's notification server shows no buttons, so prompts cannot be answered there. "
                    + "Run voicegate agent in a terminal instead.")
        }
        return run.output.contains("'body-markup'")
    }

    private static func noDesktop(_ message: String) -> PromptingError {
        PromptingError(code: .noDesktop, message: message)
    }

    private func run(_ tool: Tool, _ arguments: [String]) async throws -> ToolRun {
        do {
            return try await tool.run(arguments)
        } catch let error as ToolError {
            throw Self.noDesktop(
                "\(error) Install libnotify-bin and libglib2.0-bin to show prompts on the desktop.")
        }
    }
}

/// A button of a notification and its answer.
struct NotificationButton: Sendable, Hashable {
    let reply: AgentReply
    let label: String

    /// The tool's output when the button is pressed.
    var word: String { reply.fidelity == .full ? reply.answer.rawValue : "\(reply.answer.rawValue)-reduced" }

    /// - Parameter offersFidelity: adds a second button to each grant, for the client's phrases alone.
    static func buttons(for notice: DisplayedNotice, offersFidelity: Bool) -> [NotificationButton] {
        let (wording, set) = (notice.language.wording, AnswerSet(notice.answers))
        return notice.answers.flatMap { answer in
            let label = wording.name(of: answer, among: set)
            let button = NotificationButton(reply: AgentReply(answer: answer, indication: .desktop), label: label)
            guard offersFidelity, answer.isYes else { return [button] }
            return [
                button,
                NotificationButton(
                    reply: AgentReply(answer: answer, fidelity: .reduced, indication: .desktop),
                    label: "\(label) – \(wording.name(of: Fidelity.reduced))"),
            ]
        }
    }
}

/// A notice as a desktop notification: a summary and a body of lines.
///
/// A client cannot change the layout: each text is one line, bounded, without control or direction-changing characters, and
/// escaped as markup (Desktop Notifications Specification, "Markup").
struct NotificationText {
    let summary: String
    let body: String

    /// - Parameter isMarkup: whether the server interprets the body as markup.
    init(_ notice: DisplayedNotice, isMarkup: Bool) {
        func shown(_ text: String, _ limit: Int) -> String {
            let line = DisplayText.cleaned(text, limit: limit)
            return isMarkup ? Self.escaped(line) : line
        }
        // The summary is never markup.
        summary = DisplayText.cleaned(notice.title, limit: 300)
        var lines = ["“\(shown(notice.usageDescription, 400))”"]
        lines += notice.items.map { "\(shown($0.name, 40)): \(shown($0.text, 400))" }
        body = lines.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"])
    }
}

extension String {
    fileprivate func replacingOccurrences(_ replacements: [Character: String]) -> String {
        reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }
}

/// The parts of a notice that are shown; also for a notice that was received as text.
public struct DisplayedNotice: Sendable {
    public let language: Language
    public let title: String
    public let usageDescription: String
    public let items: [(name: String, text: String)]
    /// The possible answers in the order of display.
    public let answers: [Answer]

    public init(
        title: String, usageDescription: String, items: [(name: String, text: String)],
        answers: [Answer] = Question.firstUse.answers(), language: Language = .english
    ) {
        self.language = language
        self.title = title
        self.usageDescription = usageDescription
        self.items = items
        self.answers = answers
    }

    public init(_ prompt: Prompt) {
        self.init(
            title: prompt.notice.title, usageDescription: prompt.notice.usageDescription, items: prompt.items,
            answers: prompt.answers, language: prompt.notice.language)
    }

    public init(_ notice: Notice, answers: [Answer] = Question.firstUse.answers()) {
        self.init(
            title: notice.title, usageDescription: notice.usageDescription, items: notice.items, answers: answers,
            language: notice.language)
    }

    /// The same without the items that the notice before it showed too, and with a line that says so, if the two are about
    /// one program; else the whole notice.
    public func after(_ previous: DisplayedNotice) -> DisplayedNotice {
        guard language == previous.language, answers == previous.answers,
            items.first?.text == previous.items.first?.text
        else { return self }
        let others = items.filter { item in !previous.items.contains { $0 == item } }
        guard others.count < items.count else { return self }
        return DisplayedNotice(
            title: title, usageDescription: usageDescription, items: others + [("", language.wording.asAbove)],
            answers: answers, language: language)
    }

    /// The notice as in a terminal, without the answers and without colours.
    ///
    /// - Parameter width: columns.
    public func lines(width: Int) -> [String] { PromptText(width: width, environment: [:]).readingLines(of: self) }
}
