import ArgumentParser
import Authorization
import Foundation
import SocketAPI

struct AuditEraseCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase for good what is recorded and kept about you.",
        discussion: """
            The records that everything named applies to lose all that they say, and recordings and transcripts of their \
            sessions are erased. Their places in the log stay, so that everything else can still be proven, and a record \
            says that they were erased. What something in force stands on stays: an answer, a monitor, a running session; \
            you are told how to end that. Asks first at a terminal; elsewhere it needs --yes.
            """)

    @Option(help: ArgumentHelp("What is about this program.", valueName: "id"))
    var client: String?

    @Option(
        help: ArgumentHelp("What happened before, such as 2026-11-21 or 2026-11-21T10:00:00Z.", valueName: "time"),
        transform: AuditTime.read)
    var before: Date?

    @Option(help: ArgumentHelp("What belongs to this session.", valueName: "session"))
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Another user, by name or number; for root alone. (default: you)", valueName: "user"),
        transform: UserNumber.read)
    var subject: UInt32?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if client == nil, before == nil, session == nil {
            throw ValidationError("Say what to erase: --client, --before or --session.")
        }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
        if let session, UUID(uuidString: session) == nil {
            throw ValidationError("A session is named by its identifier, as voicegate audit records --json shows it.")
        }
    }

    func run(_ context: CommandContext) async throws {
        guard yes || context.isInteractive else {
            throw CommandError(
                .cannotAsk, .usage, "What is erased is gone for good, and nobody can be asked here. Add --yes to erase."
            )
        }
        let service = try await context.client()
        let wish = RecordErasureRequest(client: client, before: before, session: session, user: subject)
        if !yes {
            let planned = try await service.rehearseErasure(wish)
            for line in ErasureText.plan(planned) { context.output.note(line) }
            guard planned.records > 0 || planned.items > 0 else { return }
            guard try await Confirmation.isGiven("Erase for good?", context.output) else {
                context.output.note("Nothing was erased.")
                return
            }
        }
        let reply = try await service.eraseRecords(wish)
        if context.output.isJSON { return try context.output.json(reply) }
        for line in ErasureText.result(reply) { try context.output.line(line) }
    }
}

/// What an erasure comes to, in sentences.
enum ErasureText {
    static func plan(_ reply: RecordErasureReply) -> [String] {
        guard reply.records > 0 || reply.items > 0 else {
            return ["There is nothing to erase."] + kept(reply)
        }
        return ["To be erased: \(counted(reply))."] + kept(reply)
    }

    static func result(_ reply: RecordErasureReply) -> [String] {
        let none = reply.records == 0 && reply.items == 0
        return [none ? "There was nothing to erase." : "Erased: \(counted(reply))."] + kept(reply)
    }

    private static func counted(_ reply: RecordErasureReply) -> String {
        let records = "what \(number(reply.records, "record")) said"
        return reply.items == 0 ? records : records + ", and \(number(reply.items, "recording or transcript"))"
    }

    private static func kept(_ reply: RecordErasureReply) -> [String] {
        reply.kept.map { kept in
            let reason =
                switch kept.reason {
                case .decisionInForce: "an answer of yours in force stands on them"
                case .monitorRegistered: "a registered monitor stands on them"
                case .sessionRunning: "a session that runs stands on them"
                case .endsEarlierDecision:
                    "they end decisions whose records stay, because the clock was set back in between"
                case .logItself: "they tell of the log itself, or of what was erased"
                }
            let way = kept.command.map { " To end that: \($0)" } ?? ""
            return "Kept: \(number(kept.records, "record")), because \(reason).\(way)"
        }
    }

    private static func number(_ count: Int, _ noun: String) -> String {
        guard count != 1 else { return "1 \(noun)" }
        return "\(count) " + (noun == "record" ? "records" : "recordings and transcripts")
    }
}
