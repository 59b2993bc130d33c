import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Prompting

/// The two tools are replaced by scripts that record how they were called: a server without buttons, and one that fails,
/// cannot be had from a real one. A real server is asked in the integration tests.
@Suite("Prompts on the desktop", .timeLimit(.minutes(1)))
struct DesktopPromptTests {
    private let folder: TemporaryFolder
    private let clock = SettableClock()

    init() throws { folder = try TemporaryFolder() }

    private func tool(_ name: String, _ script: String) throws -> String {
        let path = try folder.write("#!/bin/sh\n\(script)\n", to: name)
        #expect(chmod(path, 0o700) == 0)
        return path
    }

    private func prompt(
        capabilities: String = "(['actions', 'body', 'body-markup'],)", sender: String, bus: String? = "unix:path=/x"
    ) throws -> DesktopPrompt {
        clock.stepAtEachReading = .seconds(1)
        let clock = clock
        return DesktopPrompt(
            environment: bus.map { ["DBUS_SESSION_BUS_ADDRESS": $0] } ?? [:],
            sender: try tool("send", "printf '%s\\n' \"$@\" >> '\(folder.path)/argv'\n\(sender)"),
            caller: try tool("call-\(capabilities.count)", "echo \"\(capabilities)\""), now: { clock.now() })
    }

    private var argv: [String] {
        let text = (try? String(contentsOfFile: folder.path + "/argv", encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func ask(_ desktop: DesktopPrompt, _ prompt: Prompt) async throws -> AgentReply {
        try await desktop.ask(prompt)
    }

    @Test("a button for each answer, the notice with its four items, and the answer of the button pressed")
    func buttons() async throws {
        let reply = try await ask(prompt(sender: "echo once"), .example())
        #expect(reply == AgentReply(answer: .once, indication: .desktop))
        #expect(
            argv == [
                "--app-name=VoiceGate", "--urgency=critical", "--expire-time=0", "--icon=audio-input-microphone",
                "--wait", "--action=whileInUse=While using", "--action=once=Once", "--action=deny=Don't allow",
                "--action=later=Later", "--", "“Notes” would like to use the microphone.",
                "Program: /usr/bin/notes (from no package)", "│ Reason: “Listens while you hold the key.”",
                "│ Collected: live audio, the recognised text",
                "│ Purpose: Writing notes.", "│ Kept: nothing is kept", "│ Shared: with nobody", "",
            ])
    }

    @Test("if the client's phrases can be chosen, each grant has a button for them")
    func fidelity() async throws {
        let prompt = try prompt(sender: "echo whileInUse-reduced")
        let reply = try await ask(prompt, .example(resource: .speechRecognition, phrases: ["lights on"]))
        #expect(reply == AgentReply(answer: .whileInUse, fidelity: .reduced, indication: .desktop))
        #expect(argv.contains("--action=once-reduced=Once – only its phrases"))
        #expect(!argv.contains { $0.hasPrefix("--action=deny-") })
    }

    @Test("closing it and an unknown word are not an answer", arguments: ["true", "echo always", "echo 0"])
    func closed(sender: String) async throws {
        let desktop = try prompt(sender: sender)
        #expect(await failure(PromptingError.self) { try await ask(desktop, .example()) }?.code == .noAnswer)
    }

    @Test("a click right after the prompt does not count: the question is shown again")
    func clickThrough() async throws {
        let desktop = try prompt(
            sender:
                "[ -e '\(folder.path)/again' ] && { echo deny; exit; }; touch '\(folder.path)/again'; echo whileInUse")
        clock.stepAtEachReading = .milliseconds(400)
        let task = Task { try await ask(desktop, .example()) }
        // Each showing takes 400 ms by this clock, too short for either; the third takes longer.
        while argv.count(where: { $0 == "--wait" }) < 3 { await Task.yield() }
        clock.stepAtEachReading = .seconds(1)
        #expect(try await task.value.answer == .deny)
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
        let arguments = DesktopPrompt.arguments(markup, 0, [], Language.english.wording)
        #expect(arguments.suffix(3).first == "--")
        // The tool turns two backslashes into one, and would make a line end of one and an n.
        #expect(arguments.last?.contains(#"a\\nKept"#) == true)
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
        let desktop = try prompt(
            sender:
                "[ $(grep -c -- --wait '\(folder.path)/argv') -gt \(count) ] && { echo deny; exit; }; echo everything")
        #expect(try await desktop.ask(notice).answer == .deny)
        #expect(argv.count { $0 == "--wait" } == count + 1)
        #expect(argv.count { $0 == "--action=everything=Everything" } == count + 1)
        #expect(argv.count { $0 == "Program: /usr/bin/a" } == count + 1)
        let shown = argv.filter { $0.hasPrefix("│ ") }
            .map { String($0.dropFirst(2)).replacing(NotificationText.indentation, with: "") }.joined(separator: " ")
        for name in names { #expect(shown.contains(name)) }
        #expect(argv.contains { $0.hasPrefix("│ \(NotificationText.indentation)… ") && $0.hasSuffix(" more") })
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

    @Test("without a session, a server, its buttons or the tools, nothing is shown and the reason is reported")
    func unusable() async throws {
        var broken: [DesktopPrompt] = [
            try prompt(capabilities: "(['body'],)", sender: "echo once"), try prompt(sender: "echo once", bus: nil),
        ]
        broken.append(
            DesktopPrompt(
                environment: ["DBUS_SESSION_BUS_ADDRESS": "x"], sender: "/bin/true", caller: "/nowhere/gdbus"))
        broken.append(
            DesktopPrompt(environment: ["DBUS_SESSION_BUS_ADDRESS": "x"], sender: "/bin/true", caller: "/bin/false"))
        for desktop in broken {
            #expect(await failure(PromptingError.self) { try await desktop.check() }?.code == .noDesktop)
            let agent = desktop
            #expect(try await !agent.canAsk(.example()))
        }
        #expect(argv == [""] || argv.isEmpty)
    }
}
