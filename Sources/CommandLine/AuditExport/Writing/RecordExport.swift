import Consent
import Foundation
import Glibc

/// Writes one export from the entries of a log. What is not committed leaves nothing behind when this goes away.
public actor RecordExport {
    private let executor = WritingExecutor()
    private var product: (any ExportProduct)?
    /// Records so far.
    public private(set) var count = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - trust: of a size that the scope names; entries behind it must not come.
    ///   - path: `nil` for standard output, which a bundle cannot be written to.
    /// - Throws: `ExportError`
    public init(
        _ format: ExportFormat, scope: ExportScope, trust: ExportTrust, path: String?, timeZone: TimeZone = .current,
        standardOutput: CInt = 1
    ) throws {
        let single: any RecordFormat
        switch format {
        case .bundle:
            guard let path else { throw ExportError(.cannotWrite, "A bundle is a folder. Name it with --output.") }
            product = try BundleProduct(scope, trust: trust, at: path, timeZone: timeZone)
            return
        case .jsonl: single = RecordLines()
        case .csv: single = CombinedTable()
        case .jsonld: single = LinkedData(log: scope.log)
        case .html: single = HTMLReport(scope: scope, timeZone: timeZone)
        case .apple: single = AppPrivacyReport()
        }
        product = try FileProduct(single, trust: trust, at: path, standardOutput: standardOutput)
    }

    /// Adds entries in the order of the log.
    ///
    /// - Returns: the index of the last one.
    /// - Throws: `ExportError`; `doesNotVerify` for an entry whose disclosures do not fit its leaf, and in a bundle for
    ///   one that is not in the log of the checkpoint.
    @discardableResult
    public func add(_ entries: [AuditEntry]) throws -> UInt64? {
        var last: UInt64?
        for entry in entries {
            let record: AuditRecord
            do throws(RecordProblem) {
                record = AuditRecord(try ConsentRecord(entry))
            } catch {
                throw ExportError(.doesNotVerify, error.message)
            }
            try product?.add(entry, record)
            count += 1
            last = record.index
        }
        return last
    }

    /// Writes what is left.
    ///
    /// - Returns: SHA-256 of the file, or of a bundle's `SHA256SUMS`, in hexadecimal.
    public func finish(_ report: VerificationReport?) throws -> String { try product?.finish(report) ?? "" }

    /// Gives the export its name. A signature is put into a bundle as `SHA256SUMS.note`.
    public func commit(_ signature: SignedNote?) throws { try product?.commit(signature) }

    /// Takes away what was not committed.
    public func discard() { product = nil }
}

/// What an export becomes: one file, or a folder of them. Leaves nothing behind unless it is committed.
protocol ExportProduct {
    func add(_ entry: AuditEntry, _ record: AuditRecord) throws(ExportError)

    /// Writes what is left.
    ///
    /// - Returns: the SHA-256 that stands for all of it, in hexadecimal.
    func finish(_ report: VerificationReport?) throws(ExportError) -> String

    /// Gives it its name.
    ///
    /// - Parameter signature: a note over the SHA-256, where the log signed one.
    func commit(_ signature: SignedNote?) throws(ExportError)
}

/// One file, or standard output.
final class FileProduct: ExportProduct {
    private var format: any RecordFormat
    private let trust: ExportTrust
    private let file: OutputFile
    private let path: PartialPath?

    init(_ format: any RecordFormat, trust: ExportTrust, at path: String?, standardOutput: CInt) throws(ExportError) {
        self.format = format
        self.trust = trust
        let place = try path.map { path throws(ExportError) in try PartialPath(for: path) }
        self.path = place
        file =
            try place.map { place throws(ExportError) in try OutputFile(creating: place.partial) }
            ?? OutputFile(standardOutput: standardOutput)
        try file.write(self.format.begin())
    }

    func add(_ entry: AuditEntry, _ record: AuditRecord) throws(ExportError) { try file.write(format.add(record)) }

    func finish(_ report: VerificationReport?) throws(ExportError) -> String {
        try file.write(format.end(ExportVerification(report: report, checkpoint: trust.facts)))
        return try file.finish()
    }

    func commit(_ signature: SignedNote?) throws(ExportError) { try path?.complete() }
}

/// Why an export was not made. Nothing of it is left behind.
public struct ExportError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Something is there already, and is not written over.
        case exists
        /// A file or folder cannot be written; the disk may be full.
        case cannotWrite
        /// Nobody reads standard output any more.
        case outputClosed
        /// What the service sent does not fit its own checkpoint.
        case doesNotVerify
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    static func cannotWrite(_ path: String, _ number: Int32) -> ExportError {
        ExportError(.cannotWrite, "\(path) cannot be written: \(String(cString: strerror(number))).")
    }

    static func exists(_ path: String) -> ExportError {
        ExportError(.exists, "\(path) is there already and is not written over. Give another path, or move it away.")
    }

    static func unproven(_ index: UInt64) -> ExportError {
        ExportError(
            .doesNotVerify,
            "Record \(index) is not in the log that the checkpoint is of. Run `voicegate audit verify` to check the whole log."
        )
    }
}

/// The checkpoint that an export is checked against, and the keys that may have signed it.
public struct ExportTrust: Sendable, Hashable {
    public let note: SignedNote
    public let checkpoint: Checkpoint
    /// Newest last.
    public let keys: [NoteVerifier]
    private let signer: NoteVerifier

    /// - Returns: `nil` unless one of the keys signed the note and it is a checkpoint of their log.
    public init?(note: SignedNote, keys: [NoteVerifier]) {
        guard let checkpoint = Checkpoint(note, signedBy: keys), let signer = note.signers(among: keys).last else {
            return nil
        }
        self.note = note
        self.checkpoint = checkpoint
        self.keys = keys
        self.signer = signer
    }

    /// For the report.
    var facts: ExportVerification.Checkpoint {
        ExportVerification.Checkpoint(size: checkpoint.size, root: checkpoint.root.base64, key: signer.text)
    }
}
