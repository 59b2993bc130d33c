import Authorization
import Base
import Cryptography
import Foundation
import TestSupport
import Testing
@testable import Consent

struct RecordContentTests {
    private static let caller = LedgerSamples.requester.caller
    private static let root = Caller(process: caller.process, user: 0, executable: caller.executable)
    private static let key = LedgerSamples.key

    private func content(_ event: LedgerEvent) -> RecordContent { RecordContent(event, changing: nil) }
    private func fields(_ event: LedgerEvent) -> [String: JSONValue] { content(event).fields }

    /// Expects these fields, and that the others are absent.
    private func expect(
        _ event: LedgerEvent, has expected: [String: JSONValue], lacks absent: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let fields = fields(event)
        #expect(fields.filter { expected[$0.key] != nil } == expected, sourceLocation: sourceLocation)
        for name in absent { #expect(fields[name] == nil, "\(name)", sourceLocation: sourceLocation) }
    }

    @Test("a notice is kept word for word, with its digest, its language and the four data items")
    func notice() throws {
        let prompt = try #require(LedgerSamples.prompt)
        expect(
            .noticeShown(prompt, asked: 6),
            has: [
                "notice": .string(prompt.notice.text), "language": "en", "dataKinds": ["liveAudio", "transcript"],
                "purpose": "Dictation of notes", "retention": .null, "recipients": [],
            ])
        #expect(fields(.noticeShown(prompt, asked: 6))["noticeSHA256"]?.string?.count == 64)
    }

    @Test("a decision's record names the user, the notice, the answer and how it was given")
    func decisions() throws {
        let prompt = try #require(LedgerSamples.prompt)
        let answered: [String: JSONValue] = [
            "noticeRecord": 7, "indication": "terminal", "client": "unregistered.notes", "clientName": "Notes",
            "user": 1000, "executable": "/usr/bin/notes",
            "executableSHA256": .string(String(repeating: "ab", count: 32)), "resource": "microphone",
        ]
        for (event, kind, scope) in [
            (.granted(prompt, .once, .full, .terminal, notice: 7), "decision.granted", "once"),
            (.denied(prompt, .terminal, notice: 7), "decision.denied", nil),
            (.deferred(prompt, .terminal, notice: 7), "decision.deferred", nil),
        ] as [(LedgerEvent, String, String?)] {
            #expect(content(event).kind.rawValue == kind)
            expect(event, has: fields(.asked(prompt)).merging(answered) { $1 }, lacks: ["change"])
            #expect(fields(event)["scope"]?.string == scope)
        }
    }

    @Test("a decision made in settings names the user who made it, and no notice; root's is the administrator's act")
    func settings() {
        for (caller, indication) in [(Self.caller, "settings"), (Self.root, "administrator")] {
            for (event, kind) in [
                (.decidedInSettings(Self.key, .authorized, nil, notice: nil, by: caller), "decision.granted"),
                (.decidedInSettings(Self.key, .denied, nil, notice: nil, by: caller), "decision.denied"),
                (.withdrawn(Self.key, notice: nil, decision: nil, by: caller), "decision.withdrawn"),
            ] as [(LedgerEvent, String)] {
                #expect(content(event).kind.rawValue == kind)
                expect(
                    event,
                    has: [
                        "indication": .string(indication), "decidedByExecutable": "/usr/bin/notes", "user": 1000,
                        "decidedByUser": .integer(Int64(caller.user)),
                    ], lacks: ["notice"])
            }
        }
    }

    @Test("a session is kept with its grants and its device, and at its end with frames, time and reason")
    func sessions() {
        let started = LedgerEvent.sessionStarted(LedgerSamples.session)
        expect(started, has: ["session": "session-1", "device": "default"], lacks: ["frames"])
        #expect(fields(started)["grants"]?.object?["microphone"] == "lease-1")
        expect(
            .sessionStopped(LedgerSamples.session, SessionOutcome(reason: "revoked", frames: 24_000)),
            has: ["frames": 24_000, "milliseconds": 1500, "reason": "revoked"], lacks: ["deviceHeld"])
    }

    @Test("a session's end counts what was heard, dropped, paused and suspended, in milliseconds that add up")
    func counted() throws {
        // No duration is a whole millisecond; the end of the session dropped less than one, which is left out.
        let account = ListeningAccount([
            .heard(.foreground): 1_607, .heard(.backgroundMode): 1_603, .dropped(.background): 809,
            .dropped(.overrun): 20, .dropped(.sessionEnded): 5, .suspended: 9, .paused: 1_611,
        ])
        let outcome = SessionOutcome(reason: "ended", account: account, isDeviceHeld: true)
        let stopped = LedgerEvent.sessionStopped(LedgerSamples.session, outcome)
        expect(stopped, has: ["milliseconds": 354, "frames": 5_664, "deviceHeld": true])
        let listening = try #require(fields(stopped)["listening"]?.object)
        let heard = try #require(listening["heard"]?.object)
        let dropped = try #require(listening["dropped"]?.object)
        #expect(heard.keys.sorted() == ["backgroundMode", "foreground"])
        #expect(dropped.keys.sorted() == ["background", "overrun"])
        let idle = ["paused", "suspended"].compactMap { listening[$0] }
        let counts = (Array(heard.values) + dropped.values + idle).compactMap(\.integer)
        #expect(counts.reduce(0, +) == 354)
    }

    @Test("a blocked access, a policy and a failed recogniser are kept with their reasons")
    func others() {
        expect(
            .accessBlocked(LedgerSamples.requester, .microphone, .denied, repeated: 3),
            has: ["reason": "denied", "repeated": 3])
        let rule = PolicyRule(resource: .microphone, client: nil, user: 5, reason: "meeting room")
        expect(
            .policyChanged(
                Policy(rules: [rule]),
                source: PolicyProvenance(files: ["/a.yaml": "00"], broken: ["/b.yaml": "no YAML"])),
            has: [
                "rules": [["resource": "microphone", "client": .null, "user": 5, "reason": "meeting room"]],
                "files": ["/a.yaml": "00"], "brokenFiles": ["/b.yaml": "no YAML"],
            ])
        expect(
            .recognizerFailed(session: "s", client: LedgerSamples.identifier, reason: "signal 11"),
            has: ["session": "s", "reason": "signal 11"])
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
        try await log.record(.recognizerFailed(session: "s", client: LedgerSamples.identifier, reason: "died\n"))
        let record = try #require(try await log.records().last)
        #expect(
            record.line == #"{"index":1,"kind":"recognizer.failed","time":"1970-01-01T00:00:01.000Z","#
                + #""fields":{"client":"unregistered.notes","reason":"died\n","session":"s"},"isErased":false}"#)
        #expect(try JSONDecoder().decode(ConsentRecord.self, from: Data(record.line.utf8)) == record)
    }
}

@Suite("Records of kept data")
struct KeepingRecordTests {
    @Test("agreed keeping times are stored with the grant; a grant without them agreed to none")
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
        #expect(fields["keptByService"] == ["transcript": "P30D"])
        #expect(fields["notice"]?.string?.contains("VoiceGate keeps the recognised text for 30 days") == true)
    }

    @Test("kept, not kept and erased name the session or the items, and when it ends")
    func data() {
        let client = Samples.identifier("org.example.Editor")
        func content(_ event: LedgerEvent) -> RecordContent { RecordContent(event, changing: nil) }
        func retained(_ end: Date?) -> RecordContent {
            content(
                .dataRetained(
                    session: "s", client, user: 1000, item: "i", .recording, bytes: 64_000, until: end,
                    location: "/state/kept/i"))
        }
        let record = retained(Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(record.kind == .dataRetained)
        let kept: [String: JSONValue] = [
            "session": "s", "client": "org.example.Editor", "user": 1000, "item": "i", "dataKind": "recording",
            "bytes": 64_000, "until": "2023-11-14T22:13:20.500Z", "location": "/state/kept/i",
        ]
        #expect(record.fields == kept)
        #expect(retained(nil).fields["until"] == "untilWithdrawn")
        let erased: [String: JSONValue] = [
            "items": ["i", "j"], "dataKinds": ["transcript", "recording"], "client": "org.example.Editor", "user": 1000,
            "reason": "retentionEnded",
        ]
        #expect(
            content(.dataErased(items: ["i", "j"], [.transcript, .recording], client, user: 1000, .retentionEnded))
                .fields == erased)
        let unkept = content(
            .dataNotKept(session: "s", client, user: 1000, .transcript, reason: "Full."))
        #expect(unkept.kind.rawValue == "data.notKept" && unkept.fields["reason"] == "Full.")
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
