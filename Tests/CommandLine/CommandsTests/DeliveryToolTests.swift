import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Which tool takes the text, and what it is given", .timeLimit(.minutes(1)))
struct DeliveryToolTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Tools in a folder of their own that do nothing; stand-ins for which is chosen, not for what they do.
    private func tools(_ programs: [String], _ session: [String: String]) throws -> DeliveryTools {
        let bin = "bin-" + programs.joined(separator: "-")
        for program in programs {
            try folder.write("#!/bin/sh\nexit 0\n", to: "\(bin)/\(program)", permissions: 0o755)
        }
        return DeliveryTools(environment: session.merging(["PATH": "\(folder.path)/\(bin)"]) { $1 })
    }

    @Test("what is missing is told with the package that brings it, for the session that this is")
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
            _ = try TonePlayer(DeliveryTools(environment: ["PATH": "/nowhere"]), device: nil)
        }
        #expect(player?.message.contains("sudo apt install alsa-utils") == true)
    }

    @Test("xdotool is no tool for Wayland, and wtype none for X11, though they are installed")
    func unfit() async throws {
        let wayland = try tools(["xdotool"], ["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":9"])
        let error = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(wayland) }
        #expect(error?.message.contains("xdotool needs X11") == true)
        let x11 = try tools(["wtype"], ["DISPLAY": ":9"])
        let other = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(x11) }
        #expect(other?.message.contains("wtype needs Wayland") == true)
    }

    @Test("a tool that fails when it is tried is passed over with its reason")
    func probe() async throws {
        try folder.write(
            "#!/bin/sh\necho 'Compositor does not support it' >&2; exit 1\n", to: "bin/wtype", permissions: 0o755)
        let tools = DeliveryTools(environment: ["PATH": folder.path + "/bin", "WAYLAND_DISPLAY": "wayland-1"])
        let error = await #expect(throws: CommandError.self) { _ = try await WindowDelivery(tools) }
        #expect(error?.message.contains("Compositor does not support it") == true, "\(error?.message ?? "")")
    }

    @Test("text is data for every tool: never an argument, but for keys by their number")
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

    @Test("dotool gets a line for each command, and no text can become another one")
    func dotool() {
        #expect(
            TypingTool.dotool.steps("go\nkey ctrl+c\n\tx").map(\.input) == [
                "type go\nkey enter\ntype key ctrl+c\nkey enter\nkey tab\ntype x\n"
            ])
    }

    @Test("ydotool is not given what it would leave out")
    func ydotool() {
        #expect(TypingTool.ydotool.canType("plain text, 20%"))
        #expect(!TypingTool.ydotool.canType("Größe"))
        #expect(TypingTool.wtype.canType("日本語"))
    }

    @Test("xdotool types foreign letters slowly and capitals as keys")
    func xdotool() {
        let runs = XdotoolRun.runs("go Öl, ж")
        #expect(runs.map(\.step.input) == ["go ", nil, "l, ", "ж"])
        #expect(runs[1].step.arguments.last == "shift+U00D6")
        #expect(runs.allSatisfy { $0.step.arguments.contains("--clearmodifiers") })
        #expect(XdotoolRun.runs(String(repeating: "a", count: 450)).count == 3)
        #expect(XdotoolRun.runs("").isEmpty)
    }

    @Test("control characters do not reach a terminal or a window; line ends and tabs do")
    func cleaned() {
        #expect(DeliveredText.cleaned("a\u{1B}[31mb\u{7}\r\n\tc\u{2028}d\u{9B}") == "a[31mb\n\tc\nd")
    }
}
