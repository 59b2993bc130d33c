import Foundation
import Glibc
import ProgramSupport
import Synchronization
import TestSupport
import Testing
@testable import Commands

@Suite("Delivery of utterances", .timeLimit(.minutes(1)))
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
        _ said: [String], to delivery: (any Delivery)? = nil, punctuation: Bool = false, filters: [String] = [],
        atEnd: Bool = false, scratches: Bool = false
    ) async throws -> (output: String, messages: String) {
        let folder = try TemporaryFolder()
        let files = ["out", "messages"].map { open(folder.path + "/" + $0, O_RDWR | O_CREAT, 0o600) }
        defer { for file in files { close(file) } }
        let output = Output(isQuiet: false, isJSON: false, results: files[0], messages: files[1], environment: [:])
        let (actions, queue) = AsyncStream.makeStream(of: DictationDisplay.Action.self)
        for text in said { queue.yield(.text(text)) }
        queue.finish()
        try await Deliverer(
            former: TextFormer(punctuation: punctuation), scratches: scratches,
            filters: filters.map(TextFilter.init), delivery: delivery, isAtEnd: atEnd, output: output
        ).run(actions)
        let texts = try ["out", "messages"].map { try String(contentsOfFile: folder.path + "/" + $0, encoding: .utf8) }
        return (texts[0], texts[1])
    }

    @Test("each delivery gets its portion of the text")
    func portions() async throws {
        let said = ["hello comma world", "new line", "go on"]
        for (portion, expected) in [
            (DeliveryPortion.utterance, ["Hello, world", "\n", "Go on"]),
            (.continuation, ["Hello, world", "\n", "Go on"]),
            (.everything, ["Hello, world", "Hello, world\n", "Hello, world\nGo on"]),
        ] {
            let delivery = StandInDelivery(portion)
            let written = try await run(said, to: delivery, punctuation: true)
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

    @Test("scratch that takes back what was not delivered yet, and says so of what was")
    func scratched() async throws {
        let said = [
            "one two", "three period", "Scratch that.", "four five scratch that six",
            "scratch that literal scratch that",
        ]
        let everything = StandInDelivery(.everything)
        _ = try await run(said, to: everything, punctuation: true, scratches: true)
        #expect(
            everything.given.withLock { $0 } == [
                "One two", "One two three.", "One two", "One two six", "One two", "One two scratch that",
            ])
        #expect(
            try await run(said, punctuation: true, atEnd: true, scratches: true).output == "One two scratch that\n")
        let printed = try await run(said, punctuation: true, scratches: true)
        #expect(printed.output == "One two\nthree.\nSix\nscratch that\n")
        #expect(printed.messages.components(separatedBy: "cannot be taken back").count == 3)
        #expect(try await run(["scratch that"], atEnd: true).output == "scratch that\n")
    }

    @Test("undeliverable text is written to standard output with the reason, and the next delivery is tried again")
    func fallback() async throws {
        let delivery = StandInDelivery(.continuation) { $0.contains("two") }
        let written = try await run(["one", "two", "three"], to: delivery)
        #expect(written.output == "two\n")
        #expect(written.messages.contains("The window is gone."))
        #expect(delivery.given.withLock { $0 } == ["one", " two", " three"])
    }

    @Test("filters run in order; a failing filter leaves the text unchanged and is reported")
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
            #expect(written.messages.contains("The text is unchanged"))
        }
    }

    @Test("a filter that hangs is killed after its time limit")
    func hangingFilter() async throws {
        let written = try await run(["go"], filters: ["sleep 600"])
        #expect(written.output == "go\n")
        #expect(written.messages.contains("within 5 seconds"))
    }

    @Test("a command reads each utterance from its standard input, and no shell interprets the text")
    func command() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/got"
        _ = try await run(
            ["-go $(touch \(folder.path)/run) `id`", "ten"], to: CommandDelivery(command: "cat >> '\(file)'"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "-go $(touch \(folder.path)/run) `id`\nten\n")
        #expect(access(folder.path + "/run", F_OK) != 0)
        let failed = try await run(["one"], to: CommandDelivery(command: "exit 9"))
        #expect(failed.output == "one\n")
        #expect(failed.messages.contains("status 9"))
    }
}

@Suite("Delivery tools and their input", .timeLimit(.minutes(1)))
struct DeliveryToolTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Tools in their own folder that do nothing; stand-ins for which is chosen, not for what they do.
    private func tools(_ programs: [String], _ session: [String: String]) throws -> DeliveryTools {
        let bin = "bin-" + programs.joined(separator: "-")
        for program in programs { try folder.write("#!/bin/sh\nexit 0\n", to: "\(bin)/\(program)", permissions: 0o755) }
        return DeliveryTools(environment: session.merging(["PATH": "\(folder.path)/\(bin)"]) { $1 })
    }

    @Test("a missing tool is reported with its package, depending on the session")
    func missing() async throws {
        let none = try tools([], [:])
        await #expect(throws: CommandError.self) { _ = try await WindowDelivery(none) }
        for (session, package) in [
            (["WAYLAND_DISPLAY": "wayland-1"], "sudo apt install wtype"),
            (["DISPLAY": ":9"], "sudo apt install xdotool"),
            ([:], "sudo apt install ydotool"),
        ] {
            let tools = DeliveryTools(environment: session.merging(["PATH": "/nowhere"]) { $1 })
            let error = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(tools) }
            #expect(error?.code == .missingTool)
            #expect(error?.status == .unavailable)
            #expect(error?.message.contains(package) == true, "\(error?.message ?? "")")
        }
        for (session, package) in [
            (["WAYLAND_DISPLAY": "wayland-1"], "sudo apt install wl-clipboard"),
            (["DISPLAY": ":9"], "sudo apt install xclip"),
        ] {
            let tools = DeliveryTools(environment: session.merging(["PATH": "/nowhere"]) { $1 })
            let error = #expect(throws: CommandError.self) { _ = try ClipboardDelivery(tools) }
            #expect(error?.code == .missingTool)
            #expect(error?.message.contains(package) == true, "\(error?.message ?? "")")
        }
        let player = #expect(throws: CommandError.self) {
            _ = try SoundPlayer(DeliveryTools(environment: ["PATH": "/nowhere"]), device: nil)
        }
        #expect(player?.message.contains("sudo apt install alsa-utils") == true)
    }

    @Test("xdotool is not used on Wayland nor wtype on X11, even if installed")
    func unfit() async throws {
        let wayland = try tools(["xdotool"], ["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":9"])
        let error = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(wayland) }
        #expect(error?.message.contains("xdotool needs X11") == true)
        let x11 = try tools(["wtype"], ["DISPLAY": ":9"])
        let other = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(x11) }
        #expect(other?.message.contains("wtype needs Wayland") == true)
    }

    @Test("a tool that fails its probe is skipped with the reason")
    func probe() async throws {
        try folder.write(
            "#!/bin/sh\necho 'Compositor does not support it' >&2; exit 1\n", to: "bin/wtype", permissions: 0o755)
        let tools = DeliveryTools(environment: ["PATH": folder.path + "/bin", "WAYLAND_DISPLAY": "wayland-1"])
        let error = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(tools) }
        #expect(error?.message.contains("Compositor does not support it") == true, "\(error?.message ?? "")")
    }

    @Test("nothing is typed into a locked screen, and the reason is reported; afterwards it is")
    func locked() async throws {
        let typed = folder.path + "/typed"
        try folder.write("#!/bin/sh\n[ \"$2\" = 1 ] || cat >> '\(typed)'\n", to: "bin/wtype", permissions: 0o755)
        let logind = try await MockedLogind()
        try await logind.add("1", user: geteuid())
        let session = ["PATH": "\(folder.path)/bin:/usr/bin:/bin", "WAYLAND_DISPLAY": "wayland-1"]
        let delivery = try await WindowDelivery(
            DeliveryTools(environment: logind.bus.environment.merging(session) { $1 }))
        try await logind.lock("1")
        let error = await #expect(throws: CommandError.self) { try await delivery.deliver("secret") }
        #expect(error?.code == .cannotDeliver)
        #expect(access(typed, F_OK) != 0)
        try await logind.lock("1", false)
        try await delivery.deliver("text")
        #expect(try String(contentsOfFile: typed, encoding: .utf8) == "text")
    }

    @Test("text is never an argument of a tool, except keys by number")
    func data() {
        let text = "--help; $(id) -x\nÖ\t“q”"
        for tool in TypingTool.allCases {
            for step in tool.steps(text) {
                let safe = step.arguments.filter { !$0.hasPrefix("shift+U") }
                #expect(safe.allSatisfy { !$0.contains("help") && !$0.contains("id") && !$0.contains("q") }, "\(step)")
            }
        }
        for tool in ClipboardTool.allCases { #expect(tool.step(text).input == text) }
    }

    @Test("dotool gets one line per command, and text cannot become a command")
    func dotool() {
        #expect(
            TypingTool.dotool.steps("go\nkey ctrl+c\n\tx").map(\.input) == [
                "type go\nkey enter\ntype key ctrl+c\nkey enter\nkey tab\ntype x\n"
            ])
    }

    @Test("ydotool gets no text that it would omit")
    func ydotool() {
        #expect(TypingTool.ydotool.canType("plain text, 20%"))
        #expect(!TypingTool.ydotool.canType("Größe"))
        #expect(TypingTool.wtype.canType("日本語"))
    }

    @Test("xdotool types characters outside the layout slowly and capitals as keys")
    func xdotool() {
        let runs = XdotoolRun.runs("go Öl, ж")
        #expect(runs.map(\.step.input) == ["go ", nil, "l, ", "ж"])
        #expect(runs[1].step.arguments.last == "shift+U00D6")
        #expect(runs.allSatisfy { $0.step.arguments.contains("--clearmodifiers") })
        #expect(XdotoolRun.runs(String(repeating: "a", count: 450)).count == 3)
        #expect(XdotoolRun.runs("").isEmpty)
    }

    @Test("control characters do not reach a terminal or a window; line feeds and tabs do")
    func cleaned() { #expect(DeliveredText.cleaned("a\u{1B}[31mb\u{7}\r\n\tc\u{2028}d\u{9B}") == "a[31mb\n\tc\nd") }
}
