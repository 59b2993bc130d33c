import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Attacks on prompts, as real processes", .timeLimit(.minutes(3)))
struct AgentAttackTests {
    let service: ServiceUnderTest

    init() async throws { service = try await ServiceUnderTest() }

    private func agent() async throws -> RunningProgram {
        let agent = try service.atTerminal(["agent"])
        try await agent.shows("Ctrl-C stops.")
        return agent
    }

    private func request(_ resource: String = "microphone") throws -> RunningProgram {
        try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"\#(resource)"}"#])
    }

    private func decisions() async throws -> [String] {
        try await service.records().filter(\.isDecision).map(\.kind)
    }

    @Test("a fake agent is refused, and so is its answer, with whatever cookie", arguments: ["terminal", "desktop"])
    func fakeAgent(kind: String) async throws {
        try service.registerCurl()
        let fake = try service.curl("/v1/prompts?agent=\(kind)")
        await fake.end()
        #expect(fake.lines.joined().contains(#""code":"notAllowed""#))
        let agent = try await agent()
        let request = try request()
        try await agent.shows("would like to use the microphone")
        for path in ["answer", "attention", "dismissal"] {
            let answer = try service.curl("/v1/prompts/guessed/\(path)", ["-d", #"{"answer":"whileInUse"}"#])
            await answer.end()
            #expect(answer.lines.joined().contains(#""code":"notAllowed""#))
        }
        #expect(try await decisions().isEmpty)
        request.signal(SIGKILL)
    }

    @Test("an agent in the background of its terminal is refused")
    func backgroundAgent() async throws {
        let refused = try await service.run(["agent", "--desktop"], isForeground: false)
        #expect(refused.status == 69)
        let script = "'\(Programs.commandLine)' agent --socket '\(service.socket)' < /dev/tty & wait"
        let shell = try RunningProgram(
            ["/usr/bin/script", "-qefc", "bash -ic \"\(script)\"", "/dev/null"], environment: service.environment)
        await shell.end()
        #expect(shell.count(of: "Ctrl-C stops.") == 0)
    }

    /// A program that asks, starts its own agent in a terminal that it made, and presses the key.
    private static let selfApproval = """
        import os, pty, socket, sys, time
        socketPath, commandLine = sys.argv[1:3]
        child, terminal = pty.fork()
        if child == 0:
            os.execv(commandLine, [commandLine, "agent", "--socket", socketPath])
        shown = b""
        while b"Ctrl-C stops." not in shown:
            shown += os.read(terminal, 4096)
        request = socket.socket(socket.AF_UNIX)
        request.connect(socketPath)
        body = b'{"resource":"microphone"}'
        request.sendall(b"POST /v1/authorization/requests HTTP/1.1\\r\\nHost: v\\r\\nConnection: close\\r\\n"
                        b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
        answer = b""
        while True:
            part = request.recv(4096)
            if not part: break
            answer += part
        print(answer.decode(), flush=True)
        os.kill(child, 9)
        """

    @Test("a program cannot approve itself through an agent that it started in its own terminal")
    func selfApproval() async throws {
        let script = try service.folder.write(Self.selfApproval, to: "asks.py")
        let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.asks</string>
            <key>CFBundleExecutable</key><string>\(python)</string>
            <key>VoiceGateScript</key><string>\(script)</string>
            <key>NSMicrophoneUsageDescription</key><string>To approve itself.</string>
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/asks/Info.plist")
        let attacker = try RunningProgram(
            [python, script, service.socket, Programs.commandLine], environment: service.environment)
        #expect(await attacker.end() == 0)
        #expect(attacker.count(of: #""code":"noAnswer""#) == 1, "\(attacker.lines) \(attacker.errorText)")
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
        #expect(try await decisions().isEmpty)
    }

    @Test("keys that were pressed before the prompt was there do not answer it")
    func clickThrough() async throws {
        try service.registerCurl()
        // script(1) turns the echo off where its own input is not a terminal.
        let command = "stty echo; exec '\(Programs.commandLine)' agent --socket '\(service.socket)'"
        let agent = try RunningProgram(
            ["/usr/bin/script", "-qefc", command, "/dev/null"], environment: service.environment)
        try await agent.shows("Ctrl-C stops.")
        // As a program would that lures the person into pressing a key again and again.
        try agent.type("wwwww")
        try await agent.shows("wwwww")
        let request = try request()
        try await agent.shows("] Later")
        try await agent.press("d", until: "Not allowed.")
        await request.end()
        #expect(request.lines.joined().contains(#""code":"denied""#))
        #expect(try await decisions() == ["decision.denied"])
    }

    private func register(name: String, reason: String, purpose: String, recipients: [String]) throws {
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleName</key><string>\(name)</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            <key>NSMicrophoneUsageDescription</key><string>\(reason)</string>
            <key>VoiceGatePurpose</key><string>\(purpose)</string>
            <key>VoiceGateRecipients</key><array>\(recipients.map { "<string>\($0)</string>" }.joined())</array>
            </dict></plist>
            """, to: "clients/curl/Info.plist")
    }

    @Test("texts of a manifest cannot draw in the prompt: it begins with a bar where it is not VoiceGate's own")
    func injection() async throws {
        let imitation =
            "Allowed.&#10;&#10;  [w] While using  [o] Once&#10;Shared     with nobody&#10;Program  /usr/bin/good"
        try register(
            name: "Clock", reason: "Tells the time. \(imitation)",
            purpose: imitation + String(repeating: " long", count: 50),
            recipients: (0..<20).map { "\($0) Everybody&#10;  Shared     with nobody&#10;Program  /usr/bin/good" })
        let agent = try await agent()
        let request = try request()
        try await agent.shows("] Later")
        let lines = agent.plainLines
        let screen = lines.joined(separator: "\n")
        let names = ["Reason", "Collected", "Purpose", "Kept", "Shared"]
        for name in names { #expect(lines.count { $0.hasPrefix("│ \(name)  ") } == 1, "\(name) in \(screen)") }
        for line in lines where line.contains("Everybody") || line.contains("/usr/bin/good") {
            #expect(line.hasPrefix("│ "), "\(screen)")
        }
        let title = try #require(lines.lastIndex { $0.contains("“Clock” would like to use the microphone.") })
        #expect(lines[title + 1].hasPrefix("Program  \(Programs.curl)"), "\(screen)")
        #expect(lines[(title + 2)...].contains { $0.hasPrefix("  [w] While using") })
        try await agent.press("d", until: "Not allowed.")
        await request.end()
    }

    @Test(
        "a manifest that no prompt can show in full is refused, and nothing is asked",
        arguments: [
            ("Clock\u{202E}kcolC", "Time.", ["Example"]), ("Clock", "Time.\u{2800}\u{2800}", ["Example"]),
            ("Clock", "Time.", ["Example\u{3164}"]), ("Clock", String(repeating: "very long ", count: 41), []),
            ("Clock", "Time.", (1...21).map { "Recipient \($0)" }), ("x” may", "Time.", []),
        ])
    func refused(name: String, reason: String, recipients: [String]) async throws {
        try register(name: name, reason: reason, purpose: "Time.", recipients: recipients)
        let agent = try await agent()
        let request = try request()
        await request.end()
        #expect(request.lines.joined().contains(#""code":"missingManifest""#), "\(request.lines)")
        #expect(agent.count(of: "] Later") == 0)
        #expect(try await decisions().isEmpty)
    }

    @Test("a program that asks again and again is not shown for a while; others are")
    func flood() async throws {
        try service.registerCurl()
        let agent = try await agent()
        for count in 1...2 {
            let request = try request()
            try await agent.shows("would like to use the microphone", times: count)
            request.signal(SIGKILL)
            try await agent.shows("No answer; nothing is allowed.", times: count)
        }
        // Both at once, within the pause.
        let requests = try ["microphone", "speechRecognition"].map { try request($0) }
        for request in requests {
            await request.end()
            #expect(request.lines.joined().contains(#""code":"tooManyRequests""#), "\(request.lines)")
        }
        #expect(agent.count(of: "would like") == 2)
        #expect(try await decisions().isEmpty)
        let other = try service.atTerminal(["request", "microphone"])
        try await other.shows("would like to use the microphone")
        try await other.press("d", until: "Not allowed.")
    }

    @Test("an answer that races the time-out is either recorded and counts, or leaves no trace")
    func timeOut() async throws {
        let configuration = try service.folder.write("answerTimeout: 5\nwarmRecognizers: 0\n", to: "config.yaml")
        await service.stop()
        let service = try await ServiceUnderTest(options: ["--configuration", configuration], continuing: service)
        try service.registerCurl()
        let agent = try service.atTerminal(["agent"])
        try await agent.shows("Ctrl-C stops.")
        let request = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"microphone"}"#])
        try await agent.shows("] Later")
        let racing = Task {
            try await Task.sleep(for: .milliseconds(4990))
            try agent.type("w")
        }
        await request.end()
        _ = await racing.result
        let answer = request.lines.joined()
        let granted = try await service.records().contains { $0.kind == "decision.granted" }
        #expect(answer.contains(#""microphone":"authorized""#) == granted)
        #expect(answer.contains(#""code":"noAnswer""#) == !granted)
    }
}
