import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

@Suite("What the log says about what is kept")
struct KeepingRecordTests {
    @Test(
        "what was agreed to is stored with the yes; a yes without it, as earlier versions stored it, agreed to nothing")
    func terms() throws {
        let now = Moment(boot: "b", sinceBoot: 1, wall: 2)
        var terms = Terms(scope: .whileInUse, usedAt: now, reviewedAt: now)
        let old = terms.json.canonical
        #expect(!old.contains("kept"))
        #expect(Terms(json: try #require(JSONValue(canonical: Data(old.utf8))))?.kept == [:])
        terms.kept = [.transcript: .limited(30, .days), .recording: .untilWithdrawn]
        let text = terms.json.canonical
        #expect(text.contains(#""kept":{"recording":"untilWithdrawn","transcript":"P30D"}"#))
        #expect(Terms(json: try #require(JSONValue(canonical: Data(text.utf8)))) == terms)
        for wrong in [#"{"transcript":"P0D"}"#, #"{"audio":"P1D"}"#, #"["transcript"]"#] {
            let changed = text.replacingOccurrences(
                of: #"{"recording":"untilWithdrawn","transcript":"P30D"}"#, with: wrong)
            #expect(Terms(json: try #require(JSONValue(canonical: Data(changed.utf8)))) == nil, "\(wrong)")
        }
    }

    @Test("a notice is recorded with what VoiceGate keeps")
    func notice() throws {
        let requester = Samples.requester(kept: [.transcript: .limited(30, .days)])
        let notice = try #require(Notice(client: requester.client, resource: .microphone))
        let prompt = Prompt(
            cookie: "c", requester: requester, resource: .microphone, question: .firstUse, notice: notice)
        let fields = RecordContent(.noticeShown(prompt, asked: 0), changing: nil).fields
        #expect(fields["keptByService"] == .object(["transcript": .string("P30D")]))
        guard case .string(let text) = fields["notice"] else { throw CocoaError(.coderValueNotFound) }
        #expect(text.contains("VoiceGate keeps the recognised text for 30 days"))
    }

    @Test("kept, not kept and erased name the session or the items, and when it ends")
    func data() {
        let client = Samples.identifier("org.example.Editor")
        func retained(_ until: Date?) -> RecordContent {
            RecordContent(
                .dataRetained(
                    RetainedData(
                        session: "s", client: client, user: 1000, item: "i", kind: .recording, bytes: 64_000,
                        until: until.map(RetentionEnd.date) ?? .untilWithdrawn, location: "/state/kept/i")),
                changing: nil)
        }
        let record = retained(Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(record.kind == .dataRetained)
        #expect(
            record.fields == [
                "session": .string("s"), "client": .string("org.example.Editor"), "user": .integer(1000),
                "item": .string("i"), "dataKind": .string("recording"), "bytes": .integer(64_000),
                "until": .string("2023-11-14T22:13:20.500Z"), "location": .string("/state/kept/i"),
            ])
        #expect(retained(nil).fields["until"] == .string("untilWithdrawn"))
        let erased = RecordContent(
            .dataErased(
                ErasedData(
                    items: ["i", "j"], kinds: [.transcript, .recording], client: client, user: 1000,
                    reason: .retentionEnded)), changing: nil)
        #expect(
            erased.fields == [
                "items": .array([.string("i"), .string("j")]),
                "dataKinds": .array([.string("transcript"), .string("recording")]),
                "client": .string("org.example.Editor"), "user": .integer(1000), "reason": .string("retentionEnded"),
            ])
        let unkept = RecordContent(
            .dataNotKept(UnkeptData(session: "s", client: client, user: 1000, kind: .transcript, reason: "Full.")),
            changing: nil)
        #expect(unkept.kind.rawValue == "data.notKept" && unkept.fields["reason"] == .string("Full."))
    }
}
