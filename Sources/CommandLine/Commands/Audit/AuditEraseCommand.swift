import ArgumentParser
import Authorization
import CommandClient
import CommandText
import Foundation
import SocketAPI

struct AuditEraseCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase records and kept data about you permanently.",
        discussion: """
            Erases the fields of records that match all options, and the recordings and transcripts of their sessions. \
            Empty records remain, so that the rest of the log can still be proven, and a new record documents the \
            erasure. Records that a valid decision, a monitor or a running session needs are kept; the command says how \
            to end those. Without a terminal --yes is required.
            """)

    @Option(
        help: .init("Records about this program.", valueName: "id"), completion: .clients,
        transform: ArgumentReader.client)
    var client: String?

    @Option(
        help: .init("Records before this time: \(TimeArgument.forms).", valueName: "time"),
        transform: ArgumentReader.time)
    var until: Date?

    @Option(help: .init("Records of this session.", valueName: "id"))
    var session: String?

    @Option(
        help: .init("Another user, by name or number; only for root. (default: you)", valueName: "user"),
        transform: ArgumentReader.user)
    var user: UInt32?

    @OptionGroup var erasure: ErasureOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try refuse(
            if: client == nil && until == nil && session == nil, "One of --client, --until and --session is required.")
        if let session, UUID(uuidString: session) == nil {
            throw ValidationError("--session takes an identifier as voicegate audit records --json shows it.")
        }
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let request = RecordErasureRequest(client: client, before: until, session: session, user: user)
        if !erasure.yes {
            let planned = try await service.rehearseErasure(request)
            let lines = planned.lines("To be erased", nothing: "There is nothing to erase.")
            guard !planned.isEmpty else {
                for line in lines { context.output.note(line) }
                try await context.requireKnown(client, service)
                return
            }
            guard try await context.agrees(toErase: lines, erasure, isRequired: true) else { return }
        }
        let reply = try await service.eraseRecords(request)
        try context.output.result(reply, reply.lines("Erased", nothing: "There was nothing to erase."))
    }
}

extension RecordErasureReply {
    fileprivate var isEmpty: Bool { records == 0 && items == 0 }

    /// Sentences: what was or would be erased, and what is kept.
    fileprivate func lines(_ verb: String, nothing: String) -> [String] {
        let fields = "the fields of \(records == 1 ? "1 record" : "\(records) records")"
        let sound = items == 1 ? "1 recording or transcript" : "\(items) recordings or transcripts"
        let erased = items == 0 ? fields : fields + ", and " + sound
        return [isEmpty ? nothing : "\(verb): \(erased)."] + kept.map(\.line)
    }
}

extension RecordErasureReply.Kept {
    fileprivate var line: String {
        let reason =
            switch reason {
            case .decisionInForce: "a decision in force needs them"
            case .monitorRegistered: "a registered monitor needs them"
            case .muteInForce: "a mute in force needs them"
            case .sessionRunning: "a running session needs them"
            case .endsEarlierDecision: "they end decisions whose records are kept, because the clock was set back"
            case .logItself: "they document the log itself or an erasure"
            }
        let next = command.map { " To end that: \($0)" } ?? ""
        return "Kept: \(records == 1 ? "1 record" : "\(records) records"), because \(reason).\(next)"
    }
}
