import TestSupport
import Testing

@testable import Authorization

@Suite("Full fidelity for one session")
struct GateTemporaryFidelityTests {
    private let ledger = RecordingLedger()

    @Test("temporary full fidelity is for a named purpose and one session, and ends with it or with a reduction")
    func temporaryFull() async throws {
        let requester = Samples.requester(phrases: ["yes", "no"])
        let speech = requester.key(for: .speechRecognition)
        let agent = StandInAgent { _ in .once }
        let gate = try await Gate(ledger: ledger, agent: agent)
        try await gate.decide(
            .authorized, for: speech, program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            notice: requester.settings(.speechRecognition), by: requester.caller)
        let unknown = await gate.requestTemporaryFullFidelity(purposeKey: "sing", for: requester)
        #expect(unknown.refusal?.code == .missingPurpose)
        let background = Requester(caller: requester.caller, client: requester.client, presence: .background)
        let unseen = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: background)
        #expect(unseen.refusal?.code == .notInUse)
        #expect(agent.prompts.isEmpty)
        #expect(await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester).refusal == nil)
        #expect(agent.prompts.map(\.notice.usageDescription) == ["To write down a note word by word."])
        let again = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester)
        #expect(again.refusal?.code == .alreadyFull)
        let first = try await gate.speechRecognitionGrant(for: requester)
        #expect(first.lease.fidelity == .full)
        let during = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester)
        #expect(during.refusal?.code == .alreadyFull)
        let second = try await gate.speechRecognitionGrant(for: requester)
        #expect(second.lease.fidelity == .reduced, "the first session has it")
        try await gate.decide(
            .authorized, for: speech, program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            notice: requester.settings(.speechRecognition), by: requester.caller)
        #expect(first.lease.fidelity == .reduced, "lowering reaches the running session")
    }

    @Test("the client sees full fidelity from its temporary grant to the end of the session that uses it")
    func visibleFidelity() async throws {
        let requester = Samples.requester(phrases: ["yes", "no"])
        let gate = try await Gate(
            ledger: ledger, agent: StandInAgent { _ in .once }, configuration: .unhindered)
        try await gate.decide(
            .authorized, for: requester.key(for: .speechRecognition),
            program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            notice: requester.settings(.speechRecognition), by: requester.caller)
        var place = gate.history.last(ofUser: 1000)
        /// What the process reads, and what the changes since the last call report.
        func visible(_ requester: Requester) async -> [Fidelity?] {
            let standing = await gate.position(of: requester).standings[.speechRecognition]
            let read = [standing?.terms?.fidelity]
            guard gate.history.last(ofUser: 1000) != place,
                case .updates(let updates) = await gate.history.updates(ofUser: 1000, after: place)
            else { return read }
            place = gate.history.last(ofUser: 1000)
            return read + updates.map { $0.standings(for: requester)[.speechRecognition]?.terms?.fidelity }
        }
        #expect(await visible(requester) == [.reduced])
        _ = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester)
        #expect(await visible(requester) == [.full, .full])
        let other = Samples.requester(process: 101, phrases: ["yes", "no"])
        #expect(await visible(other) == [.reduced], "another process of the client")
        let grant = try await gate.speechRecognitionGrant(for: requester)
        #expect(await visible(requester) == [.full])
        await gate.finish(grant.lease)
        #expect(await visible(requester) == [.reduced, .reduced])
        // Without a session it ends with its process.
        _ = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester)
        #expect(await visible(requester) == [.full, .full])
        await gate.processEnded(requester.caller.process)
        #expect(await visible(requester) == [.reduced, .reduced])
    }
}
