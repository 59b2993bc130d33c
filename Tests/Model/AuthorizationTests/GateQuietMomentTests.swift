@testable import Authorization
import TestSupport
import Testing

extension Gate {
    /// The person is idle, and the program on disk is that of the requester.
    func askAtQuietMoment(user: UInt32, _ requester: Requester) async -> Int {
        await askAtQuietMoment(user: user) { $0 == requester.client.identifier ? requester : nil }
    }
}

extension LedgerEvent {
    /// Of a record about a prompt.
    fileprivate var prompt: Prompt? {
        switch self {
        case .asked(let prompt), .noticeChanged(let prompt, _), .noticeShown(let prompt, _),
            .granted(let prompt, _, _, _, _), .renewed(let prompt, _, _, _, _, _), .denied(let prompt, _, _),
            .deferred(let prompt, _, _):
            prompt
        default: nil
        }
    }
}

/// `Tests/Stories/QuietMoments.txt` has what is asked when.
@Suite("Questions at quiet moments")
struct GateQuietMomentTests {
    @Test(
        "one notice is about both resources; each record names what was agreed to about its own",
        arguments: Question.Kind.upgradeToAlways.answers())
    func upgrade(_ answer: Answer) async throws {
        let (ledger, requester) = (RecordingLedger(), Samples.requester())
        let agent = StandInAgent { $0.question == .firstUse ? .whileInUse : answer }
        let gate = try await Gate(ledger: ledger, agent: agent, configuration: .unhindered)
        _ = await gate.checkAndRequest(for: requester, scope: .always)
        #expect(await gate.askAtQuietMoment(user: 1000, requester) == 1)
        let notice = try #require(agent.prompts.last?.notice)
        for resource in Resource.allCases {
            #expect(notice.title.contains(resource.phrase) && notice.usageDescription.contains(resource.rawValue))
        }
        let prompts = ledger.events.compactMap(\.prompt).filter { $0.question == .upgradeToAlways }
        #expect(prompts.count == 6)
        for prompt in prompts {
            let declared = try #require(requester.client.declared(prompt.resource, in: .english))
            #expect(prompt.notice.agreement == declared.recognised(by: gate.engine, recordsTo: gate.collector))
            #expect(prompt.notice.agreement.usageDescription.contains(prompt.resource.rawValue))
        }
    }
}
