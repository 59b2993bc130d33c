import Authorization
import Foundation
import SocketAPI
import Testing

@testable import Commands

@Suite("Kept items as text")
struct HistoryTextTests {
    private static let utc = TimeZone(secondsFromGMT: 0) ?? .current

    private func entry(
        _ kind: DataKind = .transcript, name: String = "Notes", until: Date? = Date(timeIntervalSince1970: 86_400),
        bytes: Int64 = 20, text: String? = nil, problem: String? = nil
    ) -> HistoryEntry {
        HistoryEntry(
            item: "3f2a9c1e-0000-4000-8000-000000000001", session: "s", client: "org.example.notes", name: name,
            kind: kind, date: Date(timeIntervalSince1970: 0), until: until, bytes: bytes, text: text, problem: problem)
    }

    @Test("an entry is one line: identifier, time, program, and the beginning of the text")
    func transcript() {
        let long = "go forward\nten meters\n" + String(repeating: "and on ", count: 2_000) + "Kelmscott Press too"
        let start = "3f2a9c1e  1970-01-01 00:00:00  Notes  "
        #expect(
            HistoryText.lines(entry(text: "go forward\nten meters"), timeZone: Self.utc) == [
                start + "go forward ten meters"
            ])
        #expect(
            HistoryText.lines(entry(text: long), columns: 64, timeZone: Self.utc) == [
                start + "go forward ten meters and…"
            ])
        #expect(
            HistoryText.lines(entry(text: long), columns: 80, from: "kelmscott", timeZone: Self.utc)
                == [start + "… and on and on Kelmscott Press too"])
        #expect(HistoryText.lines(entry(text: long), columns: 10, timeZone: Self.utc)[0].count == start.count + 21)
        #expect(HistoryText.place(of: "MÉTERS and", in: entry(text: long)) != nil)
        #expect(HistoryText.place(of: "yards", in: entry(text: long)) == nil)
        #expect(HistoryText.lines(entry(), timeZone: Self.utc) == ["3f2a9c1e  1970-01-01 00:00:00  Notes"])
        #expect(
            HistoryText.heading(entry(), timeZone: Self.utc) == "1970-01-01 00:00:00  Notes  until 1970-01-02 00:00:00")
    }

    @Test("a recording has its length, and an item without expiry names its end")
    func recording() {
        #expect(
            HistoryText.lines(entry(.recording, until: nil, bytes: 32_000 * 75), timeZone: Self.utc) == [
                "3f2a9c1e  1970-01-01 00:00:00  Notes  recording 1:15"
            ])
        #expect(
            HistoryText.heading(entry(.recording, until: nil, bytes: 32_000 * 75), timeZone: Self.utc)
                == "1970-01-01 00:00:00  Notes  recording 1:15  until you withdraw it")
    }

    @Test("speech and program names cannot draw on the terminal")
    func hostile() {
        let lines = HistoryText.lines(
            entry(name: "No\u{1B}[2Jtes\u{202E}", text: "a\u{1B}]0;x\u{7}b", problem: "c\rd"), timeZone: Self.utc)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E } })
    }

    @Test("without items the declarations are listed, and those not agreed to")
    func nothing() {
        let none = HistoryText.nothing(KeepingReply(clients: []))
        #expect(none.joined().contains("VoiceGateKeptByService") && none.joined().contains("keepTranscripts: P30D"))
        let month = ["transcript": KeepingTime.limited(30, .days)]
        func lines(_ agreed: [String: KeepingTime]) -> [String] {
            HistoryText.nothing(
                KeepingReply(
                    clients: [
                        KeepingReply.Client(client: "org.example.notes", name: "Notes", declared: month, agreed: agreed)
                    ]))
        }
        #expect(lines(month).last == "    Notes (org.example.notes): transcript (P30D)")
        #expect(lines([:]).last?.contains("You have not agreed to all of it") == true)
    }
}
