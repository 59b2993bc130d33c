import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The examples, by the programs that they are for", .timeLimit(.minutes(3)))
struct ExampleTests {
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
    }

    private static let folder = Checkout.root.appendingPathComponent("Documentation/Examples").path

    /// The examples' command, for this test's service.
    private var words: [String] {
        [
            Programs.commandLine, "dictate", "--quiet", "--punctuation", "--stop-after-silence", "1",
            "--socket", service.socket,
        ]
    }

    private func run(_ words: [String], _ variables: [String: String] = [:]) async throws -> RunningProgram {
        let program = try RunningProgram(words, environment: service.environment.merging(variables) { $1 })
        try program.closeInput()
        #expect(await program.end() == 0, "\(program.lines) \(program.errorText)")
        return program
    }

    @Test("Neovim: dictated text is inserted at the cursor")
    func neovim() async throws {
        let file = try service.folder.write("Please\n", to: "note.txt")
        let command = words.map { "'\($0)'" }.joined(separator: ",")
        _ = try await run([
            "/usr/bin/nvim", "--headless", "-u", "NONE", "-i", "NONE", file,
            "-c", "lua voicegate = dofile('\(Self.folder)/neovim/voicegate.lua'); voicegate.command = {\(command)}",
            "-c", "set virtualedit=onemore", "-c", "call cursor(1, 99)",
            "-c", "lua voicegate.toggle(); vim.wait(60000, function() return voicegate.job == nil end)", "-c", "wq",
        ])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "Please Go forward ten meters\n")
    }

    @Test("Emacs: dictated text is inserted at point")
    func emacs() async throws {
        let file = try service.folder.write("Please", to: "note.txt")
        let command = words.map { "\"\($0)\"" }.joined(separator: " ")
        _ = try await run([
            "/usr/bin/emacs", "--batch", "--quick", "--load", Self.folder + "/emacs/voicegate.el", file, "--eval",
            """
            (progn (setq voicegate-command '(\(command)) make-backup-files nil)
              (goto-char (point-max))
              (voicegate-toggle)
              (while voicegate--process (accept-process-output nil 1))
              (save-buffer))
            """,
        ])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "Please Go forward ten meters\n")
    }

    @Test("curl: a script dictates and transcribes over the socket, and reports a refusal")
    func curl() async throws {
        let manifest = try String(contentsOfFile: Self.folder + "/curl/Info.plist", encoding: .utf8)
        try service.folder.write(manifest, to: "clients/curl/Info.plist")
        _ = try await run([Programs.commandLine, "manifest", "lint", Self.folder + "/curl/Info.plist"])
        let socket = ["VOICEGATE_SOCKET": service.socket]
        #expect(try await run([Self.folder + "/curl/dictate"], socket).lines == ["go forward ten meters"])
        let sound = try service.folder.write(
            HumanSpeech.wav(HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: "go.wav")
        #expect(try await run([Self.folder + "/curl/transcribe", sound], socket).lines == ["go forward ten meters"])
        for (file, code) in [(Self.folder + "/curl/transcribe", Int32(65)), ("/none.wav", 66)] {
            let program = try RunningProgram(
                [Self.folder + "/curl/transcribe", file], environment: service.environment.merging(socket) { $1 })
            #expect(await program.end() == code, "\(program.errorText)")
            #expect(program.lines.isEmpty && !program.errorText.isEmpty)
        }
        try await service.run(["settings", "org.example.curl", "--deny", "speechRecognition"])
        let denied = try RunningProgram(
            [Self.folder + "/curl/dictate"], environment: service.environment.merging(socket) { $1 })
        #expect(await denied.end() == 77)
        #expect(denied.lines.isEmpty)
        #expect(!denied.errorText.isEmpty)
    }

    @Test("waybar: what the modules run gives waybar's JSON, also while something listens")
    func waybar() async throws {
        let root = Checkout.root.path
        for file in [Self.folder + "/waybar/dictation.jsonc", root + "/Packaging/statusbar/waybar.jsonc"] {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            // JSON with comments that have their own lines.
            let bare = text.split(separator: "\n").filter {
                !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
            }.joined(separator: "\n")
            let modules = try #require(
                JSONSerialization.jsonObject(with: Data(bare.utf8)) as? [String: [String: String]])
            let module = try #require(modules["custom/voicegate"])
            #expect(module["return-type"] == "json")
            let bar = try RunningProgram(
                ["/bin/sh", "-c", try #require(module["exec"])],
                environment: service.environment.merging([
                    "VOICEGATE_SOCKET": service.socket, "PATH": Programs.folder + ":/usr/bin:/bin",
                ]) { $1 })
            let first = try await bar.line { !$0.isEmpty }
            let dictation = try service.commandLine(["dictate", "--stop-after-silence", "1"])
            let now = try await bar.line { $0.contains(#""now""#) }
            #expect(await dictation.end() == 0)
            for line in [first, now] {
                let object = try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                #expect(object["text"] is String && object["tooltip"] is String && object["class"] != nil, "\(line)")
            }
            bar.signal(SIGTERM)
        }
    }
}
