import ArgumentParser
import Foundation
import SocketAPI

struct AuditBackupCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the consent log, its key and what is kept, while the service runs.",
        discussion: """
            The folder is made; it must not be there. It holds the log's secret key and all that the log says: keep it as \
            you keep the log. In enforced mode only root can read it. That it was made is a record.
            To restore: end the service, put what is in the folder into an empty state directory, and start the service.
            """)

    @Argument(help: ArgumentHelp("Where the copy goes.", valueName: "folder"))
    var folder: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        // Named before anything is made, for the person who mistypes.
        guard access(folder, F_OK) != 0 else {
            throw CommandError(.cannotWrite, .cannotWrite, "\(folder) is there already. Name a folder that is not.")
        }
        let service = try await context.client()
        var lines = try await service.auditBackup().makeAsyncIterator()
        guard let reply = try await lines.next() else { throw CommandError.serviceEnded }
        let copy = BackupCopy(source: reply.folder, target: folder)
        let digest = try await Blocking.run { try copy.make() }
        _ = try await service.auditExported(
            ExportRequest(format: "backup", sha256: digest, size: reply.records))
        withExtendedLifetime(lines) {}
        if context.output.isJSON { return try context.output.json(BackupReply(folder: folder, records: reply.records)) }
        context.output.note("\(folder): \(reply.records) records, SHA-256 of the database \(digest)")
    }
}
