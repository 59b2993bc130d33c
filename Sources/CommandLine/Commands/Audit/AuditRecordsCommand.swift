import ArgumentParser
import Authorization
import Foundation

struct AuditRecordsCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "List the records, oldest first, one a line.",
        discussion: "A line names the essentials. With --json it is the whole record, with the notice as it was shown.")

    @Option(
        help: ArgumentHelp("List only what happened then or later, such as 2026-11-21T10:00:00Z.", valueName: "time"),
        transform: AuditTime.read)
    var since: Date?

    @Option(help: ArgumentHelp("List only the last so many.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("List only what is about this program.", valueName: "id"))
    var client: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let limit, !(1...10_000).contains(limit) {
            throw ValidationError("--limit takes a count from 1 to 10000. Leave it away for all records.")
        }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for try await record in try await service.auditRecords(since: since, limit: limit, client: client) {
            if context.output.isJSON {
                try context.output.json(record)
            } else {
                try context.output.line(AuditText.line(record))
            }
        }
    }
}
