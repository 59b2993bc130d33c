import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("A grant names who receives consent records")
struct CollectorConsentTests {
    private static let collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .proofs)

    private static func gate(
        _ collector: RecordCollector?, _ ledger: RecordingLedger, _ agent: StandInAgent = StandInAgent { _ in .later }
    ) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.collector = collector
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    private static func statuses(_ gate: Gate, _ requester: Requester) async -> [AuthorizationStatus] {
        var all: [AuthorizationStatus] = []
        for resource in Resource.allCases { all.append(await gate.status(of: resource, for: requester)) }
        return all
    }

    /// The decisions that were made while records went to this collector.
    private static func decisions(_ collector: RecordCollector?, _ requester: Requester) async throws -> [Decision] {
        let gate = try await gate(collector, RecordingLedger(), StandInAgent { _ in .whileInUse })
        _ = await gate.checkAndRequest(for: requester)
        #expect(await statuses(gate, requester) == [.authorized, .authorized])
        return await gate.decisions(ofUser: 1000)
    }

    @Test(
        "a collector that is added, a different one, another purpose, or records instead of proofs is asked about",
        arguments: [
            (nil, collector), (collector, RecordCollector(name: "Other", purpose: "to find misuse", send: .proofs)),
            (collector, RecordCollector(name: "Example Audit", purpose: "to sell them", send: .proofs)),
            (collector, RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .records)),
        ] as [(RecordCollector?, RecordCollector)])
    func widened(before: RecordCollector?, after: RecordCollector) async throws {
        let requester = Samples.requester()
        let ledger = RecordingLedger(decisions: try await Self.decisions(before, requester))
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await Self.gate(after, ledger, agent)
        #expect(await Self.statuses(gate, requester) == [.notDetermined, .notDetermined])
        _ = await gate.checkAndRequest(for: requester)
        let prompt = try #require(agent.prompts.first)
        #expect(prompt.question == .termsWidened)
        #expect(prompt.notice.new?.contains("\(after.name) (\(after.purpose))") == true)
        #expect(prompt.notice.agreement.collector == after)
        #expect(await Self.statuses(gate, requester) == [.authorized, .authorized])
    }

    @Test(
        "a collector that is removed, or receives less, is not asked about",
        arguments: [nil, RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .proofs)])
    func narrowed(after: RecordCollector?) async throws {
        let requester = Samples.requester()
        let all = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .records)
        let ledger = RecordingLedger(decisions: try await Self.decisions(all, requester))
        let agent = StandInAgent { _ in .deny }
        let gate = try await Self.gate(after, ledger, agent)
        #expect(await Self.statuses(gate, requester) == [.authorized, .authorized])
        #expect(agent.prompts.isEmpty)
    }

    @Test("a grant in settings agrees to the collector that settings show")
    func settings() async throws {
        let requester = Samples.requester()
        let gate = try await Self.gate(Self.collector, RecordingLedger())
        for resource in Resource.allCases {
            try await gate.decide(
                .authorized, for: requester.key(for: resource), program: AllowedProgram(sha256: "aa", path: nil),
                by: requester.caller)
        }
        #expect(await Self.statuses(gate, requester) == [.authorized, .authorized])
        #expect(
            await gate.decisions(ofUser: 1000).allSatisfy { $0.terms?.agreed.collector == Self.collector })
    }

    @Test("each notice names the collector and its purpose after the recipients of the audio, in each language")
    func notices() throws {
        for language in Language.allCases {
            for send in RecordCollector.Sending.allCases {
                let collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: send)
                let client = Client(manifest: Samples.manifest())
                let notice = try #require(
                    Notice(client: client, resource: .microphone, language: language, collector: collector))
                let plain = try #require(Notice(client: client, resource: .microphone, language: language))
                let shared = try #require(notice.items.first { $0.name == language.wording.shared }).text
                let before = try #require(plain.items.first { $0.name == language.wording.shared }).text
                #expect(shared == "\(before) — \(language.wording.recordsShared(with: collector))")
                #expect(shared.contains("Example Audit") && shared.contains("to find misuse"))
                #expect(notice.practices == plain.practices, "it receives no audio")
            }
            let texts = RecordCollector.Sending.allCases.map {
                language.wording.recordsShared(with: RecordCollector(name: "A", purpose: "b", send: $0))
            }
            #expect(Set(texts).count == 2)
        }
    }
}
