import Foundation
import TestSupport
import Testing

@testable import Authorization

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

    private struct Change: CustomTestStringConvertible {
        let testDescription: String
        /// What the notice says is new; `nil`: the grant covers it.
        let new: String?
        let make: @Sendable (inout Declared) -> Void

        init(_ description: String, new: String? = nil, _ make: @escaping @Sendable (inout Declared) -> Void) {
            (testDescription, self.new, self.make) = (description, new, make)
        }
    }

    private static let widening = [
        Change("a description", new: "another reason or purpose") { $0.descriptions[.microphone] = "To hear more." },
        Change("a purpose", new: "another reason or purpose") { $0.practices.purpose = "To train models." },
        Change("a data kind", new: "it collects a profile of your microphone") {
            $0.practices.kinds.append(.microphoneProfile)
        },
        Change("a longer retention", new: "how long it is kept: 31 days") { $0.practices.retention = "31 days" },
        Change("a retention in other words", new: "how long it is kept: A while.") {
            $0.practices.retention = "A while."
        },
        Change("keeping for longer", new: "VoiceGate keeps recordings: 8 days") {
            $0.practices.keptByService[.recording] = .limited(8, .days)
        },
        Change("keeping until withdrawn", new: "VoiceGate keeps the recognised text: until") {
            $0.practices.keptByService[.transcript] = .untilWithdrawn
        },
        Change("a recipient", new: "shared with Example Inc") { $0.practices.recipients?.append("Example Inc") },
        Change("no word on sharing", new: "it no longer says with whom it shares") { $0.practices.recipients = nil },
        Change("a launch command", new: "/bin/sh -c x") { $0.launchCommand = ["/bin/sh", "-c", "x"] },
    ]

    private static let narrowing = [
        Change("nothing") { _ in },
        Change("fewer kinds") { $0.practices.kinds = [.liveAudio] },
        Change("a shorter retention") { $0.practices.retention = "1 week" },
        Change("a shorter retention in another language") { $0.practices.retention = "7日間" },
        Change("a shorter retention by ISO 8601") { $0.practices.retention = "PT12H" },
        Change("no retention") { $0.practices.retention = nil },
        Change("less keeping") { $0.practices.keptByService = [.transcript: .limited(1, .months)] },
        Change("fewer recipients, in another order") { $0.practices.recipients = ["Example KK"] },
        Change("no recipients") { $0.practices.recipients = [] },
        Change("no background mode") { $0.backgroundModes = [] },
        Change("a background mode without effect") { $0.backgroundModes.append("location") },
        Change("no description") { $0.descriptions = [:] },
        Change("no launch command") { $0.launchCommand = [] },
        Change("a text in a language that was not shown") { $0.localizations[.japanese]?.purpose = "学習のため。" },
        Change("a context of the texts that no notice shows") { $0.practices.purpose += "  " },
    ]

    private let ledger = RecordingLedger()

    private func gate(_ agent: StandInAgent, _ engine: SpeechEngine = .ofService) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.engine = engine
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    @Test("a manifest that declares more is asked about again, and the notice says what is new", arguments: widening)
    private func widened(_ change: Change) async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        #expect(await gate.request(.microphone, for: Declared().requester()) == .authorized)
        var more = Declared()
        change.make(&more)
        let requester = more.requester()
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        let error = await #expect(throws: AuthorizationError.self) { try await gate.leaseOfMicrophone(for: requester) }
        #expect(error?.code == .termsWidened)
        #expect(
            await gate.status(of: .microphone, for: Declared().requester()) == .authorized, "shown terms are covered")

        #expect(await gate.request(.microphone, for: requester) == .authorized)
        let prompt = try #require(agent.prompts.last)
        #expect(agent.prompts.count == 2 && prompt.question == .termsWidened)
        #expect(prompt.notice.items.first?.name == "New since you allowed it")
        #expect(prompt.notice.new?.contains(change.new ?? "none") == true, "\(prompt.notice.new ?? "")")
        for language in Language.allCases {
            let settings = Notice(
                settingsOf: try #require(requester.client.manifest), resource: .microphone, language: language,
                additions: await gate.settled(requester.key(for: .microphone), client: requester.client).additions)
            #expect(settings.new == nil, "it was answered")
        }
        try await gate.leaseOfMicrophone(for: requester)
        let stored = try await ledger.decisions().first?.terms?.agreed
        #expect(stored == requester.client.declared(.microphone, in: .english))
        #expect(try await Gate(ledger: ledger, agent: agent).status(of: .microphone, for: requester) == .authorized)
    }

    @Test("the question about more offers no fidelity, so its answer leaves a grant of the phrases alone as it is")
    func fidelity() async throws {
        for fidelity in Fidelity.allCases {
            // Answers with full fidelity.
            let agent = StandInAgent { _ in .whileInUse }
            let gate = try await gate(agent)
            let before = Samples.requester(phrases: ["yes"])
            let after = Samples.requester(phrases: ["yes"], recipients: ["Example GmbH"])
            try await gate.decide(
                .authorized, for: before.key(for: .speechRecognition),
                program: AllowedProgram(before.caller.executable), fidelity: fidelity,
                notice: Notice(client: before.client, resource: .speechRecognition), by: before.caller)
            #expect(await gate.request(.speechRecognition, for: after) == .authorized)
            #expect(agent.prompts.map(\.question) == [.termsWidened])
            #expect(agent.prompts.allSatisfy { !$0.offersFidelity })
            let terms = await gate.standing(of: .speechRecognition, for: after).terms
            #expect(terms?.fidelity == fidelity && terms?.agreed.recipients == ["Example GmbH"])
        }
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

    @Test("a manifest that declares less is not asked about", arguments: narrowing)
    private func narrowed(_ change: Change) async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: Declared().requester())
        var less = Declared()
        change.make(&less)
        #expect(await gate.request(.microphone, for: less.requester()) == .authorized)
        try await gate.leaseOfMicrophone(for: less.requester())
        #expect(agent.prompts.count == 1)
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
            #expect(new.contains(language.wording.text(of: BackgroundMode.audio)))
            #expect(new.contains(language.wording.name(of: DataKind.recording)) && new.contains("Example KK"))
            #expect(notice.text.contains("\(language.wording.new): \(new)"))
        }
        // Later, and unanswered: nothing has changed.
        #expect(await gate.request(.microphone, for: full).refusal?.code == .termsWidened)
        #expect(await gate.status(of: .microphone, for: bare.requester()) == .authorized)
        #expect(agent.prompts.count == 1)
    }

    @Test("a running session continues unchanged; a denial of the new terms ends it")
    func running() async throws {
        let agent = StandInAgent { $0.question == .firstUse ? .whileInUse : .deny }
        let gate = try await gate(agent)
        var before = Declared()
        before.backgroundModes = []
        _ = await gate.request(.microphone, for: before.requester())
        let grant = try await gate.microphoneGrant(for: before.requester())
        let lease = grant.lease
        #expect(await gate.status(of: .microphone, for: Declared().requester()) == .notDetermined)
        #expect(lease.isLive && lease.ground(in: .background) == nil)
        #expect(await gate.request(.microphone, for: Declared().requester()).status == .denied)
        #expect(lease.ending == .revoked)
    }

    @Test("in the background nothing is asked, monitors wait, and a policy prevails")
    func elsewhere() async throws {
        let agent = StandInAgent { $0.question == .firstUse ? .whileInUse : .always }
        let gate = try await gate(agent)
        var before = Declared()
        before.practices.recipients = []
        _ = await gate.requestAlways(.microphone, for: before.requester())
        #expect(await gate.askAtQuietMoment(user: 1000, before.requester()) == 1)
        let after = Declared().requester(presence: .background)
        #expect(await gate.request(.microphone, for: after).refusal?.code == .notInUse)
        let monitor = MonitorRegistration(
            identifier: "m", user: 1000, client: after.client.identifier, kind: .soundBegan, action: .start)
        #expect(await gate.permission(of: monitor, for: before.requester(presence: .background)) == .allowed)
        #expect(await gate.permission(of: monitor, for: after) == .paused(.termsWidened))
        #expect(await gate.refusal(of: monitor, for: after)?.code == .termsWidened)
        let rule = PolicyRule(resource: nil, client: nil, user: nil, reason: nil)
        try await gate.apply(Policy(rules: [rule]), source: PolicyProvenance(files: [:], broken: [:]))
        #expect(await gate.status(of: .microphone, for: after) == .restricted)
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        #expect(await gate.status(of: .microphone, for: after) == .notDetermined)
        #expect(agent.prompts.count == 2, "no prompt was shown")
    }

    @Test("a provisional always covers no more than its notice, and a client that declares more is asked that first")
    func provisional() async throws {
        let agent = StandInAgent { $0.question.waitsForQuietMoment ? .always : .whileInUse }
        let gate = try await gate(agent)
        var before = Declared()
        before.practices.recipients = []
        _ = await gate.requestAlways(.microphone, for: before.requester())
        #expect(await gate.requestAlways(.microphone, for: Declared().requester()) == .authorized)
        #expect(agent.prompts.map(\.question) == [.firstUse, .termsWidened])
        #expect(await gate.askAtQuietMoment(user: 1000, Declared().requester()) == 1)
        let terms = try #require(try await ledger.decisions().first?.terms)
        #expect(terms.scope == .always && terms.agreed.recipients == ["Example GmbH", "Example KK"])
    }

    @Test("the questions about always show the manifest's text for always, to which the grant is bound too")
    func alwaysText() async throws {
        let agent = StandInAgent { $0.question.waitsForQuietMoment ? .always : .whileInUse }
        let gate = try await gate(agent)
        func requester(_ text: String?) -> Requester {
            let requester = Declared().requester()
            var manifest = Samples.manifest()
            manifest.alwaysUsageDescriptions[.microphone] = text
            return Requester(caller: requester.caller, client: Client(manifest: manifest), presence: .foreground)
        }
        _ = await gate.requestAlways(.microphone, for: requester("To hear you all day."))
        #expect(await gate.request(.microphone, for: requester("To hear you.")) == .authorized, "it was not shown yet")
        #expect(await gate.askAtQuietMoment(user: 1000, requester("To hear you all day.")) == 1)
        #expect(agent.prompts.map(\.notice.usageDescription).last == "To hear you all day.")
        #expect(agent.prompts.first?.notice.usageDescription != "To hear you all day.")
        #expect(await gate.status(of: .microphone, for: requester("To hear you all day.")) == .authorized)
        #expect(await gate.status(of: .microphone, for: requester("To sell it.")) == .notDetermined)
        #expect(!ledger.eventNames.contains("noticeChanged"))
    }

    @Test("a grant for one session covers what its notice declared")
    func once() async throws {
        let agent = StandInAgent { _ in .once }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: Declared().requester())
        var more = Declared()
        more.practices.recipients = nil
        #expect(await gate.status(of: .microphone, for: more.requester()) == .notDetermined)
        #expect(await gate.status(of: .microphone, for: Declared().requester()) == .authorized)
    }

    @Test("lowering in settings needs a grant that covers the manifest; allowing covers what settings show")
    func settings() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        var before = Declared()
        before.practices.recipients = []
        // The notice was in another language than settings are.
        _ = await gate.request(.microphone, for: before.requester(in: .japanese))
        let (key, caller) = (before.requester().key(for: .microphone), before.requester().caller)
        let program = AllowedProgram(caller.executable)
        func lower(_ declared: Declared) async throws -> Bool {
            let client = declared.requester().client
            return try await gate.lower(
                key, .whileInUse, nil, program: program, client: client,
                notice: Notice(client: client, resource: .microphone), by: caller)
        }
        #expect(try await lower(before))
        #expect(try await !lower(Declared()))
        let client = Declared().requester().client
        try await gate.decide(
            .authorized, for: key, program: program, notice: Notice(client: client, resource: .microphone), by: caller)
        #expect(try await lower(Declared()))
        #expect(await gate.status(of: .microphone, for: Declared().requester()) == .authorized)
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

extension Gate {
    /// Takes a grant and gives it back.
    fileprivate func leaseOfMicrophone(for requester: Requester) async throws(AuthorizationError) {
        let grant = try await microphoneGrant(for: requester)
        finish(grant.lease)
    }
}
