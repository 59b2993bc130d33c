import ArgumentParser
import AuditExport
import CommandClient
import Consent
import Foundation

struct AuditReceiptCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Write receipts of what you allowed and withdrew, which can be checked alone.",
        discussion: """
            voicegate audit receipt 17              of the permission in record 17
            voicegate audit receipt --output DIR    one of each permission and withdrawal, in a new folder

            A receipt has the record, the proof that it is in the log, and the log's signed checkpoint; \
            voicegate audit verify FILE --key KEY checks it. jsonld is ISO/IEC TS 27560 with W3C's Data Privacy \
            Vocabulary, kantara the Consent Receipt Specification 1.1. Documentation/Audit.md
            """)

    @Argument(help: .init("The record's index, as voicegate audit records shows it.", valueName: "index"))
    var index: UInt64?

    @OptionGroup var records: RecordOptions

    @Option(help: .init("jsonld or kantara.", valueName: "format"))
    var format = ConsentReceipt.Format.jsonld

    @Option(
        name: .shortAndLong, help: .init("The new file, or without an index the new folder.", valueName: "path"),
        completion: .file())
    var output: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if index == nil, output == nil {
            throw ValidationError("A record's index, or --output with a new folder for all receipts is required.")
        }
        if index != nil, records.filter != AuditFilter() {
            throw ValidationError("A record's index excludes --client, --since, --until and --user.")
        }
    }

    /// What `--json` prints.
    private struct Written: Encodable {
        let record: UInt64
        let path: String
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        do {
            if let index {
                let receipt = try await receipt(of: index, service)
                guard let output else { return try context.output.line(String(receipt.document(format).dropLast())) }
                try NewFile.write(receipt.document(format).utf8, to: output)
                try context.output.result(Written(record: index, path: output), note: output)
            } else {
                try await writeAll(context, service)
            }
        } catch let error as ExportError {
            throw CommandError(.cannotWrite, error.message)
        }
    }

    private func writeAll(_ context: CommandContext, _ service: ServiceClient) async throws {
        let folder = output ?? ""
        guard mkdir(folder, 0o700) == 0 else { throw CommandError.cannotWrite(folder, systemMessage()) }
        var count = 0
        for try await record in try await service.auditRecords(matching: records.filter)
        where ConsentReceipt.isDue(for: record) {
            let path = "\(folder)/receipt-\(record.index).\(format.suffix)"
            try NewFile.write(try await receipt(of: record.index, service).document(format).utf8, to: path)
            if context.output.isJSON { try context.output.json(Written(record: record.index, path: path)) }
            count += 1
        }
        context.output.note("\(folder): \(count == 1 ? "1 receipt" : "\(count) receipts")")
    }

    private func receipt(of index: UInt64, _ service: ServiceClient) async throws -> ConsentReceipt {
        let keys = try await service.auditCheckpoint().keys
        let receipt = try await require(
            ConsentReceipt(service.provenRecord(index), keys: keys), .noInput,
            "Record \(index) is not a permission that you gave or withdrew, or was erased. To find one: voicegate audit records"
        )
        return receipt
    }
}

extension ConsentReceipt.Format: ExpressibleByArgument {}
