import Foundation
import Glibc
import ProgramSupport
import SocketAPI
import TestSupport
import Testing

@Suite("E. Monitors", .timeLimit(.minutes(5)))
struct MonitorTests {
    private static let client = "org.example.helper"

    let folder: TemporaryFolder
    let speech: String
    var spoken: String { folder.path + "/spoken" }
    var started: String { folder.path + "/started" }
    var goOn: String { folder.path + "/go-on" }

    init() throws {
        folder = try TemporaryFolder()
        var samples = try Data(contentsOf: URL(fileURLWithPath: Programs.goForward))
        samples.append(Data(count: 2 * 32_000))
        speech = try folder.write(samples, to: "speech.raw")
        for pipe in [started, goOn] { mkfifo(pipe, 0o600) }
    }

    private func service(
        environment: [String: String] = [:], continuing: ServiceUnderTest? = nil
    ) async throws -> ServiceUnderTest {
        var microphone = VirtualMicrophone(name: "mic", file: speech)
        microphone.waitForFile = spoken
        microphone.loops = true
        microphone.openedFile = folder.path + "/opened"
        return try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll, continuing: continuing,
            environment: environment)
    }

    /// A program of its own, so that a yes is for it alone. It says how it was started and then does what it is told.
    private func register(_ service: ServiceUnderTest) throws {
        let program = try folder.write(
            """
            #!/bin/sh
            echo "$VOICEGATE_LAUNCH_REASON|$VOICEGATE_PHRASE|$VOICEGATE_MONITOR|$VOICEGATE_SOCKET|$$|$SECRET" > \(started)
            read word < \(goOn)
            exit "$word"
            """, to: "helper", permissions: 0o755)
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(Self.client)</string>
            <key>CFBundleDisplayName</key><string>Helper &amp; &lt;b&gt;co&lt;/b&gt;</string>
            <key>CFBundleExecutable</key><string>\(program)</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>To obey you.</string>
            <key>NSMicrophoneUsageDescription</key><string>To hear you.</string>
            <key>VoiceGateRecipients</key><array/>
            <key>VoiceGateLaunchCommand</key><array><string>\(program)</string><string>--woken</string></array>
            </dict></plist>
            """, to: "clients/helper/Info.plist")
    }

    private func allow(_ service: ServiceUnderTest, scope: String) async throws {
        for resource in ["speechRecognition", "microphone"] {
            let first = try await service.run(["settings", Self.client, "--allow", resource])
            #expect(first.status == 0, "\(first)")
            if scope == "always" {
                let second = try await service.run(["settings", Self.client, "--allow", resource, "--scope", scope])
                #expect(second.status == 0, "\(second)")
            }
        }
    }

    private func speak() { _ = FileManager.default.createFile(atPath: spoken, contents: nil) }

    /// Waits until the client has told how it was started.
    private func report() async throws -> [String] {
        let reader = try RunningProgram(["/bin/cat", started], environment: [:], isForeground: false)
        await reader.end()
        return try #require(reader.lines.first).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    /// Lets the client that runs end.
    private func end(_ status: Int) async throws {
        let writer = try RunningProgram(
            ["/bin/sh", "-c", "echo \(status) > \(goOn)"], environment: [:], isForeground: false)
        await writer.end()
    }

    private func add(_ service: ServiceUnderTest, _ options: [String] = []) async throws -> String {
        let added = try await service.run(["monitor", "add", "--client", Self.client] + options)
        #expect(added.status == 0, "\(added)")
        return try #require(added.output.first)
    }

    private func shown(_ service: ServiceUnderTest) async throws -> [String: Any]? {
        let list = try await service.run(["monitor", "list", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(list.output.joined().utf8)) as? [String: Any]
        return (object?["monitors"] as? [[String: Any]])?.first
    }

    /// The kinds of the records about monitors, in order.
    private func occurrences(_ service: ServiceUnderTest) async throws -> [String] {
        try await service.records().map(\.kind).filter { $0.hasPrefix("monitor.") }
    }

    @Test("E1 with always, a sound starts the client's command with its reason, across a restart of the service")
    func soundStarts() async throws {
        let first = try await service()
        try register(first)
        try await allow(first, scope: "always")
        let monitor = try await add(first)
        #expect(await first.stop() == 0)
        let service = try await service(environment: ["SECRET": "not for clients"], continuing: first)
        speak()
        let report = try await report()
        #expect(report[0] == "soundBegan")
        #expect(report[1].isEmpty)
        #expect(report[2] == monitor)
        #expect(report[3] == service.socket)
        #expect(report[5].isEmpty, "the environment is clean")
        // It leads a session of its own.
        let process = try #require(Int32(report[4]))
        #expect(getsid(process) == process)
        // While it runs nobody listens for it.
        #expect(try await shown(service)?["state"] as? String == "running")
        let log = VirtualMicrophoneLog(folder.path + "/opened")
        #expect(log.count(.open) == log.count(.close))
        try await service.run(["monitor", "remove", monitor])
        try await end(0)
        try await eventually { try await occurrences(service).contains("monitor.exited") }
        let sessions = try await service.records().filter { $0.kind == "session.stopped" }
        let triggered = try #require(sessions.first { $0.text("reason") == "triggered" })
        let listening = try #require(triggered.fields["listening"] as? [String: Any])
        #expect((listening["heard"] as? [String: Int])?.keys.sorted() == ["sound"])
        let starts = try await service.records().filter { $0.kind == "session.started" }.compactMap {
            $0.text("session")
        }
        #expect(sessions.compactMap { $0.text("session") }.allSatisfy(starts.contains))
        #expect(
            try await occurrences(service) == [
                "monitor.registered", "monitor.triggered", "monitor.removed", "monitor.exited",
            ])
        await service.stop()
    }

    @Test("E1 a client that is killed is backed off, each failure is a record, and a revocation ends the monitor")
    func backedOff() async throws {
        let service = try await service()
        try register(service)
        try await allow(service, scope: "always")
        _ = try await add(service)
        speak()
        for _ in 0..<2 {
            let report = try await report()
            kill(try #require(Int32(report[4])), SIGKILL)
        }
        try await eventually { try await occurrences(service).count { $0 == "monitor.exited" } == 2 }
        let state = try #require(try await shown(service))
        #expect(state["failures"] as? Int == 2)
        #expect(state["state"] as? String == "waiting")
        #expect(state["nextAttempt"] is String)
        let exits = try await service.records().filter { $0.kind == "monitor.exited" }
        #expect(exits.allSatisfy { $0.fields["status"] as? Int == 128 + 9 })
        try await service.run(["settings", Self.client, "--deny", "microphone"])
        try await eventually { try await occurrences(service).contains("monitor.removed") }
        #expect(try await shown(service) == nil)
        let removed = try await service.records().last { $0.kind == "monitor.removed" }
        #expect(removed?.text("reason") == "revoked")
        await service.stop()
    }

    @Test("E1 a key phrase starts the client with the phrase, and its record has nothing else of what was said")
    func phraseStarts() async throws {
        let service = try await service()
        try register(service)
        try await allow(service, scope: "always")
        let monitor = try await add(service, ["--phrase", "Ten meters"])
        speak()
        let report = try await report()
        #expect(report[0] == "keyPhrase")
        #expect(report[1] == "Ten meters")
        #expect(try await !service.records().contains { $0.mentions("forward") })
        try await service.run(["monitor", "remove", monitor])
        try await end(0)
        await service.stop()
    }

    @Test("A10 without always nothing is started: a monitor is refused, and the device stays closed")
    func needsAlways() async throws {
        let service = try await service()
        try register(service)
        try await allow(service, scope: "whileInUse")
        let refused = try await service.run(["monitor", "add", "--client", Self.client])
        #expect(refused.status == 77)
        #expect(refused.errors.contains("--scope always"))
        let unknown = try await service.run(
            ["monitor", "add", "--client", Self.client, "--notify", "--phrase", "say grumblefrotz"])
        #expect(unknown.errors.contains("grumblefrotz"))
        speak()
        #expect(try await occurrences(service).isEmpty)
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty)
        await service.stop()
    }

    // notify-send is a stand-in, because a test has no desktop; that a bus is there is said by its variable.
    @Test("E2 a phrase raises a notification and starts nothing, and while in use is enough")
    func notifies() async throws {
        let notified = folder.path + "/notified"
        try folder.write(
            """
            #!/bin/sh
            case "$*" in *"waits for you"*) printf '%s\\n' "$@" >> \(notified);; esac
            """, to: "bin/notify-send", permissions: 0o755)
        let service = try await service(environment: [
            "PATH": folder.path + "/bin:/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ])
        try register(service)
        try await allow(service, scope: "whileInUse")
        _ = try await add(service, ["--phrase", "go forward ten meters", "--notify"])
        speak()
        var text = ""
        try await eventually {
            text = (try? String(contentsOfFile: notified, encoding: .utf8)) ?? ""
            return text.contains("To go on")
        }
        #expect(text.contains("“go forward ten meters” was said"))
        #expect(text.contains("start Helper &amp; &lt;b&gt;co"), "\(text)")
        #expect(try await !occurrences(service).contains("monitor.exited"))
        await service.stop()
    }

    @Test("E2 without a desktop the failure is a record that says so")
    func noDesktop() async throws {
        let service = try await service(environment: [
            "DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nonexistent",
        ])
        try register(service)
        try await allow(service, scope: "whileInUse")
        _ = try await add(service, ["--notify"])
        speak()
        try await eventually { try await occurrences(service).contains("monitor.failed") }
        let failed = try await service.records().first { $0.kind == "monitor.failed" }
        let reason = try #require(failed?.text("reason"))
        #expect(reason.contains("notify-send") || reason.contains("bus"))
        await service.stop()
    }
}
