import Authorization
import TestSupport
import Testing

@Suite("A program that cannot be trusted")
struct UntrustedProgramTests {
    private func requester(_ evidence: Evidence) -> Requester {
        let sample = Samples.requester()
        let caller = Caller(
            process: sample.caller.process, user: sample.caller.user, executable: sample.caller.executable,
            evidence: evidence)
        return Requester(caller: caller, client: sample.client, presence: .foreground)
    }

    @Test("every request is refused with untrusted, whatever was allowed; nobody is asked, and it is recorded")
    func refused() async throws {
        let (ledger, agent) = (RecordingLedger(), StandInAgent { _ in .whileInUse })
        let gate = try await Gate(ledger: ledger, agent: agent)
        #expect(await gate.checkAndRequest(for: requester(.executable)).status == .authorized)
        let prompts = agent.prompts.count
        let untrusted = requester(.untrusted("Nobody can tell what it is."))
        for resource in Resource.allCases {
            let outcome = await gate.request(resource, for: untrusted)
            #expect(outcome.refusal?.code == .untrusted)
            #expect(outcome.refusal?.message == "Nobody can tell what it is.")
            #expect(outcome.status == .notDetermined)
        }
        let error = await #expect(throws: AuthorizationError.self) {
            let grant = try await gate.microphoneGrant(for: untrusted)
            _ = grant.lease
        }
        #expect(error?.code == .untrusted)
        #expect(agent.prompts.count == prompts)
        #expect(ledger.eventNames.suffix(2) == ["accessBlocked", "accessBlocked"])
        #expect(await gate.status(of: .microphone, for: requester(.executable)) == .authorized)
    }
}
