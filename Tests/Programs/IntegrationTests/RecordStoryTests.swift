import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// One long story with the real service, whose records are held against their schema.
@Suite("The records of a long story", .timeLimit(.minutes(5)))
struct RecordStoryTests {
    private static let client = "org.example.curl"

    /// What the story brings about, of all that can be written.
    private static let kinds: Set<String> = [
        "log.genesis", "decision.asked", "notice.shown", "notice.changed", "decision.granted", "decision.renewed",
        "decision.denied", "decision.deferred", "decision.withdrawn", "decision.upgradeRequested", "access.blocked",
        "session.started", "session.stopped", "data.retained", "data.shared", "data.erased", "policy.changed",
        "restricted.by_policy", "revoked.by_admin", "service.muted", "service.unmuted", "monitor.registered",
        "monitor.removed", "export.made", "request.received", "request.answered", "recovery", "key.rotated",
    ]

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("every record that the service writes passes the schema")
    func schema() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let configuration = try folder.write(
            "controller:\n  name: Example Ltd\n  contact: privacy@example.org\njurisdiction: DE\nwarmRecognizers: 0\n",
            to: "config.yaml")
        let options = ["--configuration", configuration, "--quiet-pause", "0.1"]
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]),
            answers: [
                #"{"client":"*","resource":"microphone","answer":"later","times":1}"#,
                #"{"client":"*","resource":"*","answer":"whileInUse"}"#,
                #"{"client":"*","resource":"*","question":"upgradeToAlways","answer":"whileInUse"}"#,
            ], options: options)
        try await ask(service)
        try await restrict(service)
        try await decide(service)
        try await listen(service)
        #expect(
            try await service.run(["audit", "export", "--format", "csv", "--output", folder.path + "/csv"]).status == 0)
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        service.program.signal(SIGKILL)
        await service.program.end()
        await dictation.end()
        let next = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: options, continuing: service)
        #expect(try await next.run(["audit", "erase", "--yes", "--client", "org.example.other"]).status == 0)
        #expect(try await next.run(["reset", "--client", Self.client]).status == 0)
        let records = try await next.records { $0.contains { $0.kind == "data.erased" } }
        #expect(Self.kinds.subtracting(records.map(\.kind)).isEmpty)
        for record in records where record.kind.hasPrefix("decision.") && record.text("notice") != nil {
            #expect((record.fields["controller"] as? [String: Any])?["name"] as? String == "Example Ltd")
            #expect(record.text("jurisdiction") == "DE")
        }
        try await expectValid(next)
        #expect(try await next.run(["audit", "erase", "--yes", "--until", "2999-01-01"]).status == 0)
        try await expectValid(next)
        #expect(try await next.run(["audit", "verify"]).status == 0)
    }

    /// Later to the microphone; then a manifest that says something else, shares, and has VoiceGate keep something.
    private func ask(_ service: ServiceUnderTest) async throws {
        try service.registerCurl()
        let first = try service.curl("/v1/dictation", ["-d", "{}"])
        await first.end()
        try service.registerCurl(keeping: ["recording": "P7D"])
        let path = service.clientsDirectory + "/curl/Info.plist"
        let manifest = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(
                "<key>VoiceGateRecipients</key><array/>",
                with: "<key>VoiceGateRecipients</key><array><string>Example Cloud</string></array>")
        try service.folder.write(manifest, to: "clients/curl/Info.plist")
        let upgrade = try service.curl(
            "/v1/authorization/requests", ["-d", #"{"resource":"microphone","scope":"always"}"#])
        await upgrade.end()
        _ = try await service.records { $0.contains { $0.kind == "decision.renewed" } }
    }

    private func listen(_ service: ServiceUnderTest) async throws {
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        let started = try await dictation.line(where: StreamEvent.isOf("started"))
        let session = try #require(StreamEvent(started)?.fields["session"] as? String)
        try await dictation.line(where: StreamEvent.isOf("partial"))
        let end = try service.curl("/v1/dictation/\(session)/end", ["-X", "POST"])
        await end.end()
        await dictation.end()
    }

    private func restrict(_ service: ServiceUnderTest) async throws {
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        let path = try service.folder.write(
            "deny:\n  - resource: all\n    hours: 00:00-24:00\n    days: [mon, tue, wed, thu, fri, sat, sun]\n",
            to: "policy.d/a.yaml")
        try await dictation.line(where: StreamEvent.isOf("ended"))
        await dictation.end()
        let refused = try service.curl("/v1/dictation", ["-d", "{}"])
        await refused.end()
        try FileManager.default.removeItem(atPath: path)
        let applied = { (records: [Record]) in records.count { $0.kind == "policy.changed" } == 2 }
        _ = try await service.records(when: applied)
    }

    private func decide(_ service: ServiceUnderTest) async throws {
        for arguments in [
            ["mute"], ["unmute"], ["settings", Self.client, "--deny", "microphone"],
            ["settings", "io.voicegate.cli", "--deny", "microphone"],
            ["settings", "io.voicegate.cli", "--ask", "microphone"],
        ] {
            let (status, _, errors) = try await service.run(arguments)
            #expect(status == 0, "\(arguments): \(errors)")
        }
        let denied = try service.curl("/v1/dictation", ["-d", "{}"])
        await denied.end()
        for resource in ["microphone", "speechRecognition"] {
            #expect(try await service.run(["settings", Self.client, "--allow", resource]).status == 0)
        }
        let monitor = try service.curl("/v1/monitors", ["-d", #"{"kind":"soundBegan","action":"start"}"#])
        await monitor.end()
        let added = try #require(
            try JSONSerialization.jsonObject(with: Data(monitor.lines.joined().utf8)) as? [String: Any])
        let identifier = try #require(added["monitor"] as? String)
        let removal = try service.curl("/v1/monitors/\(identifier)", ["-X", "DELETE"])
        await removal.end()
        // Asked again, with the notice that says what is kept.
        #expect(try await service.run(["reset", "--client", Self.client]).status == 0)
    }

    private func expectValid(_ service: ServiceUnderTest) async throws {
        let (status, output, _) = try await service.run(["audit", "records", "--json"])
        #expect(status == 0)
        let file = try folder.write(output.joined(separator: "\n") + "\n", to: "records.jsonl")
        let schema = Checkout.root.appending(path: "Documentation/consent-record.schema.json").path
        let found = try await PythonTools.run("check-records", [schema, file])
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
}
