import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Setting up", .timeLimit(.minutes(3)))
struct SetupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command with its own home folder, and no service.
    private func voicegate(
        _ arguments: [String], _ variables: [String: String] = [:]
    ) async throws -> (status: Int32, all: String) {
        let environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "VOICEGATE_NO_START": "1",
        ].merging(variables) { _, new in new }
        let program = try RunningProgram([Programs.commandLine] + arguments, environment: environment)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines.joined(separator: "\n") + program.errorText)
    }

    private var files: [String] {
        (FileManager.default.subpaths(atPath: folder.path) ?? []).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.path + "/" + $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    @Test("without a terminal it asks nothing and does nothing, unless --yes says so")
    func noTerminal() async throws {
        let (status, output) = try await voicegate(["setup"])
        #expect(status == 64 && output.contains("--yes"), "\(output)")
        #expect(files.isEmpty)
    }

    @Test("a chosen microphone is written into config.yaml beside all else there, and the file is put back")
    func microphone() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        let path = service.folder.path + "/.config/voicegate/config.yaml"
        let before = try String(contentsOfFile: path, encoding: .utf8)
        let absent = try await service.run(["setup", "microphone", "--yes", "--device", "nothing"])
        #expect(absent.status == 1 && absent.errors.contains("There is no microphone “nothing”"), "\(absent.errors)")
        let (status, _, errors) = try await service.run(["setup", "microphone", "--yes", "--device", "mic"])
        #expect(status == 0, "\(errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before + "device: \"mic\"\n")
        let again = try await service.run(["setup", "microphone", "--yes", "--device", "mic"])
        #expect(again.status == 0 && again.errors.contains("Nothing was changed"), "\(again.errors)")
        #expect(try await service.run(["setup", "--undo"]).status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        let nothing = try await service.run(["setup", "--undo"])
        #expect(nothing.status == 0 && nothing.errors.contains("nothing to"), "\(nothing.errors)")
        #expect(try await service.run(["setup", "microphone", "--yes", "--device", "mic"]).status == 0)
        try (before + "device: \"mine\"\n").write(toFile: path, atomically: true, encoding: .utf8)
        let left = try await service.run(["setup", "--undo"])
        #expect(left.status == 0 && left.errors.contains("Left, because you changed it since"), "\(left.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before + "device: \"mine\"\n")
        // Nothing was listened to.
        #expect(try await !service.records().contains { $0.kind == "session.started" })
    }

    @Test("at a terminal the levels are shown, the chosen microphone is tried and played back, and nothing is kept")
    func choosing() async throws {
        let configuration = try folder.write("warmRecognizers: 0\nkeepTranscripts: P30D\n", to: "keeping.yaml")
        // ALSA's file plugin, over a device that takes 16 kHz without conversion: it plays the samples sent to it.
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration(
                [VirtualMicrophone(name: "mic", file: Programs.goForward)],
                text: "pcm.speaker { type file slave.pcm null format raw file \"\(folder.path)/played\" }\n"),
            answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration])
        let setup = try service.atTerminal(["setup", "microphone", "--playback-device", "speaker"])
        try await setup.shows("Which one?")
        try setup.type("99\n")
        try await setup.shows("Type a number from 1")
        let line = try #require(setup.lines.first { $0.contains("  mic  ") })
        let number = try #require(line.firstMatch(of: /^\s+(\d+)\s/)).1
        try setup.type("\(number)\n")
        try await setup.shows("Try it for five seconds")
        try setup.type("y\n")
        try await setup.shows("Understood: go forward ten meters")
        try await setup.shows("This is what it heard.")
        #expect(await setup.end() == 0)
        // The same samples as the microphone's, wherever the session began in them.
        let played = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/played"))
        let original = try Data(contentsOf: URL(fileURLWithPath: Programs.goForward))
        #expect(played.count > 16_000 * 2 * 2)
        let speech = try #require(played.indices.first { played[$0] != 0 })
        let piece = played[(speech & ~1)...].dropFirst(16_000).prefix(8_000)
        #expect(original.range(of: piece) != nil, "the played audio differs from the speech")
        #expect(setup.count(of: "To take it back: voicegate setup --undo") == 1)
        // The user agreed to keeping, but this was only tried.
        let notice = try await service.records().first { $0.kind == "notice.shown" }
        #expect((notice?.fields["keptByService"] as? [String: String])?["transcript"] == "P30D")
        #expect(try await service.history().isEmpty)
        let files = FileManager.default.enumerator(atPath: service.folder.path)?.allObjects as? [String] ?? []
        #expect(!files.contains { $0.hasSuffix(".wav") || $0.hasSuffix(".raw") })
    }

    /// A `systemctl` that notes what it was told, because the tests' machine has no systemd.
    private func systemctl(_ states: String) throws -> (path: String, calls: () throws -> [String]) {
        try folder.write(
            """
            #!/bin/sh
            [ "$2" != show ] || { printf '\(states)'; exit 0; }
            echo "$@" >> \(folder.path)/calls
            """, to: "tools/systemctl", permissions: 0o755)
        return (
            folder.path + "/tools:/usr/bin:/bin",
            {
                let text = (try? String(contentsOfFile: folder.path + "/calls", encoding: .utf8)) ?? ""
                return text.split(separator: "\n").map(String.init)
            }
        )
    }

    @Test("the agent's unit is enabled, and by --undo disabled; without a unit it says what to do")
    func agent() async throws {
        let disabled = try systemctl("LoadState=loaded\\nUnitFileState=disabled\\n")
        let (status, output) = try await voicegate(["setup", "agent", "--yes"], ["PATH": disabled.path])
        #expect(status == 0 && output.contains("enabled voicegate-agent.service"), "\(output)")
        #expect(try disabled.calls() == ["--user enable --now voicegate-agent.service"])
        let left = try await voicegate(["setup", "--undo"], ["PATH": disabled.path])
        #expect(left.all.contains("Left, because you changed it since"), "\(left.all)")

        _ = try await voicegate(["setup", "agent", "--yes"], ["PATH": disabled.path])
        let enabled = try systemctl("LoadState=loaded\\nUnitFileState=enabled\\n")
        let again = try await voicegate(["setup", "agent", "--yes"], ["PATH": enabled.path])
        #expect(again.status == 0 && again.all.contains("Nothing was changed"), "\(again.all)")
        #expect(try await voicegate(["setup", "--undo"], ["PATH": enabled.path]).status == 0)
        #expect(try enabled.calls().last == "--user disable --now voicegate-agent.service")

        let absent = try systemctl("LoadState=not-found\\nUnitFileState=\\n")
        let byHand = try await voicegate(["setup", "agent", "--yes"], ["PATH": absent.path])
        #expect(byHand.status == 0 && byHand.all.contains("voicegate agent --desktop"), "\(byHand.all)")
        #expect(try absent.calls().count == 3)
    }

    @Test("no other program gets the sound, not even one that runs voicegate")
    func soundOfOthers() async throws {
        let (service, command) = try await ServiceUnderTest.withCommand(
            Programs.curl, VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let script = try service.registerScript("import subprocess, sys\nsubprocess.run(sys.argv[1:])\n")
        func call(_ program: [String], _ path: String, _ arguments: [String] = []) async throws -> [String] {
            let call = try RunningProgram(
                program + ["-sN", "--unix-socket", service.socket, "http://voicegate/v1/\(path)"] + arguments,
                environment: service.environment)
            await call.end()
            return call.lines
        }
        for program in [[Programs.curl], ["/usr/bin/python3", script, command]] {
            let answer = try await call(program, "dictation", ["-d", #"{"sound":true}"#, "-w", "%{http_code}"])
            #expect(answer.last?.hasSuffix("403") == true, "\(program): \(answer)")
        }
        let records = try await call([command], "audit/records").joined()
        #expect(records.contains("log.genesis") && !records.contains("session.started"), "\(records)")
    }
}
