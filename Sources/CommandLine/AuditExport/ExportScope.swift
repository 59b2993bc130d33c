import Authorization
import Consent
import Foundation
import LinuxSystem

/// What an export covers and how it is worded: all that its texts depend on besides the records. `scope.json` in a bundle.
public struct ExportScope: Sendable {
    /// The log's origin: the first line of its checkpoints.
    public let log: String
    /// The number of records in the log at the time of the export; later records are not included.
    public let size: UInt64
    public let filter: AuditFilter
    /// The language of texts that are not from records.
    public let language: Language
    /// Whole milliseconds.
    public let madeAt: Date
    /// Of the days and times in the report.
    public let timeZone: TimeZone
    /// The version of the program that makes the export; a different version may word it in another way.
    public let version: String
    /// The collector whose copy of the log is exported; `nil`: the log itself. A collector does not have the log's key, so
    /// that a bundle of its copy has no signed list of files, and it may not have been given all fields.
    public let collector: String?
    /// The service's verification of its whole log, if requested.
    public var verification: VerificationReport?

    public init(
        log: String, size: UInt64, filter: AuditFilter = AuditFilter(), language: Language, madeAt: Date,
        timeZone: TimeZone = .local, version: String, collector: String? = nil
    ) {
        (self.log, self.size, self.filter, self.language) = (log, size, filter, language)
        self.madeAt = Timestamp(madeAt).date
        (self.timeZone, self.version, self.collector) = (timeZone, version, collector)
    }

    /// Whether all records are included, so that they yield the root of the tree.
    public var isWhole: Bool { filter == AuditFilter() }

    /// Canonical JSON and a newline.
    public var document: String {
        let members: [String: JSONValue?] = [
            "bundle": .integer(BundleLayout.version), "log": .string(log), "size": .integer(Int64(clamping: size)),
            "whole": .boolean(isWhole), "language": .string(language.rawValue),
            "madeAt": .string(Timestamp(madeAt).text), "timeZone": .string(timeZone.identifier),
            "version": .string(version), "collector": collector.map(JSONValue.string),
            "client": filter.client.map { .string($0.rawValue) },
            "subject": filter.subject.map(JSONValue.string),
            "since": filter.since.map { .string(Timestamp($0).text) },
            "until": filter.until.map { .string(Timestamp($0).text) },
            "verification": verification.flatMap(Self.json),
        ]
        return JSONValue.object(members.compactMapValues { $0 }).canonical + "\n"
    }

    /// - Returns: `nil` unless the bytes are what `document` writes.
    public init?(document: Data) {
        guard let members = JSONValue(canonical: document.dropLast())?.object, let log = members["log"]?.string,
            let size = members["size"]?.integer.flatMap({ UInt64(exactly: $0) }),
            let language = members["language"]?.string.flatMap(Language.init(rawValue:)),
            let madeAt = members["madeAt"]?.string.flatMap(Timestamp.init),
            let timeZone = members["timeZone"]?.string.flatMap(TimeZone.init(identifier:)),
            let version = members["version"]?.string
        else { return nil }
        func time(_ name: String) -> Date? { members[name]?.string.flatMap(Timestamp.init)?.date }
        let filter = AuditFilter(
            since: time("since"), until: time("until"),
            client: members["client"]?.string.flatMap(ClientIdentifier.init(rawValue:)),
            subject: members["subject"]?.string)
        self.init(
            log: log, size: size, filter: filter, language: language, madeAt: madeAt.date, timeZone: timeZone,
            version: version, collector: members["collector"]?.string)
        verification = members["verification"].flatMap { json in
            try? JSONDecoder().decode(VerificationReport.self, from: Data(json.canonical.utf8))
        }
        guard self.document.utf8.elementsEqual(document) else { return nil }
    }

    private static func json(_ report: VerificationReport) -> JSONValue? {
        (try? JSONEncoder().encode(report)).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
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
