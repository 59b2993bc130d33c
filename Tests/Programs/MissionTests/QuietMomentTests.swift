import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: questions at quiet moments", .timeLimit(.minutes(3)))
struct QuietMomentTests {
    private static let both = "speech recognition and the microphone"

    /// A service that has stopped, with a client allowed while using; the next service asks the due question.
    private func stopped(requesting body: String) async throws -> ServiceUnderTest {
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--quiet-pause", "3600"])
        try service.registerCurl()
        let request = try service.curl("/v1/authorization/requests", ["-d", body])
        await request.end()
        #expect(request.lines.joined().contains(#""microphone":"authorized""#), "\(request.lines)")
        return service
    }

    private func agent(_ service: ServiceUnderTest) async throws -> RunningProgram {
        let agent = try service.atTerminal(["agent"])
        try await agent.shows("Ctrl-C stops.")
        return agent
    }

    /// What the log has of the question: kind, resource and scope.
    private func records(_ service: ServiceUnderTest, _ question: String) async throws -> Set<String> {
        let records = try await service.records()
        #expect(!records.contains { $0.kind == "session.started" })
        return Set(
            records.filter { $0.text("question") == question }.map {
                [$0.kind, $0.text("resource"), $0.text("scope")].compactMap { $0 }.joined(separator: " ")
            })
    }

    @Test(
        "A7 after a restart the upgrade is asked without a session or a request, in one question for both; the client saw always"
    )
    func upgrade() async throws {
        let first = try await stopped(requesting: #"{"scope":"always"}"#)
        let status = try first.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().ranges(of: #""scope":"always""#).count == 2, "\(status.lines)")
        #expect(!status.lines.joined().lowercased().contains("provisional"))
        let settings = try await first.run(["settings", "org.example.curl"])
        #expect(settings.output.contains { $0.contains("allowed while using") })
        await first.stop()
        let second = try await ServiceUnderTest(options: ["--quiet-pause", "0.2"], continuing: first)
        let person = try await agent(second)
        try await person.shows(Self.both)
        try await person.press("a", until: "Allowed always.")
        #expect(person.count(of: Self.both) == 1)
        let expected = ["speechRecognition", "microphone"].flatMap {
            ["decision.asked \($0)", "notice.shown \($0)", "decision.granted \($0) always"]
        }
        #expect(try await records(second, "upgradeToAlways") == Set(expected))
        #expect(try await second.run(["audit", "verify"]).status == 0)
    }

    @Test(
        "A12 after a restart an always is reviewed without a session, in one question for both, and an answer lowers both"
    )
    func review() async throws {
        let first = try await stopped(requesting: "{}")
        for resource in ["speechRecognition", "microphone"] {
            let always = ["settings", "org.example.curl", "--allow", resource, "--scope", "always"]
            #expect(try await first.run(always).status == 0)
        }
        await first.stop()
        let second = try await ServiceUnderTest(
            options: ["--quiet-pause", "0.2", "--review-after", "0.1"], continuing: first)
        let person = try await agent(second)
        try await person.shows(Self.both)
        try await person.press("w", until: "Allowed while using.")
        #expect(person.count(of: Self.both) == 1)
        let expected = ["speechRecognition", "microphone"].flatMap {
            ["decision.asked \($0)", "notice.shown \($0)", "decision.renewed \($0) whileInUse"]
        }
        #expect(try await records(second, "review") == Set(expected))
        let status = try second.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().ranges(of: #""scope":"whileInUse""#).count == 2, "\(status.lines)")
    }
}
