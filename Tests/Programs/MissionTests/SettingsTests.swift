import Authorization
import Foundation
import ProgramSupport
import SocketAPI
import TestSupport
import Testing

@Suite("B5, B6, B8, A8. Settings", .timeLimit(.minutes(5)))
struct SettingsTests {
    let service: ServiceUnderTest
    let client = "org.example.curl"

    init() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.loops = true
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]),
            answers: [#"{"client":"*","resource":"*","answer":"once"}"#])
        try service.registerCurl()
    }

    private func entry(_ resource: Resource, of name: String? = nil) async throws -> SettingsEntry {
        let (status, output, errors) = try await service.run(["settings", name ?? client, "--json"])
        #expect(status == 0, "\(errors)")
        let reply = try JSONCoding.decoder().decode(SettingsReply.self, from: Data(output.joined().utf8))
        return try #require(reply.entries.first { $0.resource == resource })
    }

    private func change(_ options: String...) async throws -> (status: Int32, output: [String], errors: String) {
        try await service.run(["settings", client] + options)
    }

    @Test("A8 once is shown as ask next time, while it lasts and after it")
    func once() async throws {
        let session = try service.curl("/v1/dictation", ["-d", #"{"device":"mic"}"#])
        try await session.line(where: StreamEvent.isOf("started"))
        let during = try await entry(.microphone)
        #expect(during.isAllowedOnce == true)
        #expect(during.status == .notDetermined)
        let listed = try await change().output
        #expect(listed.contains { $0.contains(" microphone ") && $0.contains("ask next time") }, "\(listed)")
        session.signal(SIGKILL)
        await session.end()
        var after = try await entry(.microphone)
        while after.isAllowedOnce == true { after = try await entry(.microphone) }
        #expect(after.status == .notDetermined)
        #expect(after.decidedAt == nil)
        let shown = try await change()
        #expect(shown.output.contains { $0.contains(" microphone ") && $0.contains("ask next time") }, "\(shown)")
        #expect(shown.output.contains { $0.contains("decision.granted") && $0.contains("once") }, "\(shown)")
    }

    @Test("B5 denied: no second prompt, and the command that the refusal names changes the decision")
    func denied() async throws {
        #expect(try await change("--deny", "microphone", "--allow", "speechRecognition").status == 0)
        let notices = try await service.records().count { $0.kind == "notice.shown" }
        let refused = try service.curl("/v1/dictation", ["-d", #"{"device":"mic"}"#])
        await refused.end()
        let reply = try JSONCoding.decoder().decode(ErrorReply.self, from: Data(refused.lines.joined().utf8))
        #expect(reply.error.code == "denied")
        #expect(reply.error.message.contains("You did not allow"))
        #expect(try await service.records().count { $0.kind == "notice.shown" } == notices)
        let words = try #require(reply.error.settings).split(separator: " ").map(String.init)
        #expect(words.first == "voicegate")
        let opened = try await service.run(Array(words.dropFirst()))
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(try await entry(.microphone).status == .authorized)
    }

    @Test("B6 each status has its own words, with why, when, how and to whom it was granted")
    func views() async throws {
        #expect(try await entry(.microphone).status == .notDetermined)
        #expect(try await change("--allow", "microphone").output.contains { $0.contains("allowed while using") })
        let allowed = try await entry(.microphone)
        #expect(allowed.usageDescription == "To try the socket.")
        #expect(allowed.indication == .settings)
        #expect(allowed.decidedAt != nil)
        #expect(allowed.program?.path == Programs.curl)
        #expect(allowed.program?.sha256.count == 16)
        #expect(allowed.isChanged == nil)
        let expiry = try #require(allowed.expiresAt).timeIntervalSince(try #require(allowed.usedAt))
        #expect(expiry == 90 * 86_400)
        let details = try await change().output.joined(separator: "\n")
        for part in ["“To try the socket.”", "in settings", "unless it is used before", Programs.curl] {
            #expect(details.contains(part), "\(details)")
        }
        #expect(try await change("--deny", "microphone").output.contains { $0.contains(" denied ") })
        let path = try service.folder.write(
            "deny:\n  - resource: microphone\n    reason: No recording here.\n", to: "policy.d/a.yaml")
        let changes = try service.curl("/v1/authorization/changes")
        try await changes.line { $0.contains(#""microphone":"restricted""#) }
        let restricted = try await change()
        #expect(restricted.output.contains { $0.contains("restricted by policy") })
        #expect(restricted.output.contains { $0.contains("No recording here.") })
        #expect(try await entry(.microphone).status == .restricted)
        #expect(try await entry(.microphone).verdict == .denied)
        try FileManager.default.removeItem(atPath: path)
        changes.signal(SIGKILL)
    }

    @Test("A6 always is only an upgrade of while using, and a change of one thing leaves the others as they are")
    func upgrade() async throws {
        let refused = try await change("--allow", "microphone", "--scope", "always")
        #expect(refused.status == 77)
        #expect(refused.errors.contains("First: voicegate settings \(client) --allow microphone"))
        #expect(try await entry(.microphone).status == .notDetermined)
        #expect(try await change("--allow", "microphone").status == 0)
        #expect(try await change("--allow", "microphone", "--scope", "always").status == 0)
        #expect(try await entry(.microphone).scope == .always)
        #expect(try await entry(.microphone).reviewAt != nil)
        #expect(try await change("--allow", "microphone").status == 0)
        #expect(try await entry(.microphone).scope == .always)
        let reduced = try await change("--allow", "speechRecognition", "--fidelity", "reduced")
        #expect(reduced.status == 64)
        #expect(reduced.errors.contains("VoiceGatePhrases"))
        for wrong in [["--scope", "always"], ["--allow", "microphone", "--scope", "once"], ["--fidelity", "full"]] {
            #expect(try await service.run(["settings", client] + wrong).status == 64)
        }
    }

    @Test("A7 an always that waits for its answer is shown, and can be answered in settings")
    func provisional() async throws {
        #expect(try await change("--allow", "microphone", "--ask", "speechRecognition").status == 0)
        #expect(try await change("--ask", "microphone").status == 0)
        let script = try service.folder.write(
            #"{"client":"*","resource":"*","answer":"whileInUse"}"# + "\n", to: "yes.jsonl")
        await service.stop()
        let next = try await ServiceUnderTest(
            answers: nil, options: ["--agent", "script:\(script)"], continuing: service)
        let request = try next.curl(
            "/v1/authorization/requests", ["-d", #"{"resource":"microphone","scope":"always"}"#])
        await request.end()
        let waiting = try await next.run(["settings", client])
        #expect(waiting.output.contains { $0.contains("It requested permission for always.") }, "\(waiting)")
        #expect(waiting.output.contains { $0.contains("voicegate agent must run") }, "\(waiting)")
        // A client reads always until then; its user does not.
        let own = try await next.run(["request", "--always"])
        for status in [own, try await next.run(["status"])] {
            #expect(
                status.output.count { $0.contains("allowed (while in use; always when you have confirmed it") } == 2,
                "\(own)")
        }
        let answered = try await next.run(["settings", client, "--allow", "microphone", "--scope", "always"])
        #expect(answered.output.contains { $0.contains("allowed always") }, "\(answered)")
        #expect(!answered.output.contains { $0.contains("It requested permission for always.") })
        await next.stop()
    }

    @Test("B6 a program other than the one that was allowed is marked, with both")
    func changed() async throws {
        let program = service.folder.path + "/bin"
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: program)
        try service.folder.write(
            """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.tool</string>
            <key>CFBundleExecutable</key><string>\(program)</string>
            <key>NSMicrophoneUsageDescription</key><string>To test.</string></dict></plist>
            """, to: "clients/tool/Info.plist")
        let allow = ["settings", "org.example.tool", "--allow", "microphone"]
        #expect(try await service.run(allow).status == 0)
        try FileManager.default.removeItem(atPath: program)
        try FileManager.default.copyItem(atPath: "/bin/false", toPath: program)
        let entry = try await entry(.microphone, of: "org.example.tool")
        #expect(entry.isChanged == true)
        #expect(entry.program?.sha256 != entry.presentProgram?.sha256)
        let shown = try await service.run(["settings", "org.example.tool"]).output
        #expect(shown.contains { $0.contains("has changed since you allowed it") })
        #expect(try await service.run(allow).status == 0)
        #expect(try await self.entry(.microphone, of: "org.example.tool").isChanged == nil)
    }

    @Test("B8 reset revokes one resource, one client, or all, also a permission for one running session")
    func reset() async throws {
        let session = try service.curl("/v1/dictation", ["-d", #"{"device":"mic"}"#])
        try await session.line(where: StreamEvent.isOf("started"))
        #expect(try await service.run(["settings", "io.voicegate.cli", "--allow", "microphone"]).status == 0)
        #expect(try await service.run(["reset", "--all"]).status == 0)
        let ended = try await session.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "revoked")
        #expect(try await entry(.microphone, of: "io.voicegate.cli").status == .notDetermined)
    }

    @Test("B5 a decision about a client that does not exist is refused with a suggestion, and nothing is stored")
    func unknown() async throws {
        for (option, misspelt) in [
            ("--deny", "io.voicegat.cli"), ("--ask", "io.voicegat.cli"), ("--allow", "org.example.crul"),
        ] {
            let refused = try await service.run(["settings", misspelt, option, "microphone"])
            #expect(refused.status == 66, "\(refused)")
            let meant = misspelt == "org.example.crul" ? client : "io.voicegate.cli"
            #expect(refused.errors.contains("No program \(misspelt) is known"), "\(refused.errors)")
            #expect(refused.errors.contains("Did you mean “\(meant)”?"), "\(refused.errors)")
        }
        let invented = try await service.run(["settings", "unregistered.nothing", "--deny", "microphone"])
        #expect(invented.status == 66, "\(invented)")
        let records = try await service.records()
        #expect(!records.contains { $0.kind.hasPrefix("decision.") }, "\(records)")
        let listed = try await service.run(["settings"]).output
        #expect(!listed.contains { $0.contains("io.voicegat.cli") || $0.contains("nothing") }, "\(listed)")
    }

    @Test("B5 a client whose manifest has errors is not known, and its errors are named")
    func broken() async throws {
        let broken = "org.example.broken"
        try service.folder.write("no property list", to: "clients/\(broken)/Info.plist")
        for arguments in [
            ["settings", broken], ["settings", broken, "--allow", "microphone"], ["reset", "--client", broken],
        ] {
            let errors = try await service.run(arguments).errors
            #expect(errors.contains("No program \(broken) is known"), "\(errors)")
            #expect(
                errors.contains("clients/\(broken)/Info.plist: The manifest is not a property list."), "\(errors)")
        }
    }

    @Test("B5 a program without a manifest can be denied when it has asked for something")
    func unregistered() async throws {
        try FileManager.default.removeItem(atPath: service.folder.path + "/clients")
        let refused = try service.curl("/v1/dictation", ["-d", #"{"device":"mic"}"#])
        await refused.end()
        #expect(refused.lines.joined().contains(#""code":"missingManifest""#), "\(refused.lines)")
        let blocked = try #require(try await service.records().last { $0.kind == "access.blocked" })
        let program = try #require(blocked.fields["client"] as? String)
        #expect(program.hasPrefix("unregistered."))
        let denied = try await service.run(["settings", program, "--deny", "microphone"])
        #expect(denied.status == 0, "\(denied)")
        #expect(denied.output.contains { $0.hasPrefix(program) && $0.contains(" denied ") }, "\(denied)")
    }

    @Test("B6 another program cannot read the settings")
    func others() async throws {
        for path in ["/v1/settings", "/v1/settings/changes"] {
            let reading = try service.curl(path, ["-w", "%{http_code}"])
            await reading.end()
            #expect(reading.lines.last?.hasSuffix("403") == true)
        }
    }

    @Test(
        "B5 at a terminal: a running session ends at once when the person denies, and nothing is allowed that was declared after the person read it"
    )
    func atTerminal() async throws {
        let session = try service.curl("/v1/dictation", ["-d", #"{"device":"mic"}"#])
        try await session.line(where: StreamEvent.isOf("started"))
        let settings = try service.atTerminal(["settings", client])
        try await settings.shows("2  org.example.curl  microphone")
        try settings.type("2\r")
        try await settings.shows("[Enter] Back:")
        try settings.type("d\r")
        let ended = try await session.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "revoked")
        try await settings.shows("denied")
        try await settings.shows("Number to see", times: 2)
        try settings.type("2\r")
        try await settings.shows("[w] While using", times: 2)
        try service.registerCurl(keeping: ["recording": "P1D"])
        try settings.type("w\r")
        try await settings.shows("declares has changed since you read it")
        #expect(try await entry(.microphone).status == .denied, "the person read an earlier declaration")
        try await settings.shows("Number to see", times: 3)
        try settings.type("2\r")
        try await settings.shows("[w] While using", times: 3)
        try settings.type("w\r")
        try await settings.shows("Changed. It applies from now on.", times: 2)
        try await settings.shows("Number to see", times: 4)
        try settings.type("\r")
        #expect(await settings.end() == 0)
        #expect(try await entry(.microphone).status == .authorized)
    }

    @Test("a paste allows nothing, and neither does Ctrl-C at the question")
    func paste() async throws {
        let settings = try service.atTerminal(["settings", client])
        try await settings.shows("Number to see")
        try settings.type("2\rw\r")
        try await settings.shows("[Enter] Back:")
        try settings.type("\u{3}")
        #expect(await settings.end() == 130)
        #expect(try await entry(.microphone).status == .notDetermined)
    }

    @Test("--no-input gets the table, without control sequences")
    func plain() async throws {
        let arguments = ["settings", "--no-input"]
        let settings = try service.atTerminal(arguments)
        #expect(await settings.end() == 0)
        #expect(settings.count(of: "\u{1B}[") == 0)
        #expect(settings.lines.contains { $0.hasPrefix("CLIENT") })
    }
}
