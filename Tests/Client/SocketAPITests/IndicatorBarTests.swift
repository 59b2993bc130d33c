import Authorization
import Foundation
import Testing

@testable import SocketAPI

@Suite("The indicator for status bars")
struct IndicatorBarTests {
    let date = Date(timeIntervalSince1970: 1_000_000)
    let zone = TimeZone(secondsFromGMT: 0) ?? .current

    func session(
        _ name: String, _ phase: IndicatorPhase = .now, client: String = "org.example.notes",
        presence: Presence = .foreground, device: String? = "mic", paused: Bool = false, recognizer: String? = nil
    ) -> IndicatorReply.Session {
        IndicatorReply.Session(
            session: "s", client: client, name: name, device: device, processIdentifier: 7, presence: presence,
            paused: paused, phase: phase, startedAt: date,
            endedAt: phase == .lately ? date.addingTimeInterval(60) : nil,
            recognizer: recognizer)
    }

    @Test("each state has its own text and class; without a session there is no text")
    func states() {
        func bar(_ sessions: [IndicatorReply.Session], muted: Bool = false) -> [String] {
            let bar = IndicatorBar(IndicatorReply(sessions: sessions, muted: muted), timeZone: zone)
            #expect(bar.alt == bar.class)
            return [bar.text, bar.class]
        }
        let (notes, file) = (session("Notes"), session("Talk", client: "a.b", device: nil))
        let behind = session("Notes", presence: .background)
        let many = (0..<5).map { session("N\($0)", client: "a.n\($0)") } + [session("N0", client: "a.n0")]
        for (sessions, text, name) in [
            ([], "", "idle"), ([session("音声メモ")], "● 音声メモ", "now"),
            ([behind], "● Notes (background)", "background"), ([session("Notes", .lately)], "○ Notes", "lately"),
            ([notes, session("Old", .lately, client: "a.b")], "● Notes", "now"),
            ([session("Notes", presence: .background, paused: true)], "◌ Notes", "paused"), ([file], "□ Talk", "file"),
            ([session("Talk", .lately, device: nil)], "", "idle"), ([file, notes], "● Notes", "now"),
            ([behind, file], "● Notes (background)", "background"),
            ([file, session("Notes", .lately)], "○ Notes", "lately"),
            ([session("Talk", presence: .background, device: nil)], "□ Talk", "file"), (many, "● N0, N1, N2 +2", "now"),
        ] { #expect(bar(sessions) == [text, name]) }
        #expect(bar([], muted: true) == ["muted", "muted"])
    }

    @Test("the tooltip has a line for each use: client, resource, times, presence and, while it runs, the engine")
    func tooltip() {
        let bar = IndicatorBar(
            IndicatorReply(
                sessions: [
                    session("Notes", presence: .background), session("Talk", client: "a.b", device: nil),
                    session("New", client: "a.c", recognizer: "Moonshine tiny 0.0.73"),
                    session("Old", .lately, recognizer: "PocketSphinx"),
                ]), timeZone: zone)
        #expect(
            bar.tooltip == """
                Notes (org.example.notes, process 7) listens on mic, since 13:46:40, in the background
                Talk (a.b, process 7) transcribes a file, since 13:46:40
                New (a.c, process 7) listens on mic, since 13:46:40, recognised by Moonshine tiny 0.0.73
                Old (org.example.notes, process 7) listened on mic until 13:47:40
                """)
    }

    @Test("a name is escaped for waybar's markup and polybar's commands")
    func injection() {
        let reply = IndicatorReply(sessions: [session("<span alpha='1'>&x</span>%{A1:rm:}")])
        let bar = IndicatorBar(reply, timeZone: zone)
        #expect(!bar.text.contains("<"))
        #expect(bar.text.hasPrefix("● &lt;span"))
        #expect(!bar.tooltip.contains("<"))
        #expect(!IndicatorBar.polybarLine(IndicatorReply(sessions: [session("%{A1:rm:}x")])).contains("%{"))
        #expect(bar.sessions == reply.sessions)
    }
}
