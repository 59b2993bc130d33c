import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The Python library", .timeLimit(.minutes(3)))
struct PythonLibraryTests {
    private struct Said: Decodable, Equatable {
        var kind: String?
        var status: String?
        var command: String?
        var event: String?
        var reason: String?
        var microphone: String?
        var before: String?
        var asked: Bool?
        var events: [String]?
        var texts: [String]?
        var text: String?
        var clients: [String]?
        var kinds: [String]?
        var newest: Bool?
        var running: Bool?
        var code: String?
    }

    private static let folder = Checkout.root.appending(path: "Sources/Client/Python").path
    private static let python = "/usr/bin/python3"

    private func variables(_ service: ServiceUnderTest) -> [String: String] {
        service.environment.merging([
            "PYTHONPATH": Self.folder, "PYTHONDONTWRITEBYTECODE": "1", "VOICEGATE_SOCKET": service.socket,
        ]) { $1 }
    }

    /// The library's calls as a client with a manifest.
    private func registerCalls(_ service: ServiceUnderTest) throws -> String {
        let code = try String(contentsOfFile: Self.folder + "/tests/calls.py", encoding: .utf8)
        return try service.registerScript(code, name: "calls")
    }

    private func run(_ script: String, _ words: [String], _ service: ServiceUnderTest) async throws -> [Said] {
        let program = try RunningProgram([Self.python, script] + words, environment: variables(service))
        try program.closeInput()
        #expect(await program.end() == 0, "\(program.errorText)")
        return try program.lines.map { try JSONDecoder().decode(Said.self, from: Data($0.utf8)) }
    }

    private func sound(_ service: ServiceUnderTest) throws -> String {
        let samples = try HumanSpeech.samples(Programs.goForward)
        return try service.folder.write(HumanSpeech.wav(samples, sampleRate: 16_000, channels: 1), to: "go.wav")
    }

    private static func microphone(_ folder: TemporaryFolder) -> VirtualMicrophone {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.openedFile = folder.path + "/opened"
        return microphone
    }

    @Test("its own tests pass: newer, broken and silent services, and files that are current")
    func ownTests() async throws {
        let tests = try RunningProgram(
            [Self.python, "-W", "error", "-m", "unittest", "discover", "-s", Self.folder, "-t", Self.folder],
            environment: ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"])
        #expect(await tests.end() == 0, "\(tests.errorText)")
        #expect(tests.errorText.contains("OK"))
    }

    @Test("a program asks, dictates, transcribes and reads its records; leaving a dictation closes the device")
    func uses() async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([Self.microphone(folder)]), answers: ServiceUnderTest.yesToAll)
        let said = try await run(try registerCalls(service), ["use", try sound(service)], service)
        try #require(said.count == 7)
        #expect(said[0] == Said(before: "notDetermined", asked: true))
        #expect(said[1].events?.first == "Started" && said[1].events?.last == "Ended")
        #expect(said[1].events?.contains("Partial") == true)
        #expect(said[1].texts?.filter { !$0.isEmpty } == ["go forward ten meters"])
        #expect(said[2].text == "go forward ten meters")
        #expect(said[3].clients == ["org.example.calls"])
        #expect(said[3].kinds?.contains("session.stopped") == true)
        #expect(said[4] == Said(newest: true))
        #expect(said[5...] == [Said(running: true), Said(code: "notFound")])
        let device = VirtualMicrophoneLog(folder.path + "/opened")
        #expect(device.count(.open) == 2 && device.count(.close) == 2)
        #expect(device.entries.last.map { $0.number < 44_580 } == true, "it was closed during the recording")
    }

    @Test("each refusal has its class and the command that helps, and nothing is captured")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([Self.microphone(folder)]),
            answers: [
                #"{"client":"org.example.calls","resource":"speechRecognition","answer":"whileInUse"}"#,
                #"{"client":"org.example.calls","resource":"microphone","answer":"later"}"#,
            ])
        let code = try String(contentsOfFile: Self.folder + "/tests/calls.py", encoding: .utf8)
        let stranger = try service.folder.write(code, to: "stranger.py")
        func asked(_ script: String) async throws -> Said {
            try #require(try await run(script, ["ask"], service).first)
        }

        let unknown = try await asked(stranger)
        #expect(unknown.kind == "MissingManifest" && unknown.command == "voicegate manifest new \(stranger)")
        try service.folder.write(
            """
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.stranger</string>
            <key>CFBundleExecutable</key><string>\(Self.python)</string>
            <key>VoiceGateScript</key><string>\(stranger)</string>
            </dict></plist>
            """, to: "clients/stranger/Info.plist")
        #expect(try await asked(stranger).kind == "MissingUsageDescription")

        let script = try registerCalls(service)
        let allow = "voicegate settings org.example.calls --allow microphone"
        // Of both resources that were asked for: a microphone that is not allowed, for any reason, is denied.
        #expect(try await asked(script) == Said(kind: "NotDetermined", status: "denied", command: allow))
        try await service.run(["settings", "org.example.calls", "--deny", "microphone"])
        let denied = try await asked(script)
        #expect(denied == Said(kind: "Denied", status: "denied", command: allow))
        try service.folder.write("deny: [{resource: microphone}]\n", to: "policy.d/a.yaml")
        try await eventually { try await asked(script).kind == "Restricted" }
        try await service.run(["mute"])
        let muted = try await asked(script)
        #expect(muted.kind == "Muted" && muted.status == "restricted" && muted.command == "voicegate unmute")
        await service.stop()
        #expect(try await asked(script) == Said(kind: "ServiceNotRunning", command: "voicegate service start"))
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty)
    }

    @Test("a program that listens learns that the microphone was denied, and its dictation ends with the reason")
    func follows() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.loops = true
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        let program = try RunningProgram(
            [Self.python, try registerCalls(service), "follow"], environment: variables(service))
        try await program.line { $0.contains("Started") }
        try await service.run(["settings", "org.example.calls", "--deny", "microphone"])
        #expect(await program.end() == 0, "\(program.errorText)")
        let said = try program.lines.map { try JSONDecoder().decode(Said.self, from: Data($0.utf8)) }
        // It may have been authorized before the first state.
        #expect(said.compactMap(\.microphone).last == "denied")
        #expect(said.compactMap(\.event) == ["Started", "Ended"])
        #expect(said.last { $0.event == "Ended" }?.reason == "revoked")
    }

    @Test("the page's quick start prints what is said; the example writes notes, and says why it was refused")
    func examples() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        func run(_ words: [String]) async throws -> (status: Int32, program: RunningProgram) {
            let program = try RunningProgram([Self.python] + words, environment: variables(service))
            try program.closeInput()
            return (await program.end(), program)
        }
        let page = try String(contentsOf: Checkout.root.appending(path: "Documentation/Python.md"), encoding: .utf8)
        let code = try #require(page.components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
        #expect(code.split(separator: "\n").count <= 10)
        let quickStart = try await run([try service.registerScript(code, name: "note")])
        #expect(quickStart.program.lines == ["go forward ten meters"], "\(quickStart.program.errorText)")

        let example = Checkout.root.appending(path: "Documentation/Examples/Python")
        let script = try service.registerScript(
            String(contentsOf: example.appending(path: "notes.py"), encoding: .utf8), name: "notes")
        let notes = service.folder.path + "/notes.md"
        #expect(try await run([script, notes]).status == 0)
        #expect(try await run([script, notes, try sound(service)]).status == 0)
        let lines = try String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(" go forward ten meters") })
        #expect(try await run([script, notes, "/none.wav"]).status == 66)
        try await service.run(["settings", "org.example.notes", "--deny", "speechRecognition"])
        let denied = try await run([script, notes])
        #expect(denied.status == 77 && denied.program.errorText.contains("voicegate settings org.example.notes"))
        #expect(try String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n").count == 2)
        let linted = try RunningProgram(
            [Programs.commandLine, "manifest", "lint", example.path + "/Info.plist"], environment: service.environment)
        await linted.end()
        // The reader inserts the script's path.
        let problems = (linted.lines.joined() + linted.errorText).split(separator: "[").dropFirst()
        #expect(problems.count == 1 && problems.last?.hasPrefix("missingProgram]") == true, "\(problems)")
    }
}
