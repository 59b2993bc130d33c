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
                "client=org.example.notes", "program=/usr/bin/notes (from no package)", "resource=microphone",
                "scope=once",
                "fidelity=reduced",
            ])
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
            act(resource: .speechRecognition), act(scope: .always), act(fidelity: .reduced), .unmute, .erase,
            .install(key.client), .uninstall(key.client),
        ]
        for language in Language.allCases { #expect(Set(acts.map { $0.text(in: language) }).count == acts.count) }
    }

    @Test("a dialog's text is one bounded line, which polkit does not change, and ends with the program")
    func bounded() {
        let act = ConfirmedAct(
            allowing: key, name: "$(program)\u{202E}\n\u{2800}" + String(repeating: "n", count: 100),
            program: AllowedProgram(
                sha256: "aa", path: "/home/x/" + String(repeating: "usr/bin/good/", count: 300) + "evil"),
            scope: .always, fidelity: .full)
        for language in Language.allCases {
            let text = act.text(in: language)
            #expect(text.count < 400 && !text.contains("$(") && !text.contains("\n"))
            #expect(text.hasSuffix("good/evil") && text.contains("/home/x/"))
        }
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
