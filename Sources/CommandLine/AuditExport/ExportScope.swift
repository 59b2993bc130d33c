import Authorization
import Consent
import Foundation

/// The scope of an export, written to `scope.json` in a bundle.
public struct ExportScope: Sendable, Hashable, Codable {
    /// The log's origin: the first line of its checkpoints.
    public var log: String
    /// The number of records in the log at the time of the export; later records are not included.
    public var size: UInt64
    public var client: String?
    public var since: Date?
    public var until: Date?
    /// A pseudonym or a user ID.
    public var subject: String?
    /// The language of texts that are not from records.
    public var language: Language
    public var madeAt: Date

    public init(
        log: String, size: UInt64, client: String? = nil, since: Date? = nil, until: Date? = nil,
        subject: String? = nil, language: Language, madeAt: Date
    ) {
        self.log = log
        self.size = size
        self.client = client
        self.since = since
        self.until = until
        self.subject = subject
        self.language = language
        self.madeAt = madeAt
    }

    /// Whether all records are included, so that they yield the root of the tree.
    public var isWhole: Bool { client == nil && since == nil && until == nil && subject == nil }

    /// Canonical JSON and a newline.
    public var document: String {
        var members: [String: JSONValue] = [
            "log": .string(log), "size": .integer(Int64(clamping: size)), "whole": .boolean(isWhole),
            "language": .string(language.rawValue), "madeAt": .string(Timestamp(madeAt).text),
        ]
        if let client { members["client"] = .string(client) }
        if let since { members["since"] = .string(Timestamp(since).text) }
        if let until { members["until"] = .string(Timestamp(until).text) }
        if let subject { members["subject"] = .string(subject) }
        return JSONValue.object(members).canonical + "\n"
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
