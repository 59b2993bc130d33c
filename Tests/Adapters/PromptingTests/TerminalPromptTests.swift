import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Prompting

// Serialized: one prompt at a time is shown in a process, and a test that waits for its prompt would hold up the others.
@Suite("The prompt in a terminal", .serialized, .timeLimit(.minutes(1)))
struct TerminalPromptTests {
    private static let lastLine = "[l] Later\r\n"
    private let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    private func prompt(settling: Duration = .zero, environment: [String: String] = ["TERM": "dumb"]) -> TerminalPrompt
    {
        TerminalPrompt(
            input: terminal.terminal, output: terminal.terminal, environment: environment, settleTime: settling)
    }

    private func ask(_ prompt: TerminalPrompt) throws -> Task<AgentReply, any Error> {
        let notice = try Prompt.example().notice
        return Task { try await prompt.ask(DisplayedNotice(notice)) }
    }

    /// Asks, and returns when the question is on the terminal.
    private func shown(_ prompt: TerminalPrompt? = nil) throws -> Task<AgentReply, any Error> {
        let task = try ask(prompt ?? self.prompt())
        _ = terminal.read(until: Self.lastLine)
        return task
    }

    /// A prompt that tells what it ignores.
    private func telling(settling: Duration = .zero) -> (TerminalPrompt, AsyncStream<[UInt8]>.Iterator) {
        var prompt = prompt(settling: settling)
        let (ignored, teller) = AsyncStream.makeStream(of: [UInt8].self)
        prompt.onIgnored = { teller.yield($0) }
        return (prompt, ignored.makeAsyncIterator())
    }

    private var modes: [tcflag_t] {
        var present = termios()
        tcgetattr(terminal.terminal, &present)
        return [present.c_iflag, present.c_oflag, present.c_cflag, present.c_lflag]
    }

    @Test(
        "each shown key answers, and the outcome is shown",
        arguments: zip(["w", "o", "d", "l"], [Answer.whileInUse, .once, .deny, .later]))
    func answers(key: String, answer: Answer) async throws {
        let before = modes
        let task = try ask(prompt())
        let shown = terminal.read(until: Self.lastLine)
        #expect(
            shown == """
                \r
                │ Reason     “Listens while you hold the key.”\r
                │ Collected  live audio, the recognised text\r
                │ Purpose    Writing notes.\r
                │ Kept       nothing is kept\r
                │ Shared     with nobody\r
                \r
                “Notes” would like to use the microphone.\r
                \r
                  [w] While using  [o] Once  [d] Don't allow  [l] Later\r\n
                """)
        #expect(modes != before)
        terminal.type(key)
        #expect(try await task.value.answer == answer)
        let outcome = Language.english.wording.outcome(answer)
        // The key itself is not echoed.
        #expect(terminal.read(until: "\n") == outcome + "\r\n")
        #expect(modes == before)
    }

    @Test("keys that are not shown, pasted text and function keys are ignored")
    func otherKeys() async throws {
        let (asking, ignored) = telling()
        var readings = ignored
        let task = try shown(asking)
        for keys in ["y", "W", "\n", "\u{1B}Ow", "wo", " "] {
            terminal.type(keys)
            #expect(await readings.next() == Array(keys.utf8))
        }
        terminal.type("d")
        #expect(try await task.value.answer == .deny)
        // The first one named the keys, the others rang.
        #expect(terminal.read(until: "Not allowed.") == "Press w, o, d or l.\r\n\u{7}\u{7}\u{7}\u{7}\u{7}Not allowed.")
    }

    @Test("a long paste does not answer, whatever its last piece is")
    func longPaste() async throws {
        let (asking, ignored) = telling()
        var readings = ignored
        let task = try shown(asking)
        terminal.type(String(repeating: "x", count: 64) + "w")
        #expect(await readings.next()?.count == 64)
        terminal.type("d")
        #expect(try await task.value.answer == .deny)
    }

    @Test("of two prompts about one program the second shows what is new, and another program's shows all")
    func sequence() {
        let first = DisplayedNotice(
            title: "A would like to use speech recognition.", usageDescription: "Writes.",
            items: [
                ("Program", "/usr/bin/a (package a)"), ("Kept", "nothing is kept"), ("Shared", "with nobody"),
                ("Recognised", "by B"),
            ])
        let second = DisplayedNotice(
            title: "A would like to use the microphone.", usageDescription: "Listens.",
            items: [("Program", "/usr/bin/a (package a)"), ("Kept", "30 days"), ("Shared", "with nobody")])
        let text = PromptText(width: 60, environment: [:])
        #expect(
            text.lines(of: second.after(first)) == [
                "", "│ Reason  “Listens.”", "│ Kept    30 days", "  The rest is as above.", "",
                "A would like to use the microphone.", "Program  /usr/bin/a (package a)", "",
                "  [w] While using  [o] Once  [d] Don't allow  [l] Later", "  [?] Everything",
            ])
        let equal = DisplayedNotice(title: second.title, usageDescription: "Listens.", items: first.items)
        let shown = text.lines(of: equal.after(first))
        #expect(shown.prefix(3) == ["", "│ Reason  “Listens.”", "  The rest is as above."])
        #expect(shown.contains("Program  /usr/bin/a (package a)"))
        for item in first.items {
            #expect(text.readingLines(of: equal.after(first)).contains { $0.contains(item.text) })
        }
        let other = DisplayedNotice(title: "", usageDescription: "", items: [("Program", "/b"), ("Kept", "30 days")])
        #expect(other.after(second).items.count == 2)
    }

    @Test("? shows everything in pages, then the same question again; keys in between do not answer it")
    func everything() async throws {
        let recipients = (1...20).map { "Recipient number \($0) of this client GmbH" }
        let notice = DisplayedNotice(
            title: "A would like to use the microphone.", usageDescription: "Listens.",
            items: [("Program", "/usr/bin/a (package a)"), ("Shared", "with \(recipients.joined(separator: ", "))")])
        let prompt = prompt()
        let task = Task { try await prompt.ask(notice) }
        let first = terminal.read(until: "[?] Everything\r\n")
        #expect(first.contains(" more: press ?\r\n"))
        #expect(!first.contains(recipients[19]))
        for keys in [["w"], ["w"], ["q"]] {
            terminal.type("?")
            var pages = terminal.read(until: "return to the question.\r\n")
            #expect(pages.contains("Page 1 of "))
            for key in keys {
                terminal.type(key)
                pages += terminal.read(until: "[?] Everything\r\n")
            }
            #expect(pages.contains("\r\nA would like to use the microphone.\r\nProgram  /usr/bin/a (package a)\r\n"))
            for recipient in recipients {
                let words = pages.replacing("\r\n│", with: " ").split(separator: " ")
                #expect(words.joined(separator: " ").contains(recipient))
            }
        }
        terminal.type("d")
        #expect(try await task.value.answer == .deny)
    }

    @Test("leaving, cancelling and a closed terminal end the pages, too", arguments: ["\u{03}", "\u{04}"])
    func leavingPages(key: String) async throws {
        let before = modes
        for isCancelled in [false, true] {
            let task = try shown()
            terminal.type("?")
            _ = terminal.read(until: "return to the question.\r\n")
            if isCancelled { task.cancel() } else { terminal.type(key) }
            #expect(await task.code == (key == "\u{03}" && !isCancelled ? .interrupted : .noAnswer))
            #expect(modes == before)
        }
    }

    @Test("keys typed before the prompt do not answer it")
    func typedBefore() async throws {
        // Whole lines and single keys, as a shell's terminal holds them back.
        terminal.type("w\nw")
        _ = terminal.read(until: "w\r\nw")
        let task = try shown()
        terminal.type("d")
        #expect(try await task.value.answer == .deny)
    }

    @Test("keys right after the prompt do not answer, but leaving counts")
    func clickThrough() async throws {
        let before = modes
        let (asking, ignored) = telling(settling: .seconds(3600))
        var readings = ignored
        let task = try shown(asking)
        terminal.type("w")
        #expect(await readings.next() == Array("w".utf8))
        terminal.type("\u{04}")
        #expect(await task.code == .noAnswer)
        #expect(modes == before)
    }

    @Test(
        "leaving is not an answer and restores the terminal",
        arguments: zip(["\u{03}", "\u{04}"], [PromptingError.Code.interrupted, .noAnswer]))
    func leaving(key: String, expected: PromptingError.Code) async throws {
        let before = modes
        let task = try shown()
        terminal.type(key)
        #expect(await task.code == expected)
        #expect(modes == before)
        #expect(terminal.read(until: "\n") == "No answer; nothing is allowed.\r\n")
    }

    @Test("SIGINT is not an answer, does not end the process, and restores the terminal")
    func interrupt() async throws {
        let before = modes
        let task = try shown()
        kill(getpid(), SIGINT)
        #expect(await task.code == .interrupted)
        #expect(modes == before)
        var present = sigaction()
        sigaction(SIGINT, nil, &present)
        #expect(present.__sigaction_handler.sa_handler == nil)
    }

    @Test("cancelling withdraws the prompt and restores the terminal")
    func cancel() async throws {
        let before = modes
        let task = try shown()
        task.cancel()
        #expect(await task.code == .noAnswer)
        #expect(modes == before)
    }

    @Test("a prompt cancelled before it was shown is never shown")
    func cancelledBefore() async throws {
        let first = try shown()
        let second = try ask(prompt())
        second.cancel()
        terminal.type("o")
        #expect(try await first.value.answer == .once)
        #expect(await second.code == .noAnswer)
        #expect(terminal.read(until: "\n") == "Allowed once.\r\n")
        terminal.type("\n")
        #expect(terminal.read(until: "\n") == "\r\n")
    }

    @Test("prompts at the same time are shown one after the other")
    func oneAfterTheOther() async throws {
        let tasks = [try ask(prompt()), try ask(prompt())]
        _ = terminal.read(until: Self.lastLine)
        terminal.type("o")
        let between = terminal.read(until: Self.lastLine)
        #expect(between.hasPrefix("Allowed once.\r\n\r\n"))
        terminal.type("o")
        for task in tasks { #expect(try await task.value.answer == .once) }
    }

    @Test("a closed terminal is not an answer")
    func hangUp() async throws {
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let input = dup(try #require(terminal).terminal)
        defer { close(input) }
        let task = try ask(TerminalPrompt(input: input, output: input, environment: [:], settleTime: .zero))
        _ = terminal?.read(until: Self.lastLine)
        terminal = nil
        #expect(await task.code == .noAnswer)
    }

    @Test("without a terminal no prompt is shown")
    func noTerminal() async throws {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let task = try ask(TerminalPrompt(input: null, output: terminal.terminal, environment: [:], settleTime: .zero))
        #expect(await task.code == .notTerminal)
    }

    @Test("the agent reports that the answer came from the terminal")
    func agent() async throws {
        let (agent, example) = (prompt(), try Prompt.example())
        let task = Task { try await agent.ask(example) }
        _ = terminal.read(until: Self.lastLine)
        terminal.type("w")
        #expect(try await task.value == AgentReply(answer: .whileInUse, indication: .terminal))
    }
}
