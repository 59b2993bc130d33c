import Authorization
import Base
import Cryptography
import Foundation
import TestSupport
import Testing
@testable import Consent

struct RecordContentTests {
    private let requester = LedgerSamples.requester

    private func fields(_ event: LedgerEvent) -> [String: JSONValue] { RecordContent(event, changing: nil).fields }

    @Test("a notice is kept word for word, with its digest, its language and the four data items")
    func notice() throws {
        let prompt = try #require(LedgerSamples.prompt)
        let fields = fields(.noticeShown(prompt, asked: 6))
        #expect(fields["notice"] == .string(prompt.notice.text))
        #expect(fields["noticeSHA256"]?.string?.count == 64)
        #expect(fields["language"] == .string("en"))
        #expect(fields["dataKinds"] == .array([.string("liveAudio"), .string("transcript")]))
        #expect(fields["purpose"] == .string("Dictation of notes"))
        #expect(fields["retention"] == .null)
        #expect(fields["recipients"] == .array([]))
    }

    @Test("a decision's record names the user, the notice, the answer and how it was given")
    func decisions() throws {
        let prompt = try #require(LedgerSamples.prompt)
        let shown = fields(.asked(prompt))
        let events: [(LedgerEvent, String)] = [
            (.granted(prompt, .once, .full, .terminal, notice: 7), "decision.granted"),
            (.denied(prompt, .terminal, notice: 7), "decision.denied"),
            (.deferred(prompt, .terminal, notice: 7), "decision.deferred"),
        ]
        for (event, kind) in events {
            #expect(RecordContent(event, changing: nil).kind.rawValue == kind)
            let fields = fields(event)
            for (name, value) in shown { #expect(fields[name] == value) }
            #expect(fields["noticeRecord"] == .integer(7))
            #expect(fields["indication"] == .string("terminal"))
            #expect(fields["client"] == .string("unregistered.notes"))
            #expect(fields["clientName"] == .string("Notes"))
            #expect(fields["user"] == .integer(1000))
            #expect(fields["executable"] == .string("/usr/bin/notes"))
            #expect(fields["executableSHA256"] == .string(String(repeating: "ab", count: 32)))
            #expect(fields["resource"] == .string("microphone"))
            #expect(fields["change"] == nil)
        }
        #expect(fields(events[0].0)["scope"] == .string("once"))
        #expect(fields(events[1].0)["scope"] == nil)
    }

    @Test("a decision made in settings names the user who made it, and no notice")
    func settings() {
        let events: [(LedgerEvent, String)] = [
            (
                .decidedInSettings(LedgerSamples.key, .authorized, nil, notice: nil, by: requester.caller),
                "decision.granted"
            ),
            (
                .decidedInSettings(LedgerSamples.key, .denied, nil, notice: nil, by: requester.caller),
                "decision.denied"
            ),
            (
                .withdrawn(LedgerSamples.key, notice: nil, decision: nil, by: requester.caller), "decision.withdrawn"
            ),
        ]
        for (event, kind) in events {
            #expect(RecordContent(event, changing: nil).kind.rawValue == kind)
            #expect(fields(event)["indication"] == .string("settings"))
            #expect(fields(event)["decidedByExecutable"] == .string("/usr/bin/notes"))
            #expect(fields(event)["notice"] == nil)
        }
    }

    @Test("root's decision for a user is the administrator's act, about that user")
    func administrator() {
        let root = Caller(process: requester.caller.process, user: 0, executable: requester.caller.executable)
        for event in [
            LedgerEvent.decidedInSettings(LedgerSamples.key, .authorized, nil, notice: nil, by: root),
            .decidedInSettings(LedgerSamples.key, .denied, nil, notice: nil, by: root),
            .withdrawn(LedgerSamples.key, notice: nil, decision: nil, by: root),
        ] {
            #expect(fields(event)["indication"] == .string("administrator"))
            #expect(fields(event)["decidedByUser"] == .integer(0))
            #expect(fields(event)["user"] == .integer(1000))
        }
    }

    @Test("a session is kept with its grants and its device, and at its end with frames, time and reason")
    func sessions() {
        let started = fields(.sessionStarted(LedgerSamples.session))
        #expect(started["session"] == .string("session-1"))
        #expect(started["device"] == .string("default"))
        #expect(started["grants"]?.object?["microphone"] == .string("lease-1"))
        #expect(started["frames"] == nil)
        let stopped = fields(.sessionStopped(LedgerSamples.session, SessionOutcome(reason: "revoked", frames: 24_000)))
        #expect(stopped["frames"] == .integer(24_000))
        #expect(stopped["milliseconds"] == .integer(1500))
        #expect(stopped["reason"] == .string("revoked"))
        #expect(stopped["deviceHeld"] == nil)
    }

    @Test("a session's end counts what was heard, dropped, paused and suspended, in milliseconds that add up")
    func counted() throws {
        // No duration is a whole millisecond; the end of the session dropped less than one, which is left out.
        let account = ListeningAccount([
            .heard(.foreground): 1_607, .heard(.backgroundMode): 1_603, .dropped(.background): 809,
            .dropped(.overrun): 20, .dropped(.sessionEnded): 5, .suspended: 9, .paused: 1_611,
        ])
        let stopped = fields(
            .sessionStopped(
                LedgerSamples.session, SessionOutcome(reason: "ended", account: account, isDeviceHeld: true)))
        let listening = try #require(stopped["listening"]?.object)
        let heard = try #require(listening["heard"]?.object)
        let dropped = try #require(listening["dropped"]?.object)
        #expect(heard.keys.sorted() == ["backgroundMode", "foreground"])
        #expect(dropped.keys.sorted() == ["background", "overrun"])
        let counts =
            (Array(heard.values) + Array(dropped.values)
            + [listening["paused"], listening["suspended"]].compactMap(\.self))
            .compactMap(\.integer)
        #expect(counts.reduce(0, +) == 354)
        #expect(stopped["milliseconds"] == .integer(354))
        #expect(stopped["frames"] == .integer(5_664))
        #expect(stopped["deviceHeld"] == .boolean(true))
    }

    @Test("a blocked access, a policy and a failed recogniser are kept with their reasons")
    func others() {
        let blocked = fields(.accessBlocked(requester, .microphone, .denied, repeated: 3))
        #expect(blocked["reason"] == .string("denied") && blocked["repeated"] == .integer(3))
        let rule = PolicyRule(resource: .microphone, client: nil, user: 5, reason: "meeting room")
        let policy = fields(
            .policyChanged(
                Policy(rules: [rule]),
                source: PolicyProvenance(files: ["/a.yaml": "00"], broken: ["/b.yaml": "no YAML"])))
        #expect(
            policy["rules"]
                == .array([
                    .object([
                        "resource": .string("microphone"), "client": .null, "user": .integer(5),
                        "reason": .string("meeting room"),
                    ])
                ]))
        #expect(policy["files"] == .object(["/a.yaml": .string("00")]))
        #expect(policy["brokenFiles"] == .object(["/b.yaml": .string("no YAML")]))
        let failed = fields(.recognizerFailed(session: "s", client: LedgerSamples.identifier, reason: "signal 11"))
        #expect(failed["session"] == .string("s") && failed["reason"] == .string("signal 11"))
    }

    @Test("a change of the decisions is kept with its record and read back the same")
    func changes() throws {
        for change in [DecisionChange.store(LedgerSamples.decision), .remove(LedgerSamples.key)] {
            let stored = StoredChange(change)
            #expect(StoredChange(json: stored.json) == stored)
        }
        #expect(StoredDecision(LedgerSamples.decision).decision == LedgerSamples.decision)
    }

    @Test("a record is shown as one line of JSON, always in the same order")
    func line() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage(), now: CountingClock().next)
        try await log.record(
            .recognizerFailed(session: "s", client: LedgerSamples.identifier, reason: "died\n"), changing: nil)
        let record = try #require(try await log.records().last)
        #expect(
            record.line == #"{"index":1,"kind":"recognizer.failed","time":"1970-01-01T00:00:01.000Z","#
                + #""fields":{"client":"unregistered.notes","reason":"died\n","session":"s"},"isErased":false}"#)
        #expect(try JSONDecoder().decode(ConsentRecord.self, from: Data(record.line.utf8)) == record)
    }
}

@Suite("Records of kept data")
struct KeepingRecordTests {
    @Test(
        "agreed keeping times are stored with the grant; a grant without them agreed to none")
    func terms() throws {
        let now = Moment(boot: "b", sinceBoot: 1, wall: 2)
        var terms = Terms(scope: .whileInUse, usedAt: now, reviewedAt: now)
        let none = terms.json(of: nil).canonical
        #expect(!none.contains("kept"))
        #expect(Terms(json: try #require(JSONValue(canonical: Data(none.utf8))))?.agreed.kept == [:])
        terms.agreed.kept = [.transcript: .limited(30, .days), .recording: .untilWithdrawn]
        let text = terms.json(of: nil).canonical
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
                    session: "s", client, user: 1000, item: "i", .recording, bytes: 64_000, until: until,
                    location: "/state/kept/i"),
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
            .dataErased(items: ["i", "j"], [.transcript, .recording], client, user: 1000, .retentionEnded),
            changing: nil)
        #expect(
            erased.fields == [
                "items": .array([.string("i"), .string("j")]),
                "dataKinds": .array([.string("transcript"), .string("recording")]),
                "client": .string("org.example.Editor"), "user": .integer(1000), "reason": .string("retentionEnded"),
            ])
        let unkept = RecordContent(
            .dataNotKept(session: "s", client, user: 1000, .transcript, reason: "Full."),
            changing: nil)
        #expect(unkept.kind.rawValue == "data.notKept" && unkept.fields["reason"] == .string("Full."))
    }
}

struct SubjectPseudonymTests {
    @Test("a pseudonym is HMAC-SHA256 of the user's number under the log's key, and stays the same")
    func form() throws {
        let key = Data((0..<32).map { UInt8($0) })
        let code = HMACSHA256.authenticationCode(for: "1000".utf8, using: SymmetricKey(data: key))
        let subjects = try #require(SubjectPseudonyms(key: key))
        let expected = "s-" + code.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(subjects.subject(ofUser: 1000) == expected)
        #expect(subjects.subject(ofUser: 1000) == SubjectPseudonyms(key: key)?.subject(ofUser: 1000))
    }

    @Test("two users of a log, and one user in two logs, have nothing in common")
    func apart() throws {
        let one = try #require(SubjectPseudonyms(key: Data(repeating: 1, count: 32)))
        let other = try #require(SubjectPseudonyms(key: Data(repeating: 2, count: 32)))
        #expect(one.subject(ofUser: 1000) != one.subject(ofUser: 1001))
        #expect(one.subject(ofUser: 1000) != other.subject(ofUser: 1000))
    }

    @Test("a key of another size is rejected", arguments: [0, 16, 31, 33])
    func size(_ count: Int) { #expect(SubjectPseudonyms(key: Data(repeating: 0, count: count)) == nil) }
}
