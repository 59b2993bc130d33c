import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Setting up", .timeLimit(.minutes(3)))
struct SetupTests {
    private let folder: TemporaryFolder
    private let bin: String

    init() throws {
        folder = try TemporaryFolder()
        bin = folder.path + "/bin"
    }

    /// Runs a command with a home folder of its own, and no service.
    private func voicegate(
        _ arguments: [String], _ variables: [String: String] = [:]
    ) async throws -> (status: Int32, all: String) {
        let environment = [
            "HOME": folder.path, "PATH": bin + ":/usr/bin:/bin", "VOICEGATE_NO_START": "1", "SHELL": "/bin/fish",
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
                && !isFolder.boolValue && !$0.hasPrefix("bin/")
        }.sorted()
    }

    @Test("without a terminal it asks nothing and does nothing, unless --yes says so")
    func noTerminal() async throws {
        let (status, output) = try await voicegate(["setup"])
        #expect(status == 64 && output.contains("--yes"), "\(output)")
        #expect(files.isEmpty)
    }

    @Test("files that it writes are listed, a second run changes nothing, and --undo leaves only what the user changed")
    func undo() async throws {
        let command = ["setup", "completions", "agent", "--yes"]
        let (status, output) = try await voicegate(command, ["DISPLAY": ":9"])
        #expect(status == 0 && output.contains("voicegate setup --undo"), "\(output)")
        let (completions, agent) = (
            ".config/fish/completions/voicegate.fish", ".config/autostart/voicegate-agent.desktop"
        )
        #expect(files == [agent, completions, ".config/voicegate/setup.json"])
        let entry = try String(contentsOfFile: folder.path + "/" + agent, encoding: .utf8)
        #expect(entry.contains("Exec=\(Programs.commandLine) agent --desktop"), "\(entry)")
        let again = try await voicegate(command, ["DISPLAY": ":9"])
        #expect(again.status == 0 && again.all.contains("Nothing was changed"), "\(again.all)")

        try folder.write(entry + "X-Mine=true\n", to: agent)
        let undone = try await voicegate(["setup", "--undo"])
        #expect(undone.status == 0 && undone.all.contains("Left, because you changed it since"), "\(undone.all)")
        #expect(files == [agent])
        let nothing = try await voicegate(["setup", "--undo"])
        #expect(nothing.status == 0 && nothing.all.contains("nothing to take back"), "\(nothing.all)")
    }

    @Test("on GNOME a key is bound beside those of the user, and taken back alone")
    func hotKey() async throws {
        // As gsettings(1): get prints the list, set replaces it.
        try folder.write(
            """
            #!/bin/sh
            cd "\(folder.path)/bin" || exit 1
            case "$1 $3" in
            "get custom-keybindings") cat list ;;
            "set custom-keybindings") echo "$4" >list ;;
            set*) echo "$3=$4" >>values ;;
            reset-recursively*) rm -f values ;;
            esac
            """, to: "bin/gsettings", permissions: 0o755)
        try folder.write("['/a/custom0/']\n", to: "bin/list")
        let gnome = ["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"]
        func list() throws -> String { try String(contentsOfFile: bin + "/list", encoding: .utf8) }
        let (status, output) = try await voicegate(["setup", "hot-key", "--yes", "--hot-key", "<Super>d"], gnome)
        #expect(status == 0, "\(output)")
        #expect(try list().contains("'/a/custom0/', '/") && list().contains("/voicegate/'"))
        let values = try String(contentsOfFile: bin + "/values", encoding: .utf8)
        // Its first spelling.
        #expect(try await voicegate(["setup", "--yes", "--skip", "hot-key", "hot-key"], gnome).status == 0)
        #expect(values.contains("binding=<Super>d") && values.contains("control toggle --type"), "\(values)")
        #expect(try await voicegate(["setup", "--undo"], gnome).status == 0)
        #expect(try list() == "['/a/custom0/']\n")
        #expect(!FileManager.default.fileExists(atPath: bin + "/values"))
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
        #expect(try await service.run(["setup", "--undo"]).status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        // Nothing was listened to.
        #expect(try await !service.records().contains { $0.kind == "session.started" })
    }

    @Test("at a terminal the levels are shown, the chosen microphone is tried and played back, and nothing is kept")
    func choosing() async throws {
        let configuration = try folder.write("warmRecognizers: 0\nkeepTranscripts: P30D\n", to: "keeping.yaml")
        // ALSA's file plugin, over a device that takes 16 kHz as it is: what it plays is what was sent to it.
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
        #expect(original.range(of: piece) != nil, "what was played is not what was said")
        #expect(setup.count(of: "To take it back: voicegate setup --undo") == 1)
        // The user agreed to keeping, but this was only tried.
        let notice = try await service.records().first { $0.kind == "notice.shown" }
        #expect((notice?.fields["keptByService"] as? [String: String])?["transcript"] == "P30D")
        #expect(try await service.history().isEmpty)
        let files = FileManager.default.enumerator(atPath: service.folder.path)?.allObjects as? [String] ?? []
        #expect(!files.contains { $0.hasSuffix(".wav") || $0.hasSuffix(".raw") })
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
