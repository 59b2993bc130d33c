import Foundation
import ProgramSupport
import SocketAPI
import TestSupport
import Testing
import VoiceGateClient

@Suite("A. The model: changes", .timeLimit(.minutes(5)))
struct ChangesTests {
    private static let client = "org.example.tests"

    /// Makes this test's own program a client.
    private func registerTests(_ service: ServiceUnderTest) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(Self.client)</string>
            <key>CFBundleExecutable</key><string>\(program)</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>To try the library.</string>
            <key>NSMicrophoneUsageDescription</key><string>To try the library.</string>
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/tests/Info.plist")
    }

    private func set(_ service: ServiceUnderTest, _ option: String) async throws {
        #expect(try await service.run(["settings", Self.client, option, "microphone"]).status == 0)
    }

    private func microphone(_ change: PermissionChange?) -> AuthorizationStatus? {
        switch change {
        case .state(let resources, _), .changed(let resources, _): resources[.microphone]?.status
        case .gap, .unreachable, nil: nil
        }
    }

    @Test("A13 the library's manager reports each change in order, continues over a restart, and reports a gap")
    func manager() async throws {
        var service = try await ServiceUnderTest()
        try registerTests(service)
        let manager = AuthorizationManager(service: VoiceGateService(socketPath: service.socket))
        var changes = manager.changes.makeAsyncIterator()
        #expect(microphone(await changes.next()) == .notDetermined)
        for (option, status) in [
            ("--deny", AuthorizationStatus.denied), ("--ask", .notDetermined), ("--allow", .authorized),
        ] {
            try await set(service, option)
            #expect(microphone(await changes.next()) == status)
        }
        #expect(try await manager.status(of: .microphone) == .authorized)
        #expect(try await manager.recordPermission == .granted)
        service.program.signal(SIGKILL)
        await service.program.end()
        service = try await ServiceUnderTest(continuing: service)
        try await set(service, "--deny")
        // Whether it saw the service gone depends on when it looked.
        var next = await changes.next()
        if case .unreachable = next { next = await changes.next() }
        #expect(next == .gap)
        var status = microphone(await changes.next())
        if status == .authorized { status = microphone(await changes.next()) }
        #expect(status == .denied)
    }

    @Test("A13 a stream that was cut resumes after its cursor: no change is lost or repeated")
    func cursor() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        let first = try service.curl("/v1/authorization/changes")
        try await first.line { $0.contains(#""type":"state""#) }
        let run = { (option: String) in
            _ = try await service.run(["settings", "org.example.curl", option, "microphone"])
        }
        try await run("--deny")
        let line = try await first.line { $0.contains(#""type":"changed""#) }
        first.signal(SIGKILL)
        await first.end()
        try await run("--allow")
        try await run("--ask")
        // Of another client: not its business.
        _ = try await service.run(["settings", "io.voicegate.cli", "--deny", "microphone"])
        try await run("--deny")
        let cursor = try #require(
            try JSONCoding.decoder().decode([String: String].self, from: cursorPart(line))["cursor"])
        let second = try service.curl("/v1/authorization/changes?after=\(cursor)")
        try await second.line { $0.contains(#""status":"denied""#) }
        let events = try second.lines.map {
            try JSONCoding.decoder().decode(PermissionEvent.self, from: Data($0.utf8))
        }
        #expect(events.first == .resumed(cursor: cursor))
        let told = events.dropFirst().map { event -> AuthorizationStatus? in
            if case .changed(let resources, _, _) = event { resources[.microphone]?.status } else { nil }
        }
        #expect(told == [.authorized, .notDetermined, .denied])
        second.signal(SIGKILL)
        let bad = try service.curl("/v1/authorization/changes?after=yesterday", ["-w", "%{http_code}"])
        await bad.end()
        #expect(bad.lines.last?.hasSuffix("422") == true)
        let other = try service.curl("/v1/authorization/changes?after=another-life:3")
        try await other.line { $0.contains(#""type":"state""#) }
        #expect(other.lines.first == #"{"type":"gap"}"#)
        other.signal(SIGKILL)
    }

    private func cursorPart(_ line: String) throws -> Data {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return try JSONSerialization.data(withJSONObject: ["cursor": object["cursor"]])
    }

    @Test("A13 a client that never reads does not delay others")
    func neverReads() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        // Connects, asks and stops reading.
        let sleeper = try RunningProgram(
            [
                "/usr/bin/python3", "-c",
                """
                import socket, sys
                s = socket.socket(socket.AF_UNIX); s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
                s.connect(sys.argv[1])
                s.sendall(b"GET /v1/authorization/changes HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n")
                s.recv(1); print("asked", flush=True); sys.stdin.read()
                """, service.socket,
            ], environment: service.environment)
        try await sleeper.line { $0 == "asked" }
        let reader = try service.curl("/v1/authorization/changes")
        try await reader.line { $0.contains(#""type":"state""#) }
        for number in 1...20 {
            _ = try await service.run([number.isMultiple(of: 2) ? "unmute" : "mute"])
        }
        try await reader.line { $0.contains(#":20""#) }
        #expect(reader.lines.count { $0.contains(#""type":"changed""#) } == 20)
        reader.signal(SIGKILL)
        try sleeper.closeInput()
    }

    @Test("A2 one call asks for speech recognition first, and for the microphone only after a grant; a denial ends it")
    func sequence() async throws {
        let yes = ServiceUnderTest.yesToAll
        let no = [#"{"client":"*","resource":"speechRecognition","answer":"deny"}"#]
        for (answers, restricted, body, outcome, notices) in [
            (yes, String?.none, "{}", AuthorizationStatus.authorized, 2),
            (no, nil, "{}", .denied, 1),
            (yes, "microphone", #"{"scope":"always"}"#, .denied, 1),
            (yes, "speechRecognition", #"{"scope":"always"}"#, .restricted, 0),
        ] {
            let service = try await ServiceUnderTest(answers: answers)
            try service.registerCurl()
            if let restricted {
                let changes = try service.curl("/v1/authorization/changes")
                try service.folder.write("deny:\n  - resource: \(restricted)\n", to: "policy.d/rule.yaml")
                try await changes.line { $0.contains(#""status":"restricted""#) }
                changes.signal(SIGTERM)
            }
            // This test's own program is not a foreground job, and is not asked for; curl is.
            let request = try service.curl("/v1/authorization/requests", ["-d", body])
            await request.end()
            #expect(request.lines.joined().contains(#""microphone":"authorized""#) == (outcome == .authorized))
            if outcome != .authorized {
                #expect(request.lines.joined().contains(#""status":"\#(outcome.rawValue)""#), "\(request.lines)")
            }
            let asked = try await service.records().filter { $0.kind == "notice.shown" }.compactMap {
                $0.text("resource")
            }
            #expect(asked == Array(["speechRecognition", "microphone"].prefix(notices)))
        }
    }

    @Test("A4 the microphone's three words, and the table of equivalents in the documentation")
    func equivalents() throws {
        #expect(
            AuthorizationStatus.allCases.map(RecordPermission.init) == [.undetermined, .denied, .denied, .granted])
        let root = Checkout.root
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/Permissions.md"), encoding: .utf8)
        for status in AuthorizationStatus.allCases {
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(status.rawValue)` | `.") })
            #expect(row.contains("`.\(RecordPermission(status).rawValue)`"))
        }
    }
}
