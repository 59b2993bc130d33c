import AuditExport
import Authorization
import Consent
import Foundation
import SocketAPI
import VoiceGateClient

/// One export, from the signed checkpoint to the record that says that it was made.
struct ExportRun: Sendable {
    /// What `--json` prints.
    struct Summary: Encodable, Sendable {
        let format: String
        let output: String?
        let records: Int
        /// Records that the log had.
        let size: UInt64
        let sha256: String
        /// The record that says that the export was made.
        let record: UInt64
    }

    let format: ExportFormat
    let client: ClientIdentifier?
    let since: Date?
    let until: Date?
    let subject: String?
    let language: Language
    let path: String?
    let context: CommandContext

    func make() async throws -> Summary {
        do {
            return try await write()
        } catch let error as ExportError {
            throw Self.translated(error)
        }
    }

    private func write() async throws -> Summary {
        let service = try await context.client()
        let trust = try await trust(service)
        let scope = ExportScope(
            log: trust.checkpoint.origin, size: trust.checkpoint.size, client: client?.rawValue, since: since,
            until: until, subject: subject, language: language, madeAt: Date())
        let export = try RecordExport(format, scope: scope, trust: trust, path: path)
        do {
            try await read(scope, from: service, into: export)
            let isToldOfProof = format == .bundle || format == .html
            let digest = try await export.finish(isToldOfProof ? service.auditVerification() : nil)
            try Task.checkCancellation()
            // Written down before anybody can find it under its name.
            let reply = try await service.auditExported(
                ExportRequest(
                    format: format.rawValue, sha256: digest, size: scope.size, client: scope.client, since: since,
                    until: until, subject: subject))
            try await export.commit(reply.signature.flatMap { SignedNote(Data($0.utf8)) })
            return Summary(
                format: format.rawValue, output: path, records: await export.count, size: scope.size, sha256: digest,
                record: reply.record)
        } catch {
            await export.discard()
            throw error
        }
    }

    private func trust(_ service: VoiceGateClient) async throws -> ExportTrust {
        let reply = try await service.auditCheckpoint()
        guard let note = SignedNote(Data(reply.checkpoint.utf8)),
            let trust = ExportTrust(note: note, keys: reply.keys.compactMap(NoteVerifier.init(text:)))
        else {
            throw ExportError(
                .doesNotVerify, "The service's checkpoint is not signed with its key. Run: voicegate audit verify")
        }
        return trust
    }

    private func read(_ scope: ExportScope, from service: VoiceGateClient, into export: RecordExport) async throws {
        let filter = AuditFilter(since: since, until: until, client: client, subject: subject)
        let entries = try await service.auditEntries(
            matching: filter, upTo: scope.size, withProofs: format == .bundle && !scope.isWhole)
        var progress = ExportProgress(context.output, size: scope.size, path: path)
        defer { progress.end() }
        var batch: [AuditEntry] = []
        for try await entry in entries {
            batch.append(entry)
            guard batch.count == EntryPage.size else { continue }
            progress.tell(try await export.add(batch), count: await export.count)
            batch.removeAll(keepingCapacity: true)
        }
        progress.tell(try await export.add(batch), count: await export.count)
    }

    private static func translated(_ error: ExportError) -> any Error {
        switch error.code {
        case .outputClosed: OutputClosed()
        case .exists, .cannotWrite: CommandError(.cannotWrite, .cannotWrite, error.message)
        case .doesNotVerify: CommandError(.doesNotVerify, .badData, error.message)
        }
    }
}
