import TestSupport
import Testing

@testable import Authorization

/// `Tests/Stories/Terms.txt` has what is asked about again.
@Suite("Terms that a grant is bound to")
struct AgreementTests {
    private let agent = StandInAgent { _ in .whileInUse }
    private let ledger = RecordingLedger()

    private func gate(_ engine: SpeechEngine = .ofService) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.engine = engine
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    @Test("all recipients are shown, recorded and bound, however many there are", arguments: [20, 21, 40])
    func recipients(count: Int) async throws {
        var names = (1...count).map { "Recipient \($0) GmbH" }
        let gate = try await gate(.outside(name: "Example Cloud"))
        #expect(await gate.request(.speechRecognition, for: Samples.requester(recipients: names)) == nil)
        let notice = try #require(agent.prompts.first?.notice)
        #expect(notice.practices.recipients == names + ["Example Cloud"])
        for name in names { #expect(notice.text.contains(name)) }
        names[count - 1] = "Evil Advertising Corp"
        let changed = Samples.requester(recipients: names)
        #expect(await gate.status(of: .speechRecognition, for: changed) == .notDetermined)
        #expect(await gate.request(.speechRecognition, for: changed) == nil)
        #expect(agent.prompts.last?.notice.new == "shared with Evil Advertising Corp")
    }

    @Test("a text is bound to its last character, also where no terminal shows it at once")
    func longTexts() async throws {
        let gate = try await gate()
        let words = ["/usr/bin/editor", String(repeating: "x", count: 3_000)]
        var manifest = Samples.manifest(launchCommand: words)
        manifest.practices.purpose = String(repeating: "word ", count: 99) + "end"
        func requester() -> Requester {
            Requester(
                caller: Samples.requester().caller, client: Client(manifest: manifest), presence: .foreground)
        }
        #expect(await gate.request(.microphone, for: requester()) == nil)
        let text = try #require(agent.prompts.first?.notice.text)
        #expect(text.contains(manifest.practices.purpose) && text.contains(words[1]))
        manifest.practices.purpose += "!"
        #expect(await gate.status(of: .microphone, for: requester()) == .notDetermined)
    }

    @Test("a different model or engine of the service is not asked about: only the same program hears")
    func model() async throws {
        var (first, second) = (SpeechEngine.ofService, SpeechEngine.ofService)
        (first.model, second.model) = ("aa", "bb")
        (first.name, second.name) = ("PocketSphinx", "Moonshine tiny")
        let requester = Samples.requester()
        for engine in [first, .ofService, second] {
            #expect(await (try gate(engine)).checkAndRequest(for: requester) == nil)
        }
        #expect(agent.prompts.map(\.resource) == [.speechRecognition, .microphone])
        #expect(agent.prompts.first?.notice.agreement.model == "aa", "the record keeps the model")
    }
}
