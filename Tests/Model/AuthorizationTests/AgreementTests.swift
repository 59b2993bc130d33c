import Foundation
import TestSupport
import Testing

@testable import Authorization

/// `Tests/Stories/Terms.txt` has what is asked about again.
@Suite("Terms that a grant is bound to")
struct AgreementTests {
    /// The manifest that the person was shown; each change makes it declare more or less.
    private struct Declared {
        var identifier = "org.example.Editor"
        var descriptions: [Resource: String] = [.microphone: "To hear you.", .speechRecognition: "To write."]
        var practices = DataPractices(
            kinds: [.liveAudio, .transcript, .recording], purpose: "To write down what you say.", retention: "30 days",
            recipients: ["Example GmbH", "Example KK"],
            keptByService: [.transcript: .limited(30, .days), .recording: .limited(7, .days)])
        var backgroundModes = ["audio", "fetch"]
        var launchCommand = ["/usr/bin/editor", "--listen"]
        var localizations: [Language: ManifestTexts] = [.japanese: ManifestTexts(purpose: "書きとめるため。")]

        func requester(presence: Presence = .foreground, in language: Language = .english) -> Requester {
            let sample = Samples.requester(identifier, presence: presence)
            let manifest = Manifest(
                identifier: sample.client.identifier, name: "Editor", executablePath: "/usr/bin/editor",
                usageDescriptions: descriptions, backgroundModes: backgroundModes, practices: practices,
                launchCommand: launchCommand, localizations: localizations)
            return Requester(
                caller: sample.caller, client: Client(manifest: manifest), presence: presence, language: language)
        }
    }

    private let ledger = RecordingLedger()

    private func gate(_ agent: StandInAgent, _ engine: SpeechEngine = .ofService) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.engine = engine
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    @Test("all recipients are shown, recorded and bound, however many there are", arguments: [20, 21, 40])
    func recipients(count: Int) async throws {
        let names = (1...count).map { "Recipient \($0) GmbH" }
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent, .outside(name: "Example Cloud"))
        var declared = Declared()
        declared.practices.recipients = names
        #expect(await gate.request(.speechRecognition, for: declared.requester()) == .authorized)
        let notice = try #require(agent.prompts.first?.notice)
        #expect(notice.practices.recipients == names + ["Example Cloud"])
        for name in names { #expect(notice.text.contains(name)) }
        declared.practices.recipients?[count - 1] = "Evil Advertising Corp"
        #expect(await gate.status(of: .speechRecognition, for: declared.requester()) == .notDetermined)
        #expect(await gate.request(.speechRecognition, for: declared.requester()) == .authorized)
        #expect(agent.prompts.last?.notice.new == "shared with Evil Advertising Corp")
    }

    @Test("a text is bound to its last character, also where no terminal shows it at once")
    func longTexts() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        var declared = Declared()
        declared.launchCommand = ["/usr/bin/editor", String(repeating: "x", count: 3_000)]
        declared.practices.purpose = String(repeating: "word ", count: 99) + "end"
        #expect(await gate.request(.microphone, for: declared.requester()) == .authorized)
        let text = try #require(agent.prompts.first?.notice.text)
        #expect(text.contains(declared.practices.purpose) && text.contains(declared.launchCommand[1]))
        declared.practices.purpose += "!"
        #expect(await gate.status(of: .microphone, for: declared.requester()) == .notDetermined)
    }

    @Test("a background mode, the first keeping and the first word on sharing are new")
    func fromNothing() async throws {
        var bare = Declared()
        bare.practices = DataPractices(kinds: [.liveAudio], purpose: "To hear.", retention: nil, recipients: nil)
        (bare.backgroundModes, bare.launchCommand) = ([], [])
        let agent = StandInAgent { _ in .later }
        let gate = try await gate(agent)
        let key = bare.requester().key(for: .microphone)
        let notice = Notice(settingsOf: try #require(bare.requester().client.manifest), resource: .microphone)
        try await gate.decide(
            .authorized, for: key, program: AllowedProgram(sha256: "aa", path: nil), notice: notice,
            by: bare.requester().caller)
        #expect(await gate.status(of: .microphone, for: bare.requester()) == .authorized)
        let full = Declared().requester()
        #expect(
            await gate.settled(key, client: full.client).additions == [
                .purpose, .kinds([.transcript, .recording]), .retention("30 days"),
                .kept([.transcript: .limited(30, .days), .recording: .limited(7, .days)]),
                .recipients(["Example GmbH", "Example KK"]), .background(.audio),
                .launchCommand(["/usr/bin/editor", "--listen"]),
            ])
        for language in Language.allCases {
            let notice = Notice(
                settingsOf: try #require(full.client.manifest), resource: .microphone, language: language,
                additions: await gate.settled(key, client: full.client).additions)
            let new = try #require(notice.new)
            #expect(new.contains(language.wording.backgroundMode(.audio)))
            #expect(new.contains(language.wording.kind(.recording)) && new.contains("Example KK"))
            #expect(notice.text.contains("\(language.wording(.new)): \(new)"))
        }
        // Later, and unanswered: nothing has changed.
        #expect(await gate.request(.microphone, for: full).refusal?.code == .termsWidened)
        #expect(await gate.status(of: .microphone, for: bare.requester()) == .authorized)
        #expect(agent.prompts.count == 1)
    }

    @Test("a different model or engine of the service is not asked about: only the same program hears")
    func model() async throws {
        var (first, second) = (SpeechEngine.ofService, SpeechEngine.ofService)
        (first.model, second.model) = ("aa", "bb")
        (first.name, second.name) = ("PocketSphinx", "Moonshine tiny")
        let agent = StandInAgent { _ in .whileInUse }
        let requester = Declared().requester()
        _ = await (try gate(agent, first)).checkAndRequest(for: requester)
        #expect(await (try gate(agent, .ofService)).checkAndRequest(for: requester) == .authorized)
        #expect(await (try gate(agent, second)).checkAndRequest(for: requester) == .authorized)
        #expect(agent.prompts.map(\.resource) == [.speechRecognition, .microphone])
        #expect(agent.prompts.first?.notice.agreement.model == "aa", "the record keeps the model")
    }
}
