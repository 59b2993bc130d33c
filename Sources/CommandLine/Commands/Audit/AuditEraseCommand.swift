import ArgumentParser
import Authorization
import Foundation
import SocketAPI

struct AuditEraseCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase records and kept data about you permanently.",
        discussion: """
            Erases the fields of records that match all options, and the recordings and transcripts of their sessions. \
            Empty records remain, so that the rest of the log can still be proven, and a new record documents the \
            erasure. Records that a valid decision, a monitor or a running session needs are kept; the command says how \
            to end those. Asks for confirmation in a terminal; otherwise --yes is required.
            """)

    @Option(help: .init("Records about this program.", valueName: "id"), transform: ArgumentReader.client)
    var client: String?

    @Option(
        help: .init("Records before this time, such as 2026-11-21 or 2026-11-21T10:00:00Z.", valueName: "time"),
        transform: ArgumentReader.time)
    var before: Date?

    @Option(help: .init("Records of this session.", valueName: "session"))
    var session: String?

    @Option(
        help: .init("Another user, by name or number; only for root. (default: you)", valueName: "user"),
        transform: ArgumentReader.user)
    var subject: UInt32?

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if client == nil, before == nil, session == nil {
            throw ValidationError("One of --client, --before and --session is required.")
        }
        if let session, UUID(uuidString: session) == nil {
            throw ValidationError("--session takes an identifier as voicegate audit records --json shows it.")
        }
    }

    func run(_ context: CommandContext) async throws {
        guard yes || context.isInteractive else {
            throw CommandError(
                .cannotAsk, status: .usage,
                "Erasure is permanent and cannot be confirmed without a terminal. To erase: --yes")
        }
        let service = try await context.client()
        let request = RecordErasureRequest(client: client, before: before, session: session, user: subject)
        if !yes {
            let planned = try await service.rehearseErasure(request)
            for line in ErasureText.plan(planned) { context.output.note(line) }
            guard planned.records > 0 || planned.items > 0 else { return }
            guard try await context.output.confirms("Erase permanently?") else {
                context.output.note("Nothing was erased.")
                return
            }
        }
        let reply = try await service.eraseRecords(request)
        try context.output.result(reply, ErasureText.result(reply))
    }
}

/// The result of an erasure in sentences.
enum ErasureText {
    static func plan(_ reply: RecordErasureReply) -> [String] {
        let isEmpty = reply.records == 0 && reply.items == 0
        return [isEmpty ? "There is nothing to erase." : "To be erased: \(counted(reply))."] + kept(reply)
    }

    static func result(_ reply: RecordErasureReply) -> [String] {
        let isEmpty = reply.records == 0 && reply.items == 0
        return [isEmpty ? "There was nothing to erase." : "Erased: \(counted(reply))."] + kept(reply)
    }

    private static func counted(_ reply: RecordErasureReply) -> String {
        let records = "the fields of \(number(reply.records, "record"))"
        return reply.items == 0 ? records : records + ", and \(number(reply.items, "recording or transcript"))"
    }

    private static func kept(_ reply: RecordErasureReply) -> [String] {
        reply.kept.map { kept in
            let reason =
                switch kept.reason {
                case .decisionInForce: "a valid decision of yours needs them"
                case .monitorRegistered: "a registered monitor needs them"
                case .sessionRunning: "a running session needs them"
                case .endsEarlierDecision:
                    "they end decisions whose records are kept, because the clock was set back"
                case .logItself: "they document the log itself or an erasure"
                }
            let next = kept.command.map { " To end that: \($0)" } ?? ""
            return "Kept: \(number(kept.records, "record")), because \(reason).\(next)"
        }
    }

    private static func number(_ count: Int, _ noun: String) -> String {
        guard count != 1 else { return "1 \(noun)" }
        return "\(count) " + (noun == "record" ? "records" : "recordings and transcripts")
    }
}
