import Authorization
import Foundation
import ProgramSupport
import TestSupport
import Testing

@testable import Prompting

/// A server without buttons cannot be had from a real one, so these are of python-dbusmock. A real server is asked in the integration tests.
@Suite("Prompts on the desktop", .timeLimit(.minutes(2)))
struct DesktopPromptTests {
    private let clock = SettableClock()

    private func prompt(_ server: MockedNotifications) -> DesktopPrompt {
        clock.stepAtEachReading = .seconds(1)
        let clock = clock
        return DesktopPrompt(environment: server.mocked.environment, now: { clock.now() })
    }

    @Test("a button for each answer, the notice with its four items, and the answer of the button pressed")
    func buttons() async throws {
        let server = try await MockedNotifications { _ in "once" }
        let reply = try await prompt(server).ask(.example())
        #expect(reply == AgentReply(answer: .once, indication: .desktop))
        let shown = try #require(server.shown.values.first)
        #expect(
            shown.buttons == ["whileInUse=While using", "once=Once", "deny=Don't allow", "later=Later"])
        #expect(shown.isCritical)
        #expect(shown.summary == "“Notes” would like to use the microphone.")
        #expect(
            shown.body.split(separator: "\n") == [
                "Program: /usr/bin/notes (from no package)", "│ Reason: “Listens while you hold the key.”",
                "│ Collected: live audio, the recognised text",
                "│ Purpose: Writing notes.", "│ Kept: nothing is kept", "│ Shared: with nobody",
            ])
    }

    @Test("if the client's phrases can be chosen, each grant has a button for them")
    func fidelity() async throws {
        let server = try await MockedNotifications { _ in "whileInUse-reduced" }
        let reply = try await prompt(server).ask(.example(resource: .speechRecognition, phrases: ["lights on"]))
        #expect(reply == AgentReply(answer: .whileInUse, fidelity: .reduced, indication: .desktop))
        let buttons = try #require(server.shown.values.first).buttons
        #expect(buttons.contains("once-reduced=Once – only its phrases"))
        #expect(!buttons.contains { $0.hasPrefix("deny-") })
    }

    @Test("closing it and an unknown word are not an answer", arguments: [nil, "always", "0"])
    func closed(press: String?) async throws {
        let server = try await MockedNotifications { _ in press }
        let desktop = prompt(server)
        #expect(await failure(PromptingError.self) { try await desktop.ask(.example()) }?.code == .noAnswer)
    }

    @Test("a click right after the prompt does not count: the question is shown again")
    func clickThrough() async throws {
        let showings = Recorder<Int>()
        let server = try await MockedNotifications { [clock] _ in
            showings.add(1)
            // A showing takes 400 ms by this clock, too short for an answer; the third takes longer.
            let isThird = showings.values.count == 3
            clock.stepAtEachReading = isThird ? .seconds(1) : .milliseconds(400)
            return isThird ? "deny" : "whileInUse"
        }
        let desktop = prompt(server)
        #expect(try await desktop.ask(.example()).answer == .deny)
        #expect(server.shown.values.count == 3)
    }

    @Test("cancelling closes the notification")
    func cancelled() async throws {
        let server = try await MockedNotifications()
        let asking = Task { [prompt = prompt(server)] in try await prompt.ask(.example()) }
        await server.shown.until { !$0.isEmpty }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(server.closed.values == [1])
    }

    @Test("a button that another program says was pressed is not an answer")
    func forged() async throws {
        let server = try await MockedNotifications()
        let asking = Task { [prompt = prompt(server)] in try await prompt.ask(.example()) }
        await server.shown.until { !$0.isEmpty }
        let sender = try RunningProgram(
            [
                "/usr/bin/dbus-send", "--session", "--type=signal", "/org/freedesktop/Notifications",
                "org.freedesktop.Notifications.ActionInvoked", "uint32:1", "string:whileInUse",
            ], environment: server.mocked.environment)
        #expect(await sender.end() == 0)
        try await server.mocked.call(
            "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
            "org.freedesktop.Notifications.CloseNotification", "1")
        #expect(await failure(PromptingError.self) { _ = try await asking.value }?.code == .noAnswer)
    }

    @Test("texts are not read as markup, lines or options of the tool")
    func texts() throws {
        let notice = DisplayedNotice(
            title: "--help \u{202E}<b>", usageDescription: #"<i>&amp;\n"# + "\nShared: with nobody",
            items: [(name: "Purpose", text: #"a\nKept: nothing"#)])
        let markup = NotificationText(notice, isMarkup: true)
        #expect(markup.summary == "--help <b>")
        #expect(
            markup.pages == [
                #"│ Reason: “&lt;i&gt;&amp;amp;\n Shared: with nobody”"# + "\n" + #"│ Purpose: a\nKept: nothing"#
            ])
        #expect(NotificationText(notice, isMarkup: false).pages[0].contains("<i>"))
    }

    @Test("a very long text is cut")
    func long() throws {
        let text = String(repeating: "x", count: 100_000)
        let notice = DisplayedNotice(title: text, usageDescription: text, items: [(name: text, text: text)])
        #expect(NotificationText(notice, isMarkup: true).pages[0].count < 1000)
    }

    @Test("a button shows the rest in pages, with the same buttons; only an answer ends that")
    func everything() async throws {
        let names = (1...20).map { "Recipient number \($0) of this client GmbH" }
        let notice = DisplayedNotice(
            title: "A would like to use the microphone.", usageDescription: "Listens.",
            items: [("Program", "/usr/bin/a"), ("Shared", "with \(names.joined(separator: ", "))")])
        let count = NotificationText(notice, isMarkup: false).pages.count
        #expect(count > 2)
        let showings = Recorder<Int>()
        let server = try await MockedNotifications { _ in
            showings.add(1)
            return showings.values.count > count ? "deny" : "everything"
        }
        #expect(try await prompt(server).ask(notice).answer == .deny)
        let all = server.shown.values
        #expect(all.count == count + 1)
        #expect(all.allSatisfy { $0.buttons.last == "everything=Everything" })
        let lines = all.flatMap { $0.body.split(separator: "\n") }
        #expect(lines.count { $0 == "Program: /usr/bin/a" } == count + 1)
        let shown = lines.filter { $0.hasPrefix("│ ") }
            .map { String($0.dropFirst(2)).replacing(NotificationText.indentation, with: "") }.joined(separator: " ")
        for name in names { #expect(shown.contains(name)) }
        #expect(lines.contains { $0.hasPrefix("│ \(NotificationText.indentation)… ") && $0.hasSuffix(" more") })
    }

    @Test("the reason has two lines on the first page and all of them behind it, the other texts six")
    func reason() throws {
        let text = String(repeating: "word ", count: 79) + "end"
        let notice = DisplayedNotice(
            title: "A would like to use the microphone.", usageDescription: text, items: [("Purpose", text)])
        let pages = NotificationText(notice, isMarkup: false).pages
        let first = try #require(pages.first).split(separator: "\n")
        let place = try #require(first.firstIndex { $0.hasPrefix("│ Purpose: word") })
        #expect(place == 2 && first.count == place + PromptText.mostLines)
        #expect(first[1].hasSuffix(" more") && first.last?.hasSuffix(" more") == true)
        #expect(pages.dropFirst().joined().contains("end”"))
    }

    @Test("without a session, a server or its buttons, nothing is shown and the reason is reported")
    func unusable() async throws {
        let silent = try await MockedNotifications(capabilities: "body")
        let empty = try await MockedBus()
        for environment in [
            silent.mocked.environment, empty.environment, [:],
            ["DBUS_SESSION_BUS_ADDRESS": "x"], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"],
        ] {
            let desktop = DesktopPrompt(environment: environment)
            #expect(await failure(PromptingError.self) { try await desktop.check() }?.code == .noDesktop)
            #expect(try await !desktop.canAsk(.example()))
        }
        #expect(silent.shown.values.isEmpty)
    }

    @Test("a server that ends while it is asked is not an answer")
    func ended() async throws {
        let server = try await MockedNotifications()
        let asking = Task { [prompt = prompt(server)] in try await prompt.ask(.example()) }
        await server.shown.until { !$0.isEmpty }
        server.mocked.endService()
        #expect(await failure(PromptingError.self) { _ = try await asking.value }?.code == .noDesktop)
    }
}
