import ArgumentParser
import Consent
import Foundation
import VoiceGateClient

struct AuditTraceCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Show what a session or a record stands on, and what came of it.",
        discussion: """
            From the notice to the answer, the session, what was kept of it, and its erasure, in order. Exits with 65 when a \
            session stood on no yes that the records tell of.
            """)

    @Argument(
        help: ArgumentHelp(
            "A session's identifier or its beginning, or the index of a record.", valueName: "session|index"))
    var target: String

    @OptionGroup var options: GlobalOptions

    /// Eight digits are what `audit records` shows of a session, and could be a number too.
    private var sought: [RecordTrace.Target] {
        let identifier = target.lowercased()
        let isSession = identifier.count >= 8 && identifier.allSatisfy { $0.isHexDigit || $0 == "-" }
        return [UInt64(target).map(RecordTrace.Target.index), isSession ? .session(identifier) : nil].compactMap { $0 }
    }

    func validate() throws {
        guard !sought.isEmpty else {
            throw ValidationError(
                "Give the identifier of a session, or the index of a record; both as voicegate audit "
                    + "records shows them.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        guard let trace = try await trace(service) else {
            throw CommandError(
                .noInput, .noInput, "The log has no such session or record. voicegate audit records lists them.")
        }
        for record in trace.records {
            if context.output.isJSON {
                try context.output.json(record)
            } else {
                try context.output.line(AuditText.line(record))
            }
        }
        if !context.output.isJSON {
            for line in TraceText.lines(trace) { try context.output.line(line) }
        }
        guard trace.isGrounded else {
            context.output.warn("A session stood on no yes that the records tell of.")
            throw CommandError.alreadyTold(.badData)
        }
    }

    /// Reads twice, so that no more is kept in memory than the records of one client.
    private func trace(_ service: VoiceGateClient) async throws -> RecordTrace? {
        var found: (record: AuditRecord, by: RecordTrace.Target)?
        for try await record in try await service.auditRecords() {
            if let target = sought.first(where: { $0.contains(record) }) {
                found = (record, target)
                break
            }
        }
        guard let (found, target) = found else { return nil }
        let client = found.fields["client"]
        let isErasing = found.kind == RecordKind.dataErased.rawValue
        var known: [AuditRecord] = []
        for try await record in try await service.auditRecords()
        where isErasing || record.fields["client"] == client || record.fields["client"] == nil {
            known.append(record)
        }
        return RecordTrace(of: target, in: known)
    }
}

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
