import Consent
import Foundation

/// What a chain of records comes to, in sentences.
enum TraceText {
    static func lines(_ trace: RecordTrace) -> [String] {
        let sessions = Dictionary(grouping: trace.grounds, by: \.session).sorted { $0.key < $1.key }
        return sessions.map { session, grounds in
            let heard =
                trace.records.first { $0.kind == "session.stopped" && isOf(session, $0, trace) }
                .flatMap { $0.fields["milliseconds"]?.integer }
                .map { String(format: "%.1f seconds were heard", Double($0) / 1000) } ?? "it has no end yet"
            let yeses = grounds.map { ground in
                ground.decision.map { "\(ground.resource) on record \($0)" } ?? "\(ground.resource) on no yes"
            }
            return "Session of record \(session): \(heard), standing on: \(yeses.joined(separator: ", "))."
        }
    }

    private static func isOf(_ start: UInt64, _ stop: AuditRecord, _ trace: RecordTrace) -> Bool {
        let started = trace.records.first { $0.index == start }
        return started?.fields["session"] != nil && started?.fields["session"] == stop.fields["session"]
    }
}
