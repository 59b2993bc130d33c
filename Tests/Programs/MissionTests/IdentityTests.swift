import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: whose permission it is", .timeLimit(.minutes(5)))
struct IdentityTests {
    private static let status = """
        import os, socket, sys
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
        s.sendall(b"GET /v1/authorization HTTP/1.1\\r\\nHost: v\\r\\nConnection: close\\r\\n\\r\\n")
        print(s.makefile().read(), flush=True)
        """

    private func answer(_ service: ServiceUnderTest, _ script: String) async throws -> String {
        let program = try RunningProgram(
            ["/usr/bin/python3", script, service.socket], environment: service.environment)
        await program.end()
        return program.lines.joined()
    }

    @Test(
        "A1 a permission is stored per client: two scripts of one interpreter are two clients, and a third script is not"
    )
    func scriptsApart() async throws {
        let service = try await ServiceUnderTest()
        let one = try service.registerScript(Self.status, name: "one")
        let two = try service.registerScript(Self.status, name: "two")
        #expect(try await service.run(["settings", "org.example.one", "--allow", "microphone"]).status == 0)
        #expect(try await answer(service, one).contains(#""microphone":"authorized""#))
        let other = try await answer(service, two)
        #expect(other.contains(#""client":"org.example.two""#) && other.contains(#""microphone":"notDetermined""#))
        let third = try await answer(service, service.folder.write(Self.status, to: "three.py"))
        let identifier = UnregisteredProgram.identifier(of: Self.status)
        #expect(third.contains(#""client":"\#(identifier)""#) && third.contains(#""name":"three.py""#), "\(third)")
    }

    @Test("A1 a client that changed since the grant is asked about again, with the old and the new, in one step")
    func identityChanged() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let request = Self.status.replacingOccurrences(
            of: "GET /v1/authorization HTTP/1.1", with: "POST /v1/authorization/requests HTTP/1.1"
        )
        .replacingOccurrences(
            of: "close\\r\\n\\r\\n",
            with: "close\\r\\nContent-Length: 25\\r\\n\\r\\n"
                + #"{\"resource\":\"microphone\"}"#)
        let script = try service.registerScript(request, name: "one")
        #expect(try await answer(service, script).contains(#""microphone":"authorized""#))
        _ = try service.registerScript(Self.status + "\n# built again", name: "one")
        #expect(try await answer(service, script).contains(#""microphone":"notDetermined""#))
        _ = try service.registerScript(request + "\n# built again", name: "one")
        #expect(try await answer(service, script).contains(#""microphone":"authorized""#))
        let records = try await service.records()
        #expect(
            records.map(\.kind) == [
                "log.genesis", "key.rotated", "decision.asked", "notice.shown", "decision.granted", "decision.asked",
                "notice.shown", "decision.granted",
            ])
        let shown = try #require(records.last { $0.kind == "notice.shown" })
        #expect(shown.text("question") == "identityChanged")
        let programs = records.filter { $0.kind == "decision.granted" }.compactMap { $0.text("executableSHA256") }
        #expect(Set(programs).count == 2)
        for program in programs { #expect(shown.text("notice")?.contains(program.prefix(8)) == true) }
    }

    @Test("A1 a manifest for an interpreter alone identifies no client, and the report says what is missing")
    func interpreterManifest() async throws {
        let service = try await ServiceUnderTest()
        let script = try service.registerScript(Self.status, name: "one")
        let path = service.clientsDirectory + "/one/Info.plist"
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacingOccurrences(of: "<key>VoiceGateScript</key><string>\(script)</string>", with: "")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let reply = try await answer(service, script)
        #expect(
            reply.contains(#""client":"\#(UnregisteredProgram.identifier(of: Self.status))""#), "\(reply)")
        #expect(reply.contains("Add VoiceGateScript"), "\(reply)")
    }
}
