import Authorization
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

    @Test("a decision holds who was asked, what was shown, what was answered, how, and where the notice is")
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

    @Test("what was decided in settings names who did it, and is no answer to a notice")
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

    @Test("what root decided for a user is the administrator's act, about that user")
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
        #expect(try JSONDecoder().decode(AuditRecord.self, from: Data(record.line.utf8)) == record)
    }
}
