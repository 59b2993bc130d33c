import ArgumentParser
import CommandClient
import CommandText
import Consent
import Foundation

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Read, prove, export and erase the consent log: requests, answers and use.",
        subcommands: [
            AuditRecordsCommand.self, AuditTraceCommand.self, AuditExportCommand.self, AuditVerifyCommand.self,
            AuditCheckpointCommand.self, AuditProveCommand.self, AuditReceiptCommand.self, AuditEraseCommand.self,
            AuditBackupCommand.self, AuditRestoreCommand.self,
        ])
}

struct AuditRecordsCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "List the records, oldest first, one per line.",
        discussion: """
            At a terminal by day, as sentences; into a pipe a line each, with the kind of the record. With --json each is the \
            whole record, with the notice as shown.
            """)

    @OptionGroup var records: RecordOptions

    @Option(help: .init("Only the newest records, at most this many.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Continue with new records, until Ctrl-C.")
    var follow = false

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func newPager() -> Pager? { follow ? nil : paging.pager(options) }

    /// How often new records are looked for.
    private static let interval = Duration.seconds(1)

    func validate() throws {
        if let limit, !(1...10_000).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to 10000. Without --limit all records are listed.")
        }
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        var filter = records.filter
        filter.limit = limit
        var last: UInt64?
        var days = RecordDays()
        repeat {
            for try await record in try await service.auditRecords(matching: filter, after: last) {
                try context.output.result(
                    record, context.output.isForPerson ? days.lines(record) : [record.summary()])
                last = record.index
            }
            guard follow else {
                if last == nil { try await context.requireKnown(records.client, service) }
                return
            }
            // Without a record yet, the newest are asked for again; with one, what follows it.
            if last != nil { filter.limit = nil }
            try await Task.sleep(for: Self.interval)
        } while true
    }
}
