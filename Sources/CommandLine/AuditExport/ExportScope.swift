import Authorization
import Consent
import Foundation

/// The scope of an export, written to `scope.json` in a bundle.
public struct ExportScope: Sendable {
    /// The log's origin: the first line of its checkpoints.
    public let log: String
    /// The number of records in the log at the time of the export; later records are not included.
    public let size: UInt64
    public let filter: AuditFilter
    /// The language of texts that are not from records.
    public let language: Language
    public let madeAt: Date

    public init(log: String, size: UInt64, filter: AuditFilter = AuditFilter(), language: Language, madeAt: Date) {
        self.log = log
        self.size = size
        self.filter = filter
        self.language = language
        self.madeAt = madeAt
    }

    /// Whether all records are included, so that they yield the root of the tree.
    public var isWhole: Bool { filter == AuditFilter() }

    /// Canonical JSON and a newline.
    var document: String {
        let members: [String: JSONValue?] = [
            "log": .string(log), "size": .integer(Int64(clamping: size)), "whole": .boolean(isWhole),
            "language": .string(language.rawValue), "madeAt": .string(Timestamp(madeAt).text),
            "client": filter.client.map { .string($0.rawValue) }, "subject": filter.subject.map(JSONValue.string),
            "since": filter.since.map { .string(Timestamp($0).text) },
            "until": filter.until.map { .string(Timestamp($0).text) },
        ]
        return JSONValue.object(members.compactMapValues { $0 }).canonical + "\n"
    }
}

/// The result of verifying the records of an export, for the report.
struct ExportVerification: Sendable {
    /// How the exported records were checked against the checkpoint.
    enum Coverage: Sendable {
        /// The whole log; the root was recomputed.
        case whole
        /// Each record has a proof, which was checked.
        case proofs
        /// Not checked, because a single file contains no proofs.
        case unchecked
    }

    /// The service's verification of its whole log, if requested.
    let report: VerificationReport?
    /// The checkpoint that the records were checked against, if any.
    var trust: ExportTrust?
    var coverage = Coverage.unchecked
}
