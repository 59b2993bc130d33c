import AuditExport
import Authorization
import Foundation
import Speech
import Testing

@testable import Commands
@testable import SocketAPI

/// ● stands for a microphone that is open. Everything that shows it reads the same states here.
@Suite("What listens is the same on bars, in status and on the dashboard") struct IndicatorAgreementTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private static func session(
        _ client: String = "org.example.Notes", device: String? = "mic", presence: Presence = .foreground,
        paused: Bool = false, ended: Bool = false, held: Bool = false, phrases: [String]? = nil
    ) -> IndicatorReply.Session {
        IndicatorReply.Session(
            session: client, client: client, name: "Notes", device: device, processIdentifier: 7, presence: presence,
            paused: paused, phase: ended ? .lately : .now, startedAt: now, endedAt: ended ? now : nil,
            held: held ? true : nil, phrases: phrases)
    }

    struct State: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sessions: [IndicatorReply.Session]
        let mark: String
        let isMuted: Bool
        var listens: Bool { mark == "●" }

        init(_ description: String, _ sessions: IndicatorReply.Session..., mark: String = "", isMuted: Bool = false) {
            (testDescription, self.sessions, self.mark, self.isMuted) = (description, sessions, mark, isMuted)
        }
    }

    /// One whose mark is ● listens.
    static let states = [
        State("idle"), State("file", session(device: nil), mark: "□"),
        State("file in the background", session(device: nil, presence: .background), mark: "□"),
        State("microphone", session(), mark: "●"),
        State("microphone in the background", session(presence: .background), mark: "●"),
        State("paused", session(presence: .background, paused: true), mark: "◌"),
        State(
            "file beside a paused microphone", session("a.b", device: nil),
            session(presence: .background, paused: true),
            mark: "◌"),
        State("file beside a microphone", session("a.b", device: nil), session(), mark: "●"),
        State("device that does not close", session(held: true), mark: "●"),
        State("monitor", session(presence: .background, phrases: ["wake up"]), mark: "●"),
        State("microphone a moment ago", session(ended: true), mark: "○"),
        State("file a moment ago", session(device: nil, ended: true)), State("muted", isMuted: true),
        State("muted a moment after listening", session(ended: true), isMuted: true),
        State("muted, and a device does not close", session(held: true), mark: "●", isMuted: true),
    ]

    @Test("each state has one answer everywhere", arguments: states, Language.allCases)
    func agreement(state: State, language: Language) {
        let reply = IndicatorReply(sessions: state.sessions, muted: state.isMuted)
        #expect(reply.listens == state.listens)
        let bar = IndicatorBar(reply, timeZone: .gmt)
        for text in [bar.text, IndicatorBar.polybarLine(reply)] {
            #expect(text.hasPrefix(state.isMuted && !state.listens ? "muted" : state.mark), "\(text)")
            #expect(text.contains("●") == state.listens)
            #expect(text.isEmpty == (state.mark.isEmpty && !state.isMuted))
        }
        #expect((bar.class == "now" || bar.class == "background") == state.listens)
        #expect(bar.tooltip.contains("Nothing listens.") == !state.listens)

        let lines = StatusText.lines(reply, language: language)
        #expect(lines.contains(language.commandWording(.nothingListens)) == !state.listens)
        #expect(lines.contains(language.commandWording.everythingMuted(nil)) == state.isMuted)

        let page = page(reply, language)
        #expect(page.contains("<h1 class=\"now\">") == state.listens)
        #expect(page.contains("<h1 class=\"muted\">") == (state.isMuted && !state.listens))
        #expect(page.contains("<li class=\"now\">") == state.listens)

        // Who is notified listens, in the background.
        for session in state.sessions where session.listensInBackground {
            #expect(session.listens && session.presence == .background && session.device != nil)
        }
    }

    @Test(
        "the command that ends a mute is that mute's everywhere", arguments: MuteScope.Kind.allCases, Language.allCases)
    func unmute(scope: MuteScope.Kind, language: Language) {
        let mute = MutedBy(scope: scope)
        let reply = IndicatorReply(sessions: [], muted: true, mutedBy: mute)
        var display = DictationDisplay(client: "a.b", showsPartial: false, showsLevel: false, language: language)
        display.mute = mute
        let wording = language.commandWording
        let texts = [
            page(reply, language), "\(display.actions(for: .ended(.muted, message: nil)))",
            wording.everythingMuted(mute), IndicatorBar(reply, timeZone: .gmt).tooltip,
        ]
        for text in texts {
            #expect(text.contains("voicegate unmute"), "\(text)")
            #expect(text.contains("voicegate unmute --everyone") == (scope == .everyone), "\(text)")
        }
    }

    private func page(_ reply: IndicatorReply, _ language: Language) -> String {
        let content = DashboardContent(
            health: HealthReply(version: "1", mode: .advisory, processIdentifier: 1, muted: false, log: .intact),
            indicator: reply,
            settings: SettingsReply(entries: [], muted: reply.muted, mutedBy: reply.mutedBy, problems: []))
        return DashboardPage(content, language: language, now: Self.now, timeZone: .gmt, formToken: "t").document()
    }

    @Test("each activity has its own sentence in each language", arguments: Language.allCases)
    func sentences(language: Language) {
        let sessions = [
            Self.session(), Self.session(paused: true), Self.session(held: true), Self.session(device: nil),
            Self.session(ended: true), Self.session(device: nil, ended: true),
        ]
        let sentences = sessions.map { $0.sentence(in: language) { _ in "" } }
        #expect(Set(sentences).count == sessions.count, "\(sentences)")
    }
}

/// Words about permissions say what can be done now.
@Suite("What status and settings say of a permission") struct PermissionWordsTests {
    private func entry(_ scope: Scope?, change: (inout SettingsEntry) -> Void = { _ in }) -> SettingsEntry {
        var entry = SettingsEntry(
            client: "a.a", name: "a", resource: .microphone, status: scope == nil ? .notDetermined : .authorized)
        (entry.verdict, entry.scope) = (scope == nil ? nil : .authorized, scope)
        change(&entry)
        return entry
    }

    @Test(
        "an always that is not confirmed is while in use, and what confirms it is named", arguments: Language.allCases)
    func provisional(language: Language) throws {
        // A client reads always.
        var reply = AuthorizationReply(
            client: "a.a", name: "A", speechRecognition: .authorized, microphone: .authorized, problems: [])
        reply.microphoneGrant = .init(scope: .always)
        reply.speechRecognitionGrant = .init(scope: .always, fidelity: .reduced)
        func lines(_ question: Question.Kind?) -> String {
            let questions = question.map { question in
                Dictionary(uniqueKeysWithValues: Resource.allCases.map { ($0, question) })
            }
            return StatusText.lines(reply, questions: questions ?? [:], language: language).joined(separator: "\n")
        }
        let wording = language.commandWording
        #expect(lines(.upgradeToAlways).contains("  \(wording.allowed(.whileInUse)); "))
        #expect(!lines(.upgradeToAlways).contains("  \(wording.allowed(.always))"))
        #expect(lines(.upgradeToAlways).ranges(of: "voicegate agent").count == 2)
        #expect(lines(.review).contains("  \(wording.allowed(.always)); "))
        #expect(lines(.review).ranges(of: "voicegate agent").count == 2)
        #expect(!lines(nil).contains("voicegate agent"))
        #expect(lines(nil).contains("  \(wording.allowed(.always))"))
    }

    @Test("settings say the same, in the list, in its notes and in a few words")
    func settings() {
        let waiting = entry(.whileInUse) { $0.question = .upgradeToAlways }
        #expect(SettingsWords.status(waiting) == "allowed while using")
        let review = entry(.always) { $0.question = .review }
        #expect(SettingsWords.status(review) == "allowed always")
        for entry in [waiting, review] {
            let waits = Language.english.words(for: entry.question) ?? ""
            #expect(waits.contains("a question") && waits.hasSuffix("voicegate agent must run"))
            #expect(SettingsWords.flag(entry) == waits)
            #expect(SettingsWords.notes(entry).contains { $0.hasSuffix(waits + ".") })
        }
        #expect(SettingsWords.status(entry(.always)) == "allowed always" && SettingsWords.notes(entry(.always)).isEmpty)
    }

    @Test("a program that has changed or declares more is not allowed now: it asks at its next use")
    func asksAgain() {
        for asking in [
            entry(.always, change: { $0.isChanged = true }), entry(.whileInUse, change: { $0.new = "Recipients" }),
        ] {
            #expect(SettingsWords.status(asking) == "ask next time")
            #expect(SettingsWords.notes(asking).contains { $0.contains("next use") })
            #expect(!SettingsWords.flag(asking).isEmpty)
        }
    }

    @Test("what a manifest does not declare cannot be asked for")
    func notDeclared() {
        let notDeclared = entry(nil) { $0.notice = "Notes" }
        #expect(SettingsWords.status(notDeclared) == "not declared" && !SettingsWords.notes(notDeclared).isEmpty)
        let declared = entry(nil) { ($0.notice, $0.usageDescription) = ("Notes", "To write.") }
        for asking in [declared, entry(nil)] {
            #expect(SettingsWords.status(asking) == "ask next time" && SettingsWords.notes(asking).isEmpty)
        }
    }

    @Test("a decision alone is not a use")
    func lastUse() {
        let moment = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(entry(.whileInUse) { ($0.decidedAt, $0.usedAt) = (moment, moment) }.lastUse == nil)
        #expect(entry(.whileInUse) { ($0.decidedAt, $0.usedAt) = (moment, moment + 60) }.lastUse == moment + 60)
        #expect(entry(.whileInUse).lastUse == nil)
    }
}
