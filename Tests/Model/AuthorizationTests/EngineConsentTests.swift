import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("A grant names the speech engine")
struct EngineConsentTests {
    private static let engine = SpeechEngine.outside(name: "wyoming:unix:///run/engine.sock")
    private static let other = SpeechEngine.outside(name: "wyoming:unix:///run/other.sock")

    private static func gate(
        _ engine: SpeechEngine, _ ledger: RecordingLedger, _ agent: StandInAgent = StandInAgent { _ in .later }
    ) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.engine = engine
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    private static func statuses(_ gate: Gate, _ requester: Requester) async -> [AuthorizationStatus] {
        var all: [AuthorizationStatus] = []
        for resource in Resource.allCases { all.append(await gate.status(of: resource, for: requester)) }
        return all
    }

    @Test("a grant is valid for the engine that its notice named and for the service's own, and for no other")
    func yes() async throws {
        let requester = Samples.requester()
        let ledger = RecordingLedger()
        let first = try await Self.gate(Self.engine, ledger, StandInAgent { _ in .whileInUse })
        _ = await first.checkAndRequest(for: requester)
        #expect(await Self.statuses(first, requester) == [.authorized, .authorized])
        let stored = RecordingLedger(decisions: await first.decisions(ofUser: 1000))
        #expect(await Self.statuses(try await Self.gate(Self.engine, stored), requester) == [.authorized, .authorized])
        #expect(await Self.statuses(try await Self.gate(.ofService, stored), requester) == [.authorized, .authorized])

        let agent = StandInAgent { _ in .whileInUse }
        let moved = try await Self.gate(Self.other, stored, agent)
        let key = requester.key(for: .speechRecognition)
        #expect(await moved.status(of: .speechRecognition, for: requester) == .notDetermined)
        #expect(await moved.status(of: .microphone, for: requester) == .authorized)
        #expect(await moved.settledStatus(of: key) == .notDetermined)
        await #expect(throws: AuthorizationError.self) { try await moved.leaseOfSpeech(for: requester) }
        #expect(await moved.checkAndRequest(for: requester).refusal == nil)
        #expect(agent.prompts.map(\.resource) == [.speechRecognition])
        #expect(agent.prompts.first?.question == .termsWidened)
        #expect(agent.prompts.first?.notice.new?.contains("/run/other.sock") == true)
        #expect(agent.prompts.first?.notice.practices.recipients == [Self.other.recipient ?? "none"])
    }

    @Test(
        "a denial remains, and a grant at reduced fidelity is not asked about again, because nothing leaves the service"
    )
    func others() async throws {
        let requester = Samples.requester(phrases: ["lights on"])
        let key = requester.key(for: .speechRecognition)
        func stored(_ verdict: Verdict, _ terms: Terms?) -> RecordingLedger {
            RecordingLedger(decisions: [
                Decision(
                    key: key, verdict: verdict, program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"),
                    terms: terms, indication: .settings, decidedAt: Date(timeIntervalSince1970: 0))
            ])
        }
        let denied = try await Self.gate(Self.engine, stored(.denied, nil))
        #expect(await denied.status(of: .speechRecognition, for: requester) == .denied)
        let reduced = try await Self.gate(
            Self.engine, stored(.authorized, Samples.terms(fidelity: .reduced, phrases: ["lights on"])))
        #expect(await reduced.status(of: .speechRecognition, for: requester) == .authorized)
        let full = try await Self.gate(Self.engine, stored(.authorized, Samples.terms()))
        #expect(await full.status(of: .speechRecognition, for: requester) == .notDetermined)
        try await full.decide(
            .authorized, for: key, program: AllowedProgram(sha256: "aa", path: nil), by: requester.caller)
        #expect(await full.status(of: .speechRecognition, for: requester) == .authorized, "settings show the engine")
    }

    @Test(
        "every notice and the settings name the engine, beside the recipients that the client declares",
        arguments: Language.allCases)
    func notices(_ language: Language) throws {
        let name = try #require(Self.engine.recipient)
        for (declared, count) in [(nil, 1), ([], 1), (["Example GmbH"], 2)] as [([String]?, Int)] {
            var manifest = Samples.manifest()
            manifest.practices.recipients = declared
            for resource in Resource.allCases {
                let notice = try #require(
                    Notice(
                        client: Client(manifest: manifest), resource: resource, language: language, engine: Self.engine)
                )
                #expect(notice.practices.recipients?.count == count)
                #expect(notice.text.contains(name))
                #expect(notice.text.contains(language.wording.sharingNotDeclared) == (declared == nil))
                #expect(!notice.text.contains(language.wording.sharedWithNobody))
                let settings = Notice(
                    settingsOf: manifest, resource: resource, language: language, engine: Self.engine)
                #expect(settings.items.map(\.text) == notice.items.map(\.text))
            }
        }
        var crowded = Samples.manifest()
        crowded.practices.recipients = (1...30).map { "Company \($0)" }
        let notice = try #require(
            Notice(client: Client(manifest: crowded), resource: .microphone, language: language, engine: Self.engine))
        #expect(notice.practices.recipients?.count == 31, "none is left out")
        #expect(notice.practices.recipients?.last == name)
    }
}

extension Gate {
    /// Takes a grant and gives it back.
    fileprivate func leaseOfSpeech(for requester: Requester) async throws(AuthorizationError) {
        let grant = try await speechRecognitionGrant(for: requester)
        finish(grant.lease)
    }
}
