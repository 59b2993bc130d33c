import Authorization
import Foundation
import Testing

import enum Prompting.TerminalColumns

@testable import Commands
@testable import SocketAPI

@Suite("The full-screen settings")
struct SettingsViewTests {
    static func entry(
        _ client: String, _ resource: Resource = .microphone, name: String? = nil, verdict: Verdict? = nil,
        scope: Scope? = nil, change: (inout SettingsEntry) -> Void = { _ in }
    ) -> SettingsEntry {
        let status: AuthorizationStatus =
            switch verdict {
            case .authorized: .authorized
            case .denied: .denied
            case nil: .notDetermined
            }
        var entry = SettingsEntry(client: client, name: name ?? client, resource: resource, status: status)
        entry.verdict = verdict
        entry.scope = scope ?? (verdict == .authorized ? .whileInUse : nil)
        entry.fidelity = verdict == .authorized && resource == .speechRecognition ? .full : nil
        change(&entry)
        return entry
    }

    func view(_ entries: [SettingsEntry], muted: Bool = false) -> SettingsView {
        var view = SettingsView()
        view.update(SettingsReply(entries: entries, muted: muted, problems: []))
        return view
    }

    func effect(_ view: inout SettingsView, _ key: Character) -> SettingsEffect? {
        view.press(.character(key), page: 10)
    }

    func change(_ choice: SettingsChange.Choice, scope: Scope? = nil, fidelity: Fidelity? = nil) -> SettingsEffect {
        .change(
            client: "a.a", SettingsChange(resource: .microphone, choice: choice, scope: scope, fidelity: fidelity))
    }

    @Test("restrictions apply at once, extensions wait for y, and any other key declines")
    func confirmation() {
        var view = view([Self.entry("a.a", verdict: .authorized, scope: .always)])
        #expect(effect(&view, "d") == change(.deny))
        #expect(effect(&view, "n") == change(.ask))
        #expect(effect(&view, "w") == change(.allow, scope: .whileInUse))
        #expect(view.confirmation == nil)

        view = self.view([Self.entry("a.a", verdict: .denied)])
        #expect(effect(&view, "w") == nil)
        #expect(view.confirmation?.question.contains("while you use it") == true)
        #expect(effect(&view, "w") == nil)
        #expect(view.confirmation == nil)
        #expect(view.message == "Nothing was changed.")
        #expect(effect(&view, "w") == nil)
        #expect(effect(&view, "y") == change(.allow, scope: .whileInUse))
    }

    @Test(
        "an extension names what the entry declared, and its program, when its key was pressed, and not at the confirmation"
    )
    func agreement() {
        func declaring(_ digest: String) -> SettingsEntry {
            Self.entry("a.a") { ($0.agreementSHA256, $0.programSHA256) = (digest, digest) }
        }
        var view = view([declaring("read")])
        #expect(effect(&view, "w") == nil)
        view.update(SettingsReply(entries: [declaring("widened")], problems: []))
        let allowed = SettingsChange(
            resource: .microphone, choice: .allow, scope: .whileInUse, agreementSHA256: "read", programSHA256: "read")
        #expect(effect(&view, "y") == .change(client: "a.a", allowed))
        #expect(effect(&view, "d") == change(.deny), "taking away is bound to nothing")
    }

    @Test("always is confirmed and only offered for allowed entries, and a pending request is answered with w or a")
    func always() {
        var view = view([Self.entry("a.a")])
        #expect(effect(&view, "a") == nil)
        #expect(view.confirmation == nil)
        #expect(view.message?.contains("allow it while using first") == true)
        view = self.view([
            Self.entry("a.a", verdict: .authorized) {
                $0.upgrade = .provisional
                $0.question = .upgradeToAlways
            }
        ])
        #expect(view.lines(rows: 24, columns: 80).contains { $0.text.contains("It requested permission for always") })
        #expect(effect(&view, "w") == change(.allow, scope: .whileInUse))
        #expect(effect(&view, "a") == nil)
        #expect(view.confirmation?.question.contains("also when you do not use it") == true)
        #expect(effect(&view, "y") == change(.allow, scope: .always))
    }

    @Test("a changed program is allowed again only after its path and digest were shown")
    func changed() {
        var view = view([
            Self.entry("a.a", verdict: .authorized) {
                $0.isChanged = true
                $0.presentProgram = SettingsEntry.Program(
                    AllowedProgram(sha256: String(repeating: "ab", count: 32), path: "/opt/new"))
            }
        ])
        #expect(effect(&view, "w") == nil)
        #expect(view.confirmation?.question.contains("It is /opt/new (abababababababab) now.") == true)
        #expect(effect(&view, "y") == change(.allow, scope: .whileInUse))
    }

    @Test("phrases only applies at once, every word after y, and neither without declared phrases")
    func fidelity() {
        func speech(_ fidelity: Fidelity, offered: Bool? = true) -> SettingsEntry {
            Self.entry("a.a", .speechRecognition, verdict: .authorized, scope: .always) {
                $0.fidelity = fidelity
                $0.offersFidelity = offered
            }
        }
        func change(_ fidelity: Fidelity) -> SettingsEffect {
            .change(
                client: "a.a",
                SettingsChange(resource: .speechRecognition, choice: .allow, scope: .always, fidelity: fidelity))
        }
        var view = view([speech(.full)])
        #expect(effect(&view, "f") == change(.reduced))
        view = self.view([speech(.reduced)])
        #expect(effect(&view, "f") == nil)
        #expect(effect(&view, "y") == change(.full))
        view = self.view([speech(.full, offered: nil)])
        #expect(effect(&view, "f") == nil)
        #expect(view.confirmation == nil)
    }

    @Test("the selection and a pending confirmation stay on their entry when others come and go")
    func selection() {
        var view = view([Self.entry("a.a"), Self.entry("a.c")])
        _ = view.press(.down, page: 10)
        #expect(view.entry?.client == "a.c")
        _ = effect(&view, "w")
        view.update(
            SettingsReply(entries: ["a.a", "a.b", "a.c", "a.d"].map { Self.entry($0) }, problems: []))
        #expect(view.entry?.client == "a.c")
        view.update(SettingsReply(entries: [Self.entry("a.a")], problems: []))
        #expect(view.entry?.client == "a.a")
        #expect(
            effect(&view, "y")
                == .change(client: "a.c", SettingsChange(resource: .microphone, choice: .allow, scope: .whileInUse)))
    }

    @Test("Enter shows details and reads the records, Esc goes back and then quits, q always quits")
    func modes() {
        var view = view([Self.entry("a.a", verdict: .denied)])
        #expect(view.press(.enter, page: 10) == .readRecords(client: "a.a"))
        #expect(view.mode == .details)
        #expect(effect(&view, "d") == change(.deny))
        #expect(view.press(.back, page: 10) == nil)
        #expect(view.mode == .list)
        #expect(effect(&view, "?") == nil)
        #expect(view.mode == .help)
        #expect(effect(&view, "d") == nil)
        #expect(view.press(.back, page: 10) == nil)
        #expect(view.press(.back, page: 10) == .quit)
        #expect(effect(&view, "q") == .quit)
    }

    @Test("programs of the same name show their identifiers, and listening, waiting and changed ones are marked")
    func marks() {
        var view = view([
            Self.entry("a.a", name: "Notes", verdict: .authorized) { $0.isChanged = true },
            Self.entry("a.b", name: "Notes", verdict: .authorized) { $0.question = .review }, Self.entry("a.c"),
        ])
        view.update(
            IndicatorReply(sessions: [
                IndicatorReply.Session(
                    session: "s", client: "a.c", name: "a.c", device: "mic", processIdentifier: 1, startedAt: Date())
            ]))
        let lines = view.lines(rows: 24, columns: 100).map(\.text)
        #expect(lines.contains { $0.hasPrefix("> a.a ") && $0.contains("allowed while using !") })
        #expect(lines.contains { $0.hasPrefix("  a.b ") && $0.contains("allowed while using ?") })
        #expect(lines.contains { $0.hasPrefix("  a.c ") && $0.contains("ask next time ●") })
    }

    @Test(
        "every screen has the exact number of lines, none too wide, with the selected line visible",
        arguments: [(24, 80), (12, 40), (40, 120), (3, 20), (1, 1)])
    func sizes(rows: Int, columns: Int) {
        let entries = (0..<30).flatMap { number in
            Resource.allCases.map {
                Self.entry("org.example.memo\(number)", $0, name: "音声メモ帳と日記のアプリケーション \(number)", verdict: .authorized) {
                    $0.usageDescription = "話した内容を文字にして、メモとして保存するために使います。"
                    $0.isChanged = true
                    $0.question = .upgradeToAlways
                }
            }
        }
        var view = view(entries, muted: true)
        let presses: [[ScreenKey]] = [
            [], [.last], [.first, .pageDown], [.character("w")], [.character("x"), .enter], [.pageDown],
            [.back, .character("?")], [.last],
        ]
        for keys in presses {
            for key in keys { _ = view.press(key, page: view.page(rows: rows, columns: columns)) }
            view.limitScroll(to: view.mostScroll(rows: rows, columns: columns))
            let lines = view.lines(rows: rows, columns: columns)
            #expect(lines.count == rows)
            for line in lines { #expect(TerminalColumns.count(line.text) <= columns, "\(line.text)") }
            if view.mode == .list, rows >= 12 { #expect(lines.contains { $0.style == .selected }) }
        }
    }
}
