import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("C. Privacy: the right to be forgotten", .timeLimit(.minutes(5)))
struct ErasureTests {
    private static let client = "org.example.curl"
    private static let trace = "To try the socket."

    private func service() async throws -> ServiceUnderTest {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(keeping: ["recording": "P7D"])
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        #expect(dictation.lines.compactMap { StreamEvent($0) }.last?.type == "ended")
        return service
    }

    private func erase(_ service: ServiceUnderTest, _ arguments: [String]) async throws -> [String: Any] {
        let (status, output, errors) = try await service.run(["audit", "erase", "--yes", "--json"] + arguments)
        #expect(status == 0, "\(errors)")
        let object = try JSONSerialization.jsonObject(with: Data(output.joined().utf8))
        return try #require(object as? [String: Any])
    }

    private func kept(_ reply: [String: Any]) -> [String: Int] {
        let kept = reply["kept"] as? [[String: Any]] ?? []
        return Dictionary(
            kept.compactMap { entry in
                (entry["reason"] as? String).flatMap { reason in (entry["records"] as? Int).map { (reason, $0) } }
            }
        ) { $1 }
    }

    @Test("C3 erased records are gone from every file, the log still verifies, and a record says that they were erased")
    func erased() async throws {
        let service = try await service()
        let trace = Data(Self.trace.utf8)
        #expect(try !service.stateFiles(holding: trace).isEmpty)
        #expect(try await service.run(["reset", "--client", Self.client]).status == 0)
        let before = try await service.records { $0.contains { $0.kind == "data.erased" } }
        let reply = try await erase(service, ["--client", Self.client])
        #expect(
            reply["records"] as? Int == before.count { $0.text("client") == Self.client && $0.kind != "data.erased" })
        #expect(try service.stateFiles(holding: trace).isEmpty)
        #expect(service.keptFiles.isEmpty)
        #expect(try await service.run(["audit", "verify"]).status == 0)
        let after = try await service.records()
        #expect(after.prefix(before.count).map(\.kind) == before.map(\.kind), "their places stay")
        #expect(after.suffix(3).map(\.kind) == ["request.received", "data.erased", "request.answered"])
        let request = try #require(reply["request"] as? String)
        #expect(after.filter { $0.text("request") == request }.map(\.kind) == ["request.received", "request.answered"])
        #expect(after.last?.text("outcome") == "fulfilled")
        #expect(after.last?.fields["erasedRecords"] as? Int == reply["records"] as? Int)
        await service.stop()
        // The next service finds the same log, and asks as if it had never asked.
        let next = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: service)
        #expect(try await next.run(["audit", "verify"]).status == 0)
        let status = try next.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""microphone":"notDetermined""#))
    }

    @Test("C3 the records of a decision in force stay, and the output says what ends it; kept data is erased")
    func inForce() async throws {
        let service = try await service()
        let reply = try await erase(service, ["--client", Self.client])
        #expect(kept(reply)["decisionInForce"] ?? 0 > 0)
        #expect(reply["items"] as? Int == 1)
        let commands = (reply["kept"] as? [[String: Any]])?.compactMap { $0["command"] as? String }
        #expect(commands?.contains("voicegate reset --client \(Self.client)") == true)
        let records = try await service.records()
        #expect(records.filter { $0.kind == "decision.granted" }.allSatisfy { $0.text("notice") != nil })
        #expect(records.filter { $0.kind.hasPrefix("session.") }.allSatisfy { $0.fields.isEmpty })
        #expect(records.last?.text("outcome") == "partly")
        #expect(service.keptFiles.isEmpty)
        #expect(try await service.run(["audit", "verify"]).status == 0)
        // The grant is still valid.
        let status = try service.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""microphone":"authorized""#))
    }

    @Test("C3 one session, records before a time, another user: only the named records are erased")
    func scopes() async throws {
        let service = try await service()
        let session = try #require(try await service.records().first { $0.kind == "session.started" }?.text("session"))
        let other = UUID().uuidString.lowercased()
        #expect(try await erase(service, ["--session", other])["records"] as? Int == 0)
        #expect(try await erase(service, ["--until", "2020-01-01"])["records"] as? Int == 0)
        #expect(try await !service.records().contains { $0.kind.hasPrefix("session.") && $0.fields.isEmpty })
        let someone = try await service.run(
            ["audit", "erase", "--yes", "--client", Self.client, "--user", "\(getuid() + 1)"])
        #expect(getuid() == 0 ? someone.status == 0 : someone.status == 77)
        #expect(try await !service.records().contains { $0.kind.hasPrefix("session.") && $0.fields.isEmpty })
        #expect(try await erase(service, ["--session", session])["records"] as? Int ?? 0 >= 2)
        let left = try await service.records().filter { $0.kind.hasPrefix("session.") }
        #expect(left.allSatisfy { $0.fields.isEmpty })
        #expect(try await service.run(["audit", "verify"]).status == 0)
    }

    @Test("C3 a session that runs is left alone")
    func running() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        let started = try await dictation.line(where: StreamEvent.isOf("started"))
        let reply = try await erase(service, ["--client", Self.client])
        #expect(kept(reply)["sessionRunning"] == 1)
        #expect(
            started.contains(
                try #require(try await service.records().last { $0.kind == "session.started" }?.text("session"))))
    }

    @Test("C3 erasing at a terminal lists what is erased and what stays, and needs a confirmation")
    func asks() async throws {
        let service = try await service()
        let before = try await service.records().count
        let pipe = try await service.run(["audit", "erase", "--client", Self.client])
        #expect(pipe.status == 64)
        #expect(pipe.errors.contains("--yes"))
        let refused = try service.atTerminal(["audit", "erase", "--client", Self.client])
        try await refused.shows("Erase permanently? [y/N]")
        try refused.type("\n")
        try await refused.shows("Nothing was erased.")
        await refused.end()
        #expect(refused.lines.joined().contains("needs them. To end that: voicegate reset --client"))
        #expect(try await service.records().count == before, "nothing was written either")
        let agreed = try service.atTerminal(["audit", "erase", "--client", Self.client])
        try await agreed.shows("Erase permanently? [y/N]")
        try agreed.type("y\n")
        try await agreed.shows("Erased: the")
        await agreed.end()
        #expect(try await service.records().contains { $0.kind == "request.answered" })
    }

    @Test("C3 no client erases the records about it, and nothing is erased from the background")
    func others() async throws {
        let service = try await service()
        let client = try service.curl(
            "/v1/audit/erasures", ["-d", #"{"client":"org.example.curl"}"#, "-w", "%{http_code}"])
        await client.end()
        #expect(client.lines.last?.hasSuffix("403") == true)
        let background = try await service.run(
            ["audit", "erase", "--yes", "--client", Self.client], isForeground: false)
        #expect(background.status == 77)
        #expect(background.errors.contains("foreground"))
        #expect(try await !service.records().contains { $0.kind.hasPrefix("request.") || $0.kind == "data.erased" })
    }
}
