import TestSupport
import Testing

@testable import Authorization

@Suite("Phrases that a grant at reduced fidelity is bound to")
struct AgreementPhrasesTests {
    private static let phrases = ["next page", "previous page"]

    @Test("at reduced fidelity each phrase is shown and bound: one more is asked about again, one less is not")
    func phrases() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await Gate(ledger: RecordingLedger(), agent: agent, configuration: .unhindered)
        func requester(_ phrases: [String]) -> Requester { Samples.requester(phrases: phrases) }
        let first = requester(Self.phrases)
        try await gate.decide(
            .authorized, for: first.key(for: .speechRecognition), program: AllowedProgram(first.caller.executable),
            fidelity: .reduced, notice: Notice(client: first.client, resource: .speechRecognition), by: first.caller)
        for fewer in [Self.phrases.reversed(), Array(Self.phrases.dropLast()), []] {
            #expect(await gate.status(of: .speechRecognition, for: requester(fewer)) == .authorized)
        }
        let more = requester(Self.phrases + ["my password is"])
        #expect(await gate.status(of: .speechRecognition, for: more) == .notDetermined)
        #expect(await gate.request(.speechRecognition, for: more) == .authorized)
        let notice = try #require(agent.prompts.last?.notice)
        #expect(agent.prompts.map(\.question) == [.termsWidened])
        #expect(notice.new == "it also receives 1: “my password is”")
        #expect(notice.text.contains("Phrases: 3: “next page”, “previous page”, “my password is”"))
        let terms = await gate.standing(of: .speechRecognition, for: more).terms
        #expect(terms?.fidelity == .reduced && terms?.agreed.phrases == Self.phrases + ["my password is"])
    }

    @Test("at full fidelity a phrase is nothing more; lowering the grant then covers the phrases that settings show")
    func phrasesAtFullFidelity() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await Gate(ledger: RecordingLedger(), agent: agent, configuration: .unhindered)
        let (before, after) = (Samples.requester(phrases: ["yes"]), Samples.requester(phrases: Self.phrases))
        #expect(await gate.request(.speechRecognition, for: before) == .authorized)
        #expect(await gate.status(of: .speechRecognition, for: after) == .authorized)
        let key = after.key(for: .speechRecognition)
        #expect(
            try await gate.lower(
                key, nil, .reduced, program: AllowedProgram(after.caller.executable), client: after.client,
                notice: Notice(client: after.client, resource: .speechRecognition), by: after.caller))
        let terms = await gate.standing(of: .speechRecognition, for: after).terms
        #expect(terms?.fidelity == .reduced && terms?.agreed.phrases == Self.phrases)
        #expect(await gate.status(of: .speechRecognition, for: before) == .notDetermined)
        #expect(agent.prompts.count == 1)
    }
}
