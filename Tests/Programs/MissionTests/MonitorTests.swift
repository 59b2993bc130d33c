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

    /// A separate program, so that a grant is for it alone. It prints how it was started and then follows its instructions.
    private func register(_ service: ServiceUnderTest) throws {
        let program = try folder.write(
            """
            #!/bin/sh
            echo "$VOICEGATE_LAUNCH_REASON|$VOICEGATE_PHRASE|$VOICEGATE_MONITOR|$VOICEGATE_SOCKET|$$|$SECRET|$VOICEGATE_TIME|$VOICEGATE_EVENTS" > \(started)
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
        let launch = try #require(MonitorLaunch(environment: ["VOICEGATE_EVENTS": report[7]]))
        #expect(launch.events.count == 1)
        #expect(launch.events.first?.monitor == monitor)
        #expect(report[7].contains(#""time":"\#(report[6])""#), "\(report)")
        // It leads its own session.
        let process = try #require(Int32(report[4]))
        #expect(getsid(process) == process)
        // While it runs, the monitor does not listen for it.
        #expect(try await shown(service)?["state"] as? String == "running")
        let log = VirtualMicrophoneLog(folder.path + "/opened")
        #expect(log.count(.open) == log.count(.close))
        #expect(try await service.run(["monitor", "remove", "zz"]).status == 66)
        #expect(try await service.run(["monitor", "remove", String(monitor.prefix(6))]).status == 0)
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
        let occurred = try await occurrences(service)
        #expect(
            occurred == [
                "monitor.registered", "monitor.triggered", "monitor.started", "monitor.removed", "monitor.exited",
            ])
        await service.stop()
    }

    @Test(
        "E1 a client that is killed is started less often each time; each failure is a record, and a revocation ends the monitor"
    )
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
        try await eventually { try await shown(service)?["failures"] as? Int == 2 }
        let state = try #require(try await shown(service))
        #expect(state["state"] as? String == "waiting")
        #expect(state["nextAttempt"] is String)
        #expect(state["failure"] as? String == "Its program ended with status 137.")
        let exits = try await service.records().filter { $0.kind == "monitor.exited" }
        #expect(exits.allSatisfy { $0.fields["status"] as? Int == 128 + 9 })
        try await service.run(["settings", Self.client, "--deny", "microphone"])
        try await eventually { try await occurrences(service).contains("monitor.removed") }
        #expect(try await shown(service) == nil)
        let removed = try await service.records().last { $0.kind == "monitor.removed" }
        #expect(removed?.text("reason") == "revoked")
        await service.stop()
    }

    @Test("E1 a client's end is recorded across a restart of the service, which starts no second one meanwhile")
    func restarted() async throws {
        let first = try await service()
        try register(first)
        try await allow(first, scope: "always")
        _ = try await add(first)
        speak()
        _ = try await report()
        await first.stop()
        let second = try await service(continuing: first)
        #expect(try await shown(second)?["state"] as? String == "running")
        #expect(try await occurrences(second).count { $0 == "monitor.triggered" } == 1)
        try await end(0)
        // It listens again and starts the next one; this one ends while the service does not run.
        let process = try #require(Int32(try await report()[4]))
        await second.stop()
        kill(process, SIGKILL)
        // It may stay a zombie, whose parent is the system's first process.
        try await eventually {
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.contains(") Z") ?? true
        }
        let third = try await service(continuing: second)
        try await eventually { try await occurrences(third).count { $0 == "monitor.exited" } == 2 }
        let exits = try await third.records().filter { $0.kind == "monitor.exited" }
        #expect(exits[0].fields["statusUnknown"] as? Bool == true)
        #expect(exits[1].fields["whileStopped"] as? Bool == true)
        await third.stop()
    }

    @Test("E1 a client that runs is told over its connection, in the foreground with while in use, and is not started")
    func told() async throws {
        let service = try await service()
        try service.registerCurl()
        for resource in ["speechRecognition", "microphone"] {
            try await service.run(["settings", "org.example.curl", "--allow", resource])
        }
        let registering = try service.curl("/v1/monitors", ["-d", #"{"kind":"soundBegan","action":"start"}"#])
        await registering.end()
        #expect(try await shown(service)?["reason"] as? String == "notInUse", "\(registering.lines)")
        speak()
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty, "nothing listens while it does not run")
        let stream = try service.curl("/v1/monitors/events", ["-i"])
        let line = try await stream.line { $0.contains(#""triggered""#) }
        let event = try JSONCoding.decoder().decode(MonitorEvent.self, from: Data(line.utf8))
        #expect(event.kind == "soundBegan")
        #expect(try await shown(service)?["state"] as? String == "running")
        for status in ["204", "404"] {
            let acknowledging = try service.curl(
                "/v1/monitors/events/\(event.event)/acknowledgement", ["-X", "POST", "-w", "%{http_code}"])
            await acknowledging.end()
            #expect(acknowledging.lines.last?.hasSuffix(status) == true, "\(acknowledging.lines)")
        }
        // The loop goes on, and it is told again; it goes without an acknowledgement, and cannot be started.
        try await stream.lines(2) { $0.contains(#""triggered""#) }
        stream.signal(SIGKILL)
        try await eventually { try await occurrences(service).contains("monitor.failed") }
        #expect(try await !occurrences(service).contains("monitor.started"))
        #expect((try await shown(service)?["failure"] as? String)?.contains("acknowledged") == true)
        await service.stop()
    }

    @Test("E1 a monitor that cannot work is refused at registration, with the reason and what to do")
    func refused() async throws {
        let service = try await service()
        try register(service)
        let missing = try await service.run(["monitor", "add", "--client", Self.client])
        #expect(missing.status == 77, "no permission: \(missing)")
        try await allow(service, scope: "always")
        for phrase in ["", "...", "say grumblefrotz"] {
            let refused = try await service.run(["monitor", "add", "--client", Self.client, "--phrase", phrase])
            #expect(refused.status == 64, "“\(phrase)”: \(refused)")
        }
        unlink(folder.path + "/helper")
        let gone = try await service.run(["monitor", "add", "--client", Self.client])
        #expect(gone.status != 0)
        #expect(try await occurrences(service).isEmpty)
        await service.stop()

        let configuration = try folder.write("warmRecognizers: 0\ndevice: nowhere\n", to: "config.yaml")
        let absent = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration])
        try absent.registerCurl()
        try await absent.run(["settings", "org.example.curl", "--allow", "microphone"])
        let refused = try await absent.run(["monitor", "add", "--client", "org.example.curl", "--notify"])
        #expect(refused.status == 69, "\(refused)")
        #expect(refused.errors.contains("nowhere"))
        #expect(try await occurrences(absent).isEmpty)
        await absent.stop()
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
        #expect(try await service.run(["monitor", "remove", "zz"]).status == 66)
        #expect(try await service.run(["monitor", "remove", String(monitor.prefix(6))]).status == 0)
        try await end(0)
        await service.stop()
    }

    // notify-send is a stand-in, because a test has no desktop; that a bus is there is said by its variable.
    @Test(
        "E2 a phrase raises a notification once and starts nothing; while in use is enough, and listeners are shown")
    func notifies() async throws {
        let notified = folder.path + "/notified"
        try folder.write(
            """
            #!/bin/sh
            printf '%s\\n' "$@" >> \(notified)
            """, to: "bin/notify-send", permissions: 0o755)
        let service = try await service(environment: [
            "PATH": folder.path + "/bin:/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ])
        try register(service)
        try await allow(service, scope: "whileInUse")
        _ = try await add(service, ["--phrase", "go forward ten meters", "--notify", "--once"])
        let indicator = try service.commandLine(["status", "--follow", "--json"])
        try await indicator.line { $0.contains(#""phrases":["go forward ten meters"]"#) }
        indicator.signal(SIGTERM)
        speak()
        var text = ""
        try await eventually {
            text = (try? String(contentsOfFile: notified, encoding: .utf8)) ?? ""
            return text.contains("To go on")
        }
        #expect(text.contains("“go forward ten meters” was said"))
        #expect(text.contains("start Helper &amp; &lt;b&gt;co"), "\(text)")
        #expect(text.contains("VoiceGate listens in the background for “go forward ten meters”"), "\(text)")
        #expect(try await !occurrences(service).contains("monitor.exited"))
        try await eventually { try await occurrences(service).last == "monitor.removed" }
        let removed = try await service.records().last { $0.kind == "monitor.removed" }
        #expect(removed?.text("reason") == "once")
        #expect(try await shown(service) == nil)
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
