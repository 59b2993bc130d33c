import ArgumentParser
import CommandClient
import CommandText
import Consent
import Foundation

struct AuditTraceCommand: ConnectedCommand, PagedCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show the records that belong to a session or a record, from the notice to the erasure.",
        discussion: """
            In order: notice, answer, session, retained data and its erasure. The exit code is 65 if the log has no \
            grant for a session.
            """)

    @Argument(help: .init("A session's identifier or its beginning, or a record's index.", valueName: "session|index"))
    var target: String

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    /// Eight digits can be the beginning of a session and an index.
    private var sought: [RecordTrace.Target] {
        let identifier = target.lowercased()
        let isSession = identifier.count >= 8 && identifier.allSatisfy { $0.isHexDigit || $0 == "-" }
        return [UInt64(target).map(RecordTrace.Target.index), isSession ? .session(identifier) : nil].compactMap { $0 }
    }

    func validate() throws {
        try require(!sought.isEmpty, "A session's identifier or a record's index is required: voicegate audit records")
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let trace = try await require(
            trace(service), .noInput, "The log has no such session or record. To list them: voicegate audit records")
        try context.output.decided(!trace.isGrounded) {
            for record in trace.records { try context.output.result(record, [record.summary()]) }
            if !context.output.isJSON { try context.output.lines(Self.summary(trace)) }
        }
        guard trace.isGrounded else {
            context.output.warn("The log has no grant for a session.")
            throw CommandError.reported(.badData)
        }
    }

    /// Reads twice, so that memory holds only the records of one client.
    private func trace(_ service: ServiceClient) async throws -> RecordTrace? {
        let sought = sought
        let first = try await service.auditRecords().first { record in sought.contains { $0.contains(record) } }
        guard let found = first, let target = sought.first(where: { $0.contains(found) }) else { return nil }
        let client = found.json(of: .client)
        let isErasing = found.kind == .dataErased
        let known: [ConsentRecord] = try await service.auditRecords()
            .filter { isErasing || [client, nil].contains($0.json(of: .client)) }
            .reduce(into: []) { $0.append($1) }
        return RecordTrace(of: target, in: known)
    }

    private static func summary(_ trace: RecordTrace) -> [String] {
        let sessions = Dictionary(grouping: trace.grounds, by: \.session).sorted { $0.key < $1.key }
        return sessions.map { session, grounds in
            let identifier = trace.records.first { $0.index == session }?[.session]
            let stop = trace.records.first {
                $0.kind == .sessionStopped && identifier != nil && $0[.session] == identifier
            }
            let heard = stop.map(\.useSentence) ?? "it has no end record"
            let grants = grounds.map { ground in
                ground.decision.map { "\(ground.resource) on record \($0)" } ?? "\(ground.resource) without a grant"
            }
            return "Session of record \(session): \(heard); permission: \(grants.joined(separator: ", "))."
        }
    }
}
