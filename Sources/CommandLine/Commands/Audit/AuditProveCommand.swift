import ArgumentParser
import AuditExport
import CommandClient
import Consent
import Foundation

struct AuditProveCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove", abstract: "Write a proof that can be checked without this machine.",
        discussion: """
            voicegate audit prove 17            that record 17 is in the log, with the record (c2sp.org/tlog-proof); \
            voicegate audit verify checks it
            voicegate audit prove --consistency 100
                                                that the log still begins with the 100 records that a witness signed, \
            as the request to a witness (c2sp.org/tlog-witness, add-checkpoint)
            """)

    @Argument(help: .init("The record's index, as voicegate audit records shows it.", valueName: "index"))
    var index: UInt64?

    @Option(help: .init("Prove that the first records, this many, are unchanged.", valueName: "size"))
    var consistency: UInt64?

    @Option(name: .shortAndLong, help: .init("Write to this new file.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (index == nil) != (consistency == nil) else {
            throw ValidationError("Either a record's index or --consistency with a number of records is required.")
        }
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let proof = try await proof(service)
        if let output {
            do {
                try NewFile.write(proof, to: output)
            } catch {
                throw CommandError(.cannotWrite, error.message)
            }
            try context.output.result(
                Written(record: index, size: consistency, path: output), note: "Written: \(output)")
        } else if context.output.isJSON {
            try context.output.json(["proof": String(decoding: proof, as: UTF8.self)])
        } else {
            try context.output.line(String(decoding: proof.dropLast(), as: UTF8.self))
        }
    }

    /// What `--json` prints with `--output`.
    private struct Written: Encodable {
        /// Of a record's proof.
        let record: UInt64?
        /// Of a proof of consistency.
        let size: UInt64?
        let path: String
    }

    private func proof(_ service: ServiceClient) async throws -> Data {
        if let index { return try await service.provenRecord(index).data }
        let log = try ExportTrust.verified(try await service.auditCheckpoint())
        let from = consistency ?? 0
        let reply = try await service.auditConsistency(from: from, to: log.checkpoint.size)
        let proof = try require(
            ConsistencyProof(reply), .doesNotVerify, "The service's answer is not a consistency proof.")
        return WitnessRequest(proof, in: log.note).data
    }
}

extension ServiceClient {
    /// The proof of a record, with what it is of: the leaf and, unless it was erased, the text with its fields.
    ///
    /// - Throws: also `CommandError` with `doesNotVerify`.
    func provenRecord(_ index: UInt64) async throws -> OfflineProof {
        guard let proof = OfflineProof(Data(try await auditProof(of: index).utf8)), proof.inclusion.index == index
        else {
            throw CommandError(
                .doesNotVerify,
                "The service's answer is not a proof of record \(index). To check the log: voicegate audit verify")
        }
        guard let entry = try await auditEntry(index, upTo: proof.checkpoint.size),
            proof.inclusion.proves(entry.leafHash, in: proof.checkpoint.head),
            let whole = OfflineProof(proof.inclusion, in: proof.note, extra: Data(entry.line.utf8).dropLast())
        else {
            throw CommandError(
                .doesNotVerify,
                "The service's record \(index) is not the one that it proves. To check the log: voicegate audit verify")
        }
        return whole
    }
}
