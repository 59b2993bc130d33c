import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: in use", .timeLimit(.minutes(5)))
struct InUseTests {
    let folder: TemporaryFolder
    let speech: String
    var spoken: String { folder.path + "/spoken" }

    init() throws {
        folder = try TemporaryFolder()
        // "go forward ten meters", time for what is waited for, and then a sentence with none of these words, again and again: on
        // a busy machine the first may be over too soon.
        var samples = try Data(contentsOf: URL(fileURLWithPath: Programs.goForward))
        samples.append(Data(count: 8 * 32_000))
        let sentence = try Data(contentsOf: URL(fileURLWithPath: Programs.librivox("0870"))).dropFirst(44)
        for _ in 0..<8 { samples += sentence + Data(count: 2 * 32_000) }
        speech = try folder.write(samples, to: "speech.raw")
    }

    /// A device that begins to speak when the test says so.
    private var microphone: VirtualMicrophone {
        var microphone = VirtualMicrophone(name: "mic", file: speech)
        microphone.waitForFile = spoken
        return microphone
    }

    private func speak() { _ = FileManager.default.createFile(atPath: spoken, contents: nil) }

    /// An interactive bash with job control at its own terminal; the prompt is empty, so that lines stand alone.
    private func shell(_ service: ServiceUnderTest) async throws -> RunningProgram {
        let shell = try RunningProgram(
            ["/usr/bin/script", "-qefc", "stty -echo; PS1= exec bash --norc --noediting -i", "/dev/null"],
            environment: service.environment)
        try shell.type("PS1=; echo at-$((20 + 22))\n")
        try await shell.shows("at-42")
        return shell
    }

    private func dictation(_ service: ServiceUnderTest) -> String {
        "\(Programs.curl) -sN --unix-socket \(service.socket) -d '{}' http://voicegate/v1/dictation"
    }

    private func texts(_ program: RunningProgram) -> String {
        program.lines.compactMap { StreamEvent($0)?.text }.joined(separator: "\n")
    }

    @Test(
        "A9 without a background mode, what is said behind Ctrl-Z and bg is dropped and never told, and fg brings it back"
    )
    func pauses() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let shell = try await shell(service)
        try shell.type(dictation(service) + "\n")
        try await shell.line(where: StreamEvent.isOf("started"))
        try shell.type("\u{1A}")
        try await shell.shows("Stopped")
        try shell.type("bg\n")
        let paused = try await shell.line(where: StreamEvent.isOf("paused"))
        #expect(StreamEvent(paused)?.reason == "background")
        // A witness in the foreground hears the same device; when it has the words, they have been said.
        let witness = try service.curl("/v1/dictation", ["-d", "{}"])
        try await witness.line(where: StreamEvent.isOf("started"))
        speak()
        try await witness.line { StreamEvent($0)?.type == "final" && $0.contains("go forward ten meters") }
        #expect(texts(shell).isEmpty)
        try shell.type("fg\n")
        let resumed = try await shell.line(where: StreamEvent.isOf("resumed"))
        #expect(StreamEvent(resumed)?.reason == "background")
        try await shell.line { StreamEvent($0)?.type == "final" && $0.contains("john") }
        for word in ["forward", "ten", "meters"] { #expect(!texts(shell).contains(word), "\(texts(shell))") }
        #expect(shell.lines.count(where: StreamEvent.isOf("paused")) == 1)
        #expect(shell.lines.count(where: StreamEvent.isOf("resumed")) == 1)
        try shell.type("\u{3}")
        try shell.type("exit\n")
        await shell.end()
    }

    @Test("A9 with audio in UIBackgroundModes a session continues in the background, and the indicator shows that")
    func goesOn() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            <key>UIBackgroundModes</key><array><string>audio</string></array>
            <key>NSSpeechRecognitionUsageDescription</key><string>To try it.</string>
            <key>NSMicrophoneUsageDescription</key><string>To try it.</string>
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/curl/Info.plist")
        let shell = try await shell(service)
        try shell.type(dictation(service) + "\n")
        try await shell.line(where: StreamEvent.isOf("started"))
        #expect(try await presences(service) == ["foreground"])
        try shell.type("\u{1A}")
        try await shell.shows("Stopped")
        try shell.type("bg\n")
        speak()
        try await shell.line { StreamEvent($0)?.type == "final" && $0.contains("go forward ten meters") }
        #expect(try await presences(service) == ["background"])
        #expect(!shell.lines.contains(where: StreamEvent.isOf("paused")))
    }

    private func presences(_ service: ServiceUnderTest) async throws -> [String] {
        let indicator = try service.curl("/v1/indicator")
        await indicator.end()
        let reply = try JSONSerialization.jsonObject(with: Data(indicator.lines.joined().utf8)) as? [String: Any]
        let sessions = try #require(reply?["sessions"] as? [[String: Any]])
        return sessions.compactMap { $0["presence"] as? String }
    }

    @Test("A9 a background job and a detached process are not in use: no prompt is shown, and the device stays closed")
    func background() async throws {
        var microphone = microphone
        microphone.openedFile = folder.path + "/opened"
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let shell = try await shell(service)
        for command in [dictation(service) + " & wait", "setsid --wait " + dictation(service)] {
            let before = shell.count(of: "notInUse")
            try shell.type(command + "\n")
            try await shell.shows("notInUse", times: before + 1)
        }
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
        // With permissions it is refused there too, and the refusal names the status that the client reads.
        for resource in ["speechRecognition", "microphone"] {
            try await service.run(["settings", "org.example.curl", "--allow", resource])
        }
        let before = shell.count(of: "notInUse")
        try shell.type(dictation(service) + " & wait\n")
        try await shell.shows("notInUse", times: before + 1)
        #expect(shell.count(of: #""status":"authorized""#) == 1, "\(shell.lines)")
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty)
    }

    @Test("A8 a grant for one use ends with its session when its client stays in the background")
    func once() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic")]),
            answers: [#"{"client":"*","resource":"*","answer":"once"}"#], options: ["--once-in-background", "1"])
        try service.registerCurl()
        let shell = try await shell(service)
        try shell.type(dictation(service) + "\n")
        try await shell.line(where: StreamEvent.isOf("started"))
        try shell.type("\u{1A}")
        try await shell.shows("Stopped")
        try shell.type("bg\n")
        let ended = try await shell.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "background")
        let stopped = try #require(try await service.records().last { $0.kind == "session.stopped" })
        #expect(stopped.text("reason") == "background")
        let listening = try #require(stopped.fields["listening"] as? [String: Any])
        let heard = try #require(listening["heard"] as? [String: Int])
        let dropped = try #require(listening["dropped"] as? [String: Int])
        // A second of the device in the background; none of it was heard. Audio not examined when the grant ended was
        // dropped because of that.
        let unheard = (dropped["background"] ?? 0) + (dropped["permissionEnded"] ?? 0)
        #expect(dropped["background"] != nil && unheard >= 900, "\(listening)")
        #expect(Set(heard.keys).isSubset(of: ["foreground"]), "\(listening)")
        #expect(stopped.fields["milliseconds"] as? Int == (Array(heard.values) + Array(dropped.values)).reduce(0, +))
        let status = try service.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""microphone":"notDetermined""#), "\(status.lines)")
    }

    @Test("A8 an unused grant for one use ends with its process")
    func onceUnused() async throws {
        let service = try await ServiceUnderTest(
            answers: [#"{"client":"*","resource":"microphone","answer":"once"}"#])
        try service.registerCurl()
        let changes = try service.curl("/v1/authorization/changes")
        try await changes.shows("notDetermined")
        let asking = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"microphone"}"#])
        await asking.end()
        #expect(asking.lines.joined().contains(#""microphone":"authorized""#), "\(asking.lines)")
        // The initial state, the grant, and its end; this process gets no permission.
        try await eventually { changes.lines.count >= 3 }
        #expect(!changes.lines.joined().contains(#""authorized""#), "\(changes.lines)")
    }

    @Test("A9 voicegate dictate says that it does not listen in the background, and that it listens again")
    func commandLine() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        let shell = try await shell(service)
        try shell.type("\(Programs.commandLine) dictate --socket \(service.socket)\n")
        try await shell.shows("Listening on")
        try shell.type("\u{1A}")
        try await shell.shows("Stopped")
        try shell.type("bg\n")
        try await shell.shows("Not listening in the background")
        try shell.type("fg\n")
        try await shell.shows("Listening again on")
        speak()
        try await shell.shows("go forward ten meters")
        try shell.type("\u{3}")
        try shell.type("echo status-$?-\n")
        try await shell.shows("status-0-")
    }
}
