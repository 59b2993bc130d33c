import ArgumentParser
import AuditExport
import Authorization
import CommandClient
import Consent
import Foundation
import SocketAPI

struct AuditExportCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export who listened, when, with which permission, and what was kept, for readers or for programs.",
        discussion: """
            bundle   a folder with all of the following, the proofs, and instructions to verify them without VoiceGate
            html     one page to read and print, in --language
            csv      sessions, refused accesses and decisions, for spreadsheets
            jsonld   W3C Data Privacy Vocabulary 2.3
            jsonl    the records, one per line
            art30    the record of processing activities (GDPR, Art. 30), from what happened

            Without --output it goes to standard output; a bundle requires --output with a new folder. Exports contain \
            personal data: only you can read them, existing files are not overwritten, and Ctrl-C leaves nothing behind. \
            Each export is recorded in the log. The formats: Documentation/Audit.md
            """)

    @Option(help: .init("\(ExportFormat.names).", valueName: "format"))
    var format = ExportFormat.bundle

    @OptionGroup var records: RecordOptions

    @Option(
        help: .init(
            "Checkpoints kept elsewhere. A bundle of a part of the log gets the proof that the log continues them.",
            valueName: "file"), completion: .file())
    var checkpoint: [String] = []

    @Option(help: .init("The language of texts: en, ja or ko. (default: your locale)", valueName: "code"))
    var language: Language?

    @Option(name: .shortAndLong, help: .init("The new file or folder.", valueName: "path"), completion: .file())
    var output: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try refuse(
            if: format == .bundle && output == nil, "A bundle requires --output FOLDER. Or choose another --format.")
        try refuse(if: !checkpoint.isEmpty && format != .bundle, "--checkpoint requires --format bundle.")
        if options.outputOptions.json, output == nil {
            throw ValidationError("--json prints a summary, so the export requires --output PATH.")
        }
        if let output, output.isEmpty { throw ValidationError("--output takes a path.") }
    }

    func run(_ context: CommandContext) async throws {
        let signals = SignalWatch(removingEchoFrom: context.output)
        let summary = try await signals.cancelling { try await export(context) }
        if context.output.isJSON {
            try context.output.json(summary)
        } else if let output {
            context.output.note("\(output): \(summary.records) records of \(summary.size), SHA-256 \(summary.sha256)")
        }
    }
}

extension ExportFormat: ExpressibleByArgument {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// One export, from the signed checkpoint to its record in the log.
extension AuditExportCommand {
    /// What `--json` prints.
    struct Summary: Encodable, Sendable {
        let format: String
        let output: String?
        let records: Int
        /// Records in the log.
        let size: UInt64
        let sha256: String
        /// Index of the export's record.
        let record: UInt64
    }

    func export(_ context: CommandContext) async throws -> Summary {
        do {
            return try await write(context)
        } catch let error as ExportError {
            switch error.code {
            case .outputClosed: throw OutputClosed()
            case .exists, .cannotWrite: throw CommandError(.cannotWrite, error.message)
            case .doesNotVerify: throw CommandError(.doesNotVerify, error.message)
            }
        }
    }

    private func write(_ context: CommandContext) async throws -> Summary {
        let service = try await context.client()
        let trust = try await require(
            ExportTrust(service.auditCheckpoint()), .doesNotVerify,
            "The service's checkpoint is not signed with its key. To check the log: voicegate audit verify")
        let filter = records.filter
        let scope = ExportScope(
            log: trust.checkpoint.origin, size: trust.checkpoint.size, filter: filter,
            language: language ?? .ofPerson, madeAt: Date(), version: ServiceVersion.current)
        let export = try RecordExport(
            format, scope: scope, trust: trust, path: output,
            continuing: format == .bundle && !scope.isWhole ? try await consistency(service, trust) : [])
        do {
            try await read(scope, from: service, into: export, context.output)
            let includesVerification = format == .bundle || format == .html
            let digest = try await export.finish(includesVerification ? service.auditVerification() : nil)
            try Task.checkCancellation()
            // Recorded before the export gets its name.
            let reply = try await service.auditExported(
                ExportRequest(
                    format: format.rawValue, sha256: digest, size: scope.size, client: records.client,
                    since: filter.since, until: filter.until, subject: filter.subject))
            try await export.commit(reply.signature.flatMap { SignedNote(Data($0.utf8)) })
            return Summary(
                format: format.rawValue, output: output, records: await export.count, size: scope.size, sha256: digest,
                record: reply.record)
        } catch {
            await export.discard()
            throw error
        }
    }

    /// Proofs that the log continues what was published, cosigned, or kept by somebody.
    private func consistency(_ service: ServiceClient, _ trust: ExportTrust) async throws -> [ConsistencyProof] {
        let known = try await service.auditPublications()
        var sizes = Set(known.publications.map(\.size) + known.cosignatures.map(\.size))
        for file in checkpoint {
            for note in try await CheckpointInput.notes(file) {
                guard let held = Checkpoint(text: note.text) else { continue }
                sizes.insert(held.size)
            }
        }
        var proofs: [ConsistencyProof] = []
        for size in sizes.sorted() where size > 0 && size < trust.checkpoint.size {
            let reply = try await service.auditConsistency(from: size, to: trust.checkpoint.size)
            if let proof = ConsistencyProof(reply) { proofs.append(proof) }
        }
        return proofs
    }

    private func read(
        _ scope: ExportScope, from service: ServiceClient, into export: RecordExport, _ output: Output
    ) async throws {
        let entries = try await service.auditEntries(
            matching: scope.filter, upTo: scope.size, withProofs: format == .bundle && !scope.isWhole)
        // A terminal shows the export itself if there is no file.
        let isShown = self.output != nil || isatty(STDOUT_FILENO) == 0
        defer { if isShown { output.clearLive() } }
        var percent = -1
        var batch: [AuditEntry] = []
        func write() async throws {
            let last = try await export.add(batch)
            batch.removeAll(keepingCapacity: true)
            guard isShown, let last, scope.size > 0, percent != Int((last + 1) * 100 / scope.size) else { return }
            percent = Int((last + 1) * 100 / scope.size)
            let count = await export.count
            output.live(Language.ofPerson.commandWording.exporting(count: count, percent: percent, size: scope.size))
        }
        for try await entry in entries {
            batch.append(entry)
            if batch.count == EntryPage.size { try await write() }
        }
        try await write()
    }
}
