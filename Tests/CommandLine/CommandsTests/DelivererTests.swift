import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Commands

@Suite("What becomes of each utterance", .timeLimit(.minutes(1)))
struct DelivererTests {
    /// Remembers what it was given; fails where it is told to.
    private final class StandInDelivery: Delivery {
        let portion: DeliveryPortion
        let fails: @Sendable (String) -> Bool
        let given = Mutex<[String]>([])

        init(_ portion: DeliveryPortion, fails: @escaping @Sendable (String) -> Bool = { _ in false }) {
            self.portion = portion
            self.fails = fails
        }

        func deliver(_ text: String) async throws {
            given.withLock { $0.append(text) }
            if fails(text) { throw DeliveryTools.failure("The window is gone.") }
        }
    }

    private func run(
        _ said: [String], to delivery: (any Delivery)? = nil, form: TextForm = .asSaid, filters: [String] = [],
        atEnd: Bool = false
    ) async throws -> (output: String, messages: String) {
        let folder = try TemporaryFolder()
        let files = ["out", "messages"].map { open(folder.path + "/" + $0, O_RDWR | O_CREAT, 0o600) }
        defer { for file in files { close(file) } }
        let output = Output(isQuiet: false, isJSON: false, results: files[0], messages: files[1], environment: [:])
        let (actions, queue) = AsyncStream.makeStream(of: DictationDisplay.Action.self)
        for text in said { queue.yield(.text(text)) }
        queue.finish()
        try await Deliverer(
            form: form, filters: filters.map(TextFilter.init), delivery: delivery, isAtEnd: atEnd, output: output
        ).run(actions)
        let texts = try ["out", "messages"].map { try String(contentsOfFile: folder.path + "/" + $0, encoding: .utf8) }
        return (texts[0], texts[1])
    }

    @Test("each way gets the portion it takes")
    func portions() async throws {
        let said = ["hello comma world", "new line", "twenty three"]
        let form = TextForm(punctuation: true, numbers: true)
        for (portion, expected) in [
            (DeliveryPortion.utterance, ["Hello, world", "\n", "23"]),
            (.continuation, ["Hello, world", "\n", "23"]),
            (.everything, ["Hello, world", "Hello, world\n", "Hello, world\n23"]),
        ] {
            let delivery = StandInDelivery(portion)
            let written = try await run(said, to: delivery, form: form)
            #expect(delivery.given.withLock { $0 } == expected)
            #expect(written.output.isEmpty && written.messages.isEmpty)
        }
        let typed = StandInDelivery(.continuation)
        _ = try await run(["go forward", "ten meters"], to: typed)
        #expect(typed.given.withLock { $0 } == ["go forward", " ten meters"])
        let whole = StandInDelivery(.continuation)
        _ = try await run(["go forward", "ten meters"], to: whole, atEnd: true)
        #expect(whole.given.withLock { $0 } == ["go forward ten meters"])
        #expect(try await run(["go forward", "ten meters"]).output == "go forward\nten meters\n")
    }

    @Test("what cannot be delivered is written to standard output, with the reason, and the next is tried again")
    func fallback() async throws {
        let delivery = StandInDelivery(.continuation) { $0.contains("two") }
        let written = try await run(["one", "two", "three"], to: delivery)
        #expect(written.output == "two\n")
        #expect(written.messages.contains("The window is gone."))
        #expect(delivery.given.withLock { $0 } == ["one", " two", " three"])
    }

    @Test("filters run one after the other; one that fails leaves the text as it was and says so")
    func filters() async throws {
        #expect(try await run(["go"], filters: ["tr a-z A-Z", "sed s/$/!/"]).output == "GO!\n")
        #expect(try await run(["go"], filters: ["cat >/dev/null"]).output.isEmpty)
        #expect(try await run(["-n $(id)"], filters: ["cat"]).output == "-n $(id)\n")
        #expect(try await run(["go"], filters: ["printf '\\033[31mred'"]).output == "[31mred\n")
        for (filter, reason) in [
            ("echo broken >&2; exit 3", "status 3: broken"), ("yes | head -c 100000", "64 KiB"),
            ("/nowhere/filter", "status 127"),
        ] {
            let written = try await run(["go"], filters: [filter, "tr a-z A-Z"])
            #expect(written.output == "GO\n")
            #expect(written.messages.contains(reason), "\(written.messages)")
            #expect(written.messages.contains("stays as it was"))
        }
    }

    @Test("a filter that hangs is killed after its time")
    func hangingFilter() async throws {
        let written = try await run(["go"], filters: ["sleep 600"])
        #expect(written.output == "go\n")
        #expect(written.messages.contains("within 5 seconds"))
    }

    @Test("a command gets each utterance on its standard input, and no shell reads the text")
    func command() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/got"
        _ = try await run(
            ["-go $(touch \(folder.path)/run) `id`", "ten"], to: CommandDelivery(command: "cat >> '\(file)'"))
        #expect(
            try String(contentsOfFile: file, encoding: .utf8) == "-go $(touch \(folder.path)/run) `id`\nten\n")
        #expect(access(folder.path + "/run", F_OK) != 0)
        let failed = try await run(["one"], to: CommandDelivery(command: "exit 9"))
        #expect(failed.output == "one\n")
        #expect(failed.messages.contains("status 9"))
    }
}
