import Consent
import Foundation
import TestSupport

/// Records as a log holds them, made up: what programs did over some weeks, with all that a report has to show.
struct SampleLog {
    static let start: Int64 = 1_790_000_000_000
    static let day: Int64 = 86_400_000
    /// A name that tries to be markup, to turn the text around, and to be a formula.
    static let hostileName = "=<script>alert(1)</script>\u{202E}\"'&evil"

    private(set) var records: [ConsentRecord] = []
    private var random = SeededGenerator(seed: 7)

    @discardableResult
    mutating func add(
        _ kind: RecordKind, at time: Int64, _ fields: [String: JSONValue], erased: Bool = false
    ) -> UInt64 {
        let index = UInt64(records.count)
        records.append(
            ConsentRecord(
                index: index, kind: kind, time: Timestamp(milliseconds: time), fields: fields, isErased: erased))
        return index
    }

    func who(_ program: SampleProgram) -> [String: JSONValue] {
        [
            "client": .string(program.client), "clientName": .string(program.name), "user": 1000,
            "subject": "s-8f3a61", "executable": .string("/usr/bin/\(program.executable)"),
            "executableSHA256": .string(String(repeating: "ab", count: 32)), "evidence": "executable",
        ]
    }

    private func asked(_ program: SampleProgram, _ resource: String) -> [String: JSONValue] {
        let fields: [String: JSONValue] = [
            "resource": .string(resource), "question": "firstUse", "notice": .string(program.notice),
            "noticeSHA256": .string(String(repeating: "cd", count: 32)), "language": .string(program.language),
            "dataKinds": .array(program.kinds.map(JSONValue.string)), "purpose": .string(program.purpose),
            "retention": program.retention.map(JSONValue.string) ?? .null,
            "recipients": program.recipients.map { .array($0.map(JSONValue.string)) } ?? .null,
            "controller": ["name": .string(program.name)],
        ]
        return who(program).merging(fields) { $1 }
    }

    /// Both questions and their answers.
    mutating func ask(
        _ program: SampleProgram, at time: Int64, answer: RecordKind = .granted, scope: String = "whileInUse"
    ) {
        for (position, resource) in ["speechRecognition", "microphone"].enumerated() {
            let moment = time + Int64(position) * 4_000
            let notice = add("notice.shown", at: moment, asked(program, resource))
            var fields = asked(program, resource)
            fields["noticeRecord"] = .integer(Int64(notice))
            fields["indication"] = "terminal"
            if answer == .granted {
                fields["scope"] = .string(scope)
                fields["fidelity"] = "full"
            }
            add(answer, at: moment + 2_500, fields)
        }
    }

    mutating func listen(
        _ program: SampleProgram, at time: Int64, milliseconds: Int64, reason: String = "silence", ends: Bool = true,
        listening: [String: JSONValue]? = nil
    ) {
        var fields = who(program)
        fields["session"] = .string("session-\(records.count)")
        fields["device"] = "default"
        fields["grants"] = [
            "microphone": .string("lease-\(records.count)"), "speechRecognition": .string("lease-s\(records.count)"),
        ]
        fields["sharing"] = .string(program.sharing)
        add("session.started", at: time, fields)
        guard ends else { return }
        fields["frames"] = .integer(milliseconds * 16)
        fields["milliseconds"] = .integer(milliseconds)
        fields["reason"] = .string(reason)
        let heard = milliseconds > 0 ? ["foreground": JSONValue.integer(milliseconds)] : [:]
        fields["listening"] = .object(
            listening ?? ["heard": .object(heard), "dropped": [:], "paused": 0, "suspended": 0])
        add("session.stopped", at: time + milliseconds, fields)
    }

    /// Weeks of use by four programs, one of which is hostile, with everything that raises a question.
    static func story(days: Int = 60) -> SampleLog {
        var log = SampleLog()
        log.add("log.genesis", at: start, ["log": .string(String(repeating: "0f", count: 16)), "hash": "SHA-256"])
        log.ask(.notes, at: start + 60_000)
        log.ask(.minutes, at: start + 3_600_000, scope: "always")
        log.ask(.hostile, at: start + day, answer: "decision.denied")
        log.ask(.unused, at: start + 2 * day)
        for number in 0..<days {
            let morning = start + Int64(number) * day + 3_600_000 * 2
            if number % 7 < 5 {
                for turn in 0..<Int64.random(in: 0...4, using: &log.random) {
                    let length = Int64.random(in: 4_000...900_000, using: &log.random)
                    log.listen(.notes, at: morning + turn * 1_800_000, milliseconds: length)
                }
            }
            if number % 3 == 0 {
                let length = Int64.random(in: 600_000...3_600_000, using: &log.random)
                log.listen(.minutes, at: morning + 5 * 3_600_000, milliseconds: length, reason: "ended")
            }
        }
        log.addTroubles(after: start + Int64(days) * day)
        return log
    }

    private mutating func addTroubles(after end: Int64) {
        add(
            "access.blocked", at: end,
            who(.hostile).merging(["resource": "microphone", "reason": "denied", "repeated": 12]) { $1 })
        listen(.stranger, at: end + 1_000, milliseconds: 2_000)
        listen(.minutes, at: end + 60_000, milliseconds: 0, ends: false)
        for item in 0..<3 {
            add(
                "data.retained", at: end + 70_000 + Int64(item),
                who(.minutes).merging([
                    "item": .string("item-\(item)"), "dataKind": "recording", "bytes": 4_812_331,
                    "until": .string(item == 0 ? "untilWithdrawn" : "2026-10-0\(item)T00:00:00.000Z"),
                    "location": "/var/lib/voicegate/kept",
                ]) { $1 })
        }
        add(
            "data.erased", at: end + 90_000,
            who(.minutes).merging(["items": ["item-1"], "dataKinds": ["recording"], "reason": "retentionEnded"]) { $1 })
        add(
            "data.shared", at: end + 95_000,
            who(.minutes).merging([
                "recipients": ["Example Speech Ltd."], "dataKinds": ["transcript"], "basis": "declared",
            ]) { $1 })
        add("decision.used", at: end + 99_000, [:], erased: true)
        add("service.muted", at: end + 100_000, ["decidedByUser": 1000])
        add("service.unmuted", at: end + 40_000, ["decidedByUser": 1000])
        let withdrawal: [String: JSONValue] = ["resource": "microphone", "indication": "settings"]
        add("decision.withdrawn", at: end + 120_000, who(.notes).merging(withdrawal) { $1 })
        add("request.received", at: end + 130_000, ["subject": "s-8f3a61", "request": "access"])
        add("export.made", at: end + 140_000, ["format": "bundle"])
    }
}
