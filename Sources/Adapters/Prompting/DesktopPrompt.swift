import Authorization
import Base
import Foundation
import SystemBus

/// Shows a notice as a desktop notification with a button for each answer (org.freedesktop.Notifications).
///
/// A notification that is closed or expires, and a notification server that exits, mean no answer.
public struct DesktopPrompt: Agent {
    private let server: NotificationServer?
    private let settleTime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - environment: with `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` of the user's session.
    ///   - settleTime: a button that is pressed sooner is ignored, and the notification is shown again.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, settleTime: Duration = .milliseconds(500),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        server = NotificationServer(environment: environment)
        self.settleTime = settleTime
        self.now = now
    }

    /// Whether prompts can be shown.
    ///
    /// - Throws: `noDesktop` with the reason.
    public func check() async throws { _ = try await usableServer() }

    public func canAsk(_ prompt: Prompt) async -> Bool { (try? await check()) != nil }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        try await ask(DisplayedNotice(prompt), offersFidelity: prompt.offersFidelity)
    }

    /// Waits for the answer. Cancelling the task closes the notification.
    ///
    /// - Throws: `noDesktop`, `noAnswer`
    public func ask(_ notice: DisplayedNotice, offersFidelity: Bool = false) async throws -> AgentReply {
        let (server, isMarkup) = try await usableServer()
        let text = NotificationText(notice, isMarkup: isMarkup)
        let buttons = NotificationButton.buttons(for: notice, offersFidelity: offersFidelity)
        var page = 0
        while true {
            let shown = now()
            let outcome = try await ask(
                server, Self.notification(text, page, buttons, notice.language.wording))
            if outcome == .pressed(Self.everything), text.pages.count > 1 {
                page = (page + 1) % text.pages.count
                continue
            }
            guard let button = buttons.first(where: { outcome == .pressed($0.word) }) else {
                throw PromptingError(
                    code: .noAnswer, message: "The notification was closed without an answer. Ask again.")
            }
            // A click that was meant for another window shows the question again.
            if shown.duration(to: now()) >= settleTime { return button.reply }
        }
    }

    private func ask(
        _ server: NotificationServer, _ notification: DesktopNotification
    ) async throws -> NotificationServer.Outcome {
        do {
            return try await server.ask(notification)
        } catch let error as BusError {
            try Task.checkCancellation()
            throw Self.noDesktop("The desktop could not show the prompt: \(error) Check its notification server.")
        }
    }

    /// The key of the button for the next page.
    private static let everything = "everything"

    static func notification(
        _ text: NotificationText, _ page: Int, _ buttons: [NotificationButton], _ wording: Wording
    ) -> DesktopNotification {
        var notification = DesktopNotification(summary: text.summary, body: text.pages[page])
        notification.isCritical = true
        notification.buttons = buttons.map { DesktopNotification.Button(key: $0.word, label: $0.label) }
        if text.pages.count > 1 {
            notification.buttons.append(
                DesktopNotification.Button(key: everything, label: wording(.everything)))
        }
        return notification
    }

    private func usableServer() async throws -> (NotificationServer, isMarkup: Bool) {
        guard let server else {
            throw Self.noDesktop(
                "There is no desktop session to show a notification in. Run voicegate agent in a terminal.")
        }
        let capabilities: [String]
        do throws(BusError) {
            capabilities = try await server.capabilities()
        } catch {
            throw Self.noDesktop(
                "No notification server runs on the session bus. Start one (such as dunst or mako), or run "
                    + "voicegate agent in a terminal.")
        }
        guard capabilities.contains("actions") else {
            throw Self.noDesktop(
                "The desktop's notification server shows no buttons, so prompts cannot be answered there. "
                    + "Run voicegate agent in a terminal instead.")
        }
        return (server, capabilities.contains("body-markup"))
    }

    private static func noDesktop(_ message: String) -> PromptingError {
        PromptingError(code: .noDesktop, message: message)
    }
}

/// A button of a notification and its answer.
struct NotificationButton: Sendable, Hashable {
    let reply: AgentReply
    let label: String

    /// The button's key.
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
                    label: "\(label) – \(wording.fidelity(.reduced))"),
            ]
        }
    }
}

/// A notice as a desktop notification: a summary and the lines of a body.
///
/// A client cannot change the layout: the title and the program come first, because servers cut a body at its end. Each line of
/// another text begins with a bar and is short enough for a server not to break it, without characters that are not shown, and
/// escaped as markup (Desktop Notifications Specification, "Markup"). Further lines of a text are indented.
struct NotificationText {
    /// Columns of a text and lines of a page.
    static let width = 48
    static let pageLength = 12
    /// Of the reason on the first page, so that what the client declares is not cut behind it.
    static let mostReasonLines = 2
    /// Servers that draw a body as HTML join plain spaces.
    static let indentation = "\u{A0}\u{A0}"

    let summary: String
    /// The first has the beginning of each text; if that is not all of it, the others have all of the notice.
    let pages: [String]

    /// - Parameter isMarkup: whether the server interprets the body as markup.
    init(_ notice: DisplayedNotice, isMarkup: Bool) {
        func shown(_ text: String) -> String { isMarkup ? DesktopNotification.escaped(text) : text }
        // The summary is never markup.
        summary = DisplayText.cleaned(notice.title, limit: 300)
        func lines(_ field: DisplayedNotice.Field) -> [String] {
            let name = DisplayText.cleaned(field.name, limit: 40) + ": "
            let width = max(Self.width - TerminalColumns.count(name), 8)
            var lines = LineBreaking.lines(DisplayText.cleaned(field.text), width: width)
            lines[0] = name + lines[0]
            return lines
        }
        func indented(_ lines: [String]) -> [String] { OutsideText.indented(lines, by: Self.indentation) }
        let program = indented(PromptText.ends(of: notice.program.map(lines) ?? [])).enumerated().map {
            ($0.offset == 0 ? "" : PromptText.bar) + shown($0.element)
        }
        let fields = notice.fields.map { indented(lines($0)) }
        func body(_ lines: [String]) -> String {
            (program + lines.map { PromptText.bar + shown($0) }).joined(separator: "\n")
        }
        let first = zip(notice.fields, fields).flatMap { field, lines -> [String] in
            let limit = field.name == notice.language.wording(.reason) ? Self.mostReasonLines : PromptText.mostLines
            guard lines.count > limit else { return lines }
            let more = notice.language.wording.more(count: lines.count - limit + 1)
            return Array(lines.prefix(limit - 1)) + [Self.indentation + more]
        }
        let all = fields.flatMap { $0 }
        let rest =
            first == all
            ? []
            : stride(from: 0, to: all.count, by: Self.pageLength).map {
                Array(all[$0..<min($0 + Self.pageLength, all.count)])
            }
        pages = ([first] + rest).map(body)
    }
}
