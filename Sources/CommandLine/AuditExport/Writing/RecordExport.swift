import Base
import Consent
import Foundation
import Glibc

/// Writes one export from the entries of a log. An export that is not committed leaves no files behind.
public actor RecordExport {
    private let executor = WritingExecutor()
    private let scope: ExportScope
    private var product: (any ExportProduct)?
    public private(set) var count = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - trust: a checkpoint of the scope's size; later entries must not be added.
    ///   - path: `nil` for standard output, except for bundles.
    ///   - earlier: proofs that the log continues smaller ones, for a bundle of a part of it.
    /// - Throws: `ExportError`
    public init(
        _ format: ExportFormat, scope: ExportScope, trust: ExportTrust, path: String?,
        continuing earlier: [ConsistencyProof] = [], standardOutput: CInt = 1
    ) throws {
        self.scope = scope
        let single: any RecordFormat
        switch format {
        case .bundle:
            guard let path else {
                throw ExportError(code: .cannotWrite, message: "A bundle is a folder. Specify its path with --output.")
            }
            product = try BundleProduct(scope, trust: trust, continuing: earlier, at: path)
            return
        case .jsonl: single = RecordLines()
        case .csv: single = CombinedTable()
        case .jsonld: single = LinkedData(log: scope.log)
        case .html: single = FiguresFormat.report(scope)
        case .art30: single = FiguresFormat.register(scope)
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
            let record: ConsentRecord
            do throws(RecordProblem) {
                record = try ConsentRecord(entry)
            } catch {
                throw ExportError(code: .doesNotVerify, message: error.message)
            }
            try product?.add(entry, record)
            count += 1
            last = record.index
        }
        return last
    }

    /// Writes the rest.
    ///
    /// - Returns: the SHA-256 of the file, or of a bundle's `SHA256SUMS`, in hexadecimal.
    public func finish(_ report: VerificationReport?) throws -> String {
        var scope = scope
        scope.verification = report
        return try product?.finish(scope) ?? ""
    }

    /// Renames the export to its final path. In a bundle, the signature becomes `SHA256SUMS.note`.
    public func commit(_ signature: SignedNote?) throws { try product?.commit(signature) }

    /// Removes an export that was not committed.
    public func discard() { product = nil }
}

/// The output of an export: a file or a folder. Leaves no files behind unless it is committed.
protocol ExportProduct {
    func add(_ entry: AuditEntry, _ record: ConsentRecord) throws(ExportError)

    /// Writes the rest.
    ///
    /// - Parameter scope: now with the service's verification.
    /// - Returns: the SHA-256 in hexadecimal, of a bundle that of its list of files.
    func finish(_ scope: ExportScope) throws(ExportError) -> String

    /// - Parameter signature: a note over the SHA-256, if the log signed one.
    func commit(_ signature: SignedNote?) throws(ExportError)
}

/// One file, or standard output.
final class FileProduct: ExportProduct {
    private let trust: ExportTrust
    private var format: any RecordFormat
    private let file: OutputFile
    private let path: PartialPath?

    init(_ format: any RecordFormat, trust: ExportTrust, at path: String?, standardOutput: CInt) throws(ExportError) {
        (self.trust, self.format) = (trust, format)
        self.path = try path.map { path throws(ExportError) in try PartialPath(for: path) }
        file =
            try self.path.map { place throws(ExportError) in try OutputFile(creating: place.partial) }
            ?? OutputFile(standardOutput: standardOutput)
        try file.write(self.format.begin())
    }

    func add(_ entry: AuditEntry, _ record: ConsentRecord) throws(ExportError) { try file.write(format.add(record)) }

    func finish(_ scope: ExportScope) throws(ExportError) -> String {
        try file.write(format.end(ExportVerification(report: scope.verification, trust: trust)))
        return try file.finish()
    }

    func commit(_ signature: SignedNote?) throws(ExportError) { try path?.complete() }
}

/// Why an export failed. It leaves no files behind.
public typealias ExportError = CodedError<ExportErrorCode>

public enum ExportErrorCode: String, Sendable, Hashable {
    /// The path exists; it is not overwritten.
    case exists
    /// A file or folder cannot be written; the disk may be full.
    case cannotWrite
    /// Standard output was closed by its reader.
    case outputClosed
    /// The records do not match the checkpoint of the service.
    case doesNotVerify
}

extension ExportError {
    static func cannotWrite(_ path: String, _ number: Int32) -> ExportError {
        ExportError(code: .cannotWrite, message: "\(path) cannot be written: \(String(cString: strerror(number))).")
    }

    static func exists(_ path: String) -> ExportError {
        ExportError(
            code: .exists, message: "\(path) already exists and is not overwritten. Choose another path, or move it.")
    }

    static func unproven(_ index: UInt64) -> ExportError {
        ExportError(
            code: .doesNotVerify,
            message:
                "Record \(index) is not in the log of the checkpoint. Run `voicegate audit verify` to check the whole log."
        )
    }
}

/// The checkpoint that an export is checked against, and the keys that may sign it.
public struct ExportTrust: Sendable, Hashable {
    public let note: SignedNote
    public let checkpoint: Checkpoint
    /// Newest last.
    public let keys: [NoteVerifier]
    /// Those of the keys that signed the note; at least one.
    public let signers: [NoteVerifier]

    /// - Returns: `nil` unless one of the keys signed the note and it is a checkpoint of their log.
    public init?(note: SignedNote, keys: [NoteVerifier]) {
        guard let checkpoint = Checkpoint(text: note.text) else { return nil }
        (self.note, self.checkpoint, self.keys) = (note, checkpoint, keys)
        // Each signature is verified once: of most bundles that takes longer than the rest.
        signers = note.signers(among: checkpoint.logKeys(among: keys))
        guard !signers.isEmpty else { return nil }
    }

    /// The key that signed the note.
    var signer: NoteVerifier { signers[signers.endIndex - 1] }

    /// The keys of the checkpoint's log.
    public var logKeys: [NoteVerifier] { checkpoint.logKeys(among: keys) }
}
