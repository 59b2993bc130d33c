import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("What the user confirms with a password")
struct ConfirmedActTests {
    private let key = DecisionKey(user: 1000, client: Samples.identifier("org.example.notes"), resource: .microphone)

    @Test("an answer that grants names client, program, resources and scope; one that does not is not confirmed")
    func answers() throws {
        let prompt = try Prompt.example()
        #expect(ConfirmedAct(.deny, .full, to: prompt) == nil && ConfirmedAct(.later, .full, to: prompt) == nil)
        let act = try #require(ConfirmedAct(.once, .reduced, to: prompt))
        #expect(
            act.text(in: .english)
                == "Your password confirms that it is you who lets “Notes” (org.example.notes) use the microphone: Once, only "
                + "its phrases. Program: /usr/bin/notes (from no package)")
        #expect(
            act.details.map { "\($0.key)=\($0.value)" } == [
                "client=org.example.notes", "program=/usr/bin/notes", "resource=microphone", "scope=once",
                "fidelity=reduced",
            ])
    }

    @Test("details have the path of the program alone, in every language, and none of an unknown program")
    func program() throws {
        let plain = try Prompt.example().requester
        let unknown = Requester(
            caller: Caller(
                process: plain.caller.process, user: 1000, executable: plain.caller.executable,
                responsible: ProcessIdentity(processIdentifier: 0, startTime: 0)), client: plain.client,
            presence: .foreground)
        let requesters: [(Requester, String?)] = [(plain, "/usr/bin/notes"), (unknown, nil)]
        for (requester, path) in requesters {
            for language in Language.allCases {
                let notice = try #require(Notice(client: plain.client, resource: .microphone, language: language))
                let prompt = Prompt(
                    cookie: "c", requester: requester, resource: .microphone, question: .firstUse, notice: notice)
                let act = try #require(ConfirmedAct(.once, .full, to: prompt))
                #expect(act.details.first { $0.key == "program" }?.value == path)
                #expect(act.text(in: language).contains("/usr/bin/notes") == (path != nil))
            }
        }
    }

    @Test("the dialog and the details say whose mute ends, and what is erased", arguments: Language.allCases)
    func extents(language: Language) {
        func details(_ act: ConfirmedAct) -> [String] { act.details.map { "\($0.key)=\($0.value)" } }
        for scope in MuteScope.Kind.allCases {
            #expect(details(.unmute(scope)) == ["scope=\(scope.rawValue)"])
        }
        let before = Date(timeIntervalSince1970: 1_790_000_000)
        let end = before.ISO8601Format()
        let records = ConfirmedAct.eraseRecords(
            RightsScope(client: key.client, user: 1000, session: "e4f1", before: before))
        for part in ["org.example.notes", "e4f1", end] { #expect(records.text(in: language).contains(part)) }
        #expect(
            details(records) == ["erased=records", "client=org.example.notes", "session=e4f1", "before=\(end)"])
        let items = ConfirmedAct.eraseKept(client: key.client, items: ["one", "two"])
        for part in ["org.example.notes", "2", "one, two"] { #expect(items.text(in: language).contains(part)) }
        #expect(details(items) == ["erased=kept", "client=org.example.notes", "items=one, two"])
        let many = ConfirmedAct.eraseKept(client: nil, items: Array(repeating: "\n<item>", count: 1_000))
        #expect(many.text(in: language).contains("1000") && many.text(in: language).count < 400)
        #expect(!many.text(in: language).contains("\n"))
    }

    @Test("two requests have two texts: another client, program, resource, scope or fidelity, in each language")
    func differ() throws {
        func act(
            client: String = "org.example.notes", name: String = "Notes", path: String = "/usr/bin/notes",
            resource: Resource = .microphone, scope: Scope = .whileInUse, fidelity: Fidelity = .full
        ) -> ConfirmedAct {
            ConfirmedAct(
                allowing: DecisionKey(user: 1, client: Samples.identifier(client), resource: resource), name: name,
                program: AllowedProgram(sha256: "aa", path: path), scope: scope, fidelity: fidelity)
        }
        let acts = [
            act(), act(client: "org.example.evil"), act(name: "Evil"), act(path: "/tmp/evil"),
            act(resource: .speechRecognition), act(scope: .always), act(fidelity: .reduced), .unmute(.user),
            .unmute(.everyone), .eraseRecords(RightsScope(client: key.client)),
            .eraseRecords(RightsScope(session: "e4f1")), .eraseRecords(RightsScope(before: Date())),
            .eraseKept(client: nil, items: nil), .eraseKept(client: key.client, items: nil),
            .eraseKept(client: nil, items: ["e4f1"]), .install(key.client), .uninstall(key.client),
        ]
        for language in Language.allCases { #expect(Set(acts.map { $0.text(in: language) }).count == acts.count) }
    }

    @Test("a dialog's text is one bounded line without markup, which polkit does not change, and ends with the program")
    func bounded() {
        let act = ConfirmedAct(
            allowing: key, name: "$(program)<b>&lt;\u{202E}\n\u{2800}" + String(repeating: "n", count: 100),
            program: AllowedProgram(
                sha256: "aa", path: "/home/x/<i>&amp;/" + String(repeating: "usr/bin/good/", count: 300) + "evil"),
            scope: .always, fidelity: .full)
        for language in Language.allCases {
            let text = act.text(in: language)
            #expect(text.count < 400 && !text.contains("$(") && !text.contains("\n"))
            #expect(text.hasSuffix("good/evil") && text.contains("/home/x/‹i›＆amp;/") && text.contains("‹b›＆lt;"))
            #expect(!text.contains { "<>&".contains($0) })
        }
        for detail in act.details { #expect(!detail.value.contains { "<>&".contains($0) }, "\(detail)") }
    }

    @Test("the record of a confirmed answer has the dialog's text, also for each resource of a joint question")
    func recorded() async throws {
        let ledger = RecordingLedger()
        let agent = StandInAgent(confirmation: "Allow it?") { $0.question.waitsForQuietMoment ? .always : .whileInUse }
        let gate = try await Gate(ledger: ledger, agent: agent, configuration: .unhindered)
        let requester = Samples.requester(backgroundModes: ["audio"])
        _ = await gate.checkAndRequest(for: requester, scope: .always)
        #expect(await gate.askAtQuietMoment(user: 1000, requester) == 1)
        let granted = ledger.events.compactMap { event -> Prompt? in
            if case .granted(let prompt, _, _, _, _) = event { prompt } else { nil }
        }
        #expect(granted.count == 4 && granted.allSatisfy { $0.notice.confirmation == "Allow it?" })
        let shown = ledger.events.compactMap { event -> Prompt? in
            if case .noticeShown(let prompt, _) = event { prompt } else { nil }
        }
        #expect(!shown.isEmpty && shown.allSatisfy { $0.notice.confirmation == nil })
    }
}
