import Consent
import Foundation

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
