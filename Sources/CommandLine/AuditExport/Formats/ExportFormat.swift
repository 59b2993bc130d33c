import Authorization
import Consent

/// The formats of an export.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// A folder with all formats, the proofs, and the keys to verify them.
    case bundle
    /// One record per line.
    case jsonl
    /// Accesses and decisions as a table.
    case csv
    /// W3C Data Privacy Vocabulary.
    case jsonld
    /// A page to read and print.
    case html
    /// Accesses to the microphone in the shape of Apple's App Privacy Report.
    case apple
    /// The record of processing activities (GDPR, Art. 30), as a page.
    case art30
    /// The same as a table.
    case art30CSV = "art30-csv"
}

/// The format of a file, written record by record in bounded memory.
protocol RecordFormat: Sendable {
    mutating func begin() -> String

    /// - Returns: the text for this record; may be empty.
    mutating func add(_ record: AuditRecord) -> String

    /// - Parameter verification: the result of verifying the records.
    mutating func end(_ verification: ExportVerification) -> String
}

extension RecordFormat {
    mutating func begin() -> String { "" }
    mutating func end(_ verification: ExportVerification) -> String { "" }
}

/// `jsonl`: each record as one line of JSON; see `AuditRecord.line`.
struct RecordLines: RecordFormat {
    mutating func add(_ record: AuditRecord) -> String { record.line + "\n" }
}

/// `apple`: accesses to the microphone as NDJSON in the shape of Apple's App Privacy Report, two lines a session:
/// `{"accessor":{"identifier":…,"identifierType":"bundleID"},"category":"microphone","identifier":UUID,
/// "kind":"intervalBegin"|"intervalEnd","timeStamp":…,"type":"access"}`.
struct AppPrivacyReport: RecordFormat {
    mutating func add(_ record: AuditRecord) -> String {
        let kind: String
        switch record.recordKind {
        case .sessionStarted: kind = "intervalBegin"
        case .sessionStopped: kind = "intervalEnd"
        default: return ""
        }
        guard record.usesMicrophone, let session = record.text("session"), let client = record.text("client") else {
            return ""
        }
        let line = JSONValue.object([
            "accessor": .object(["identifier": .string(client), "identifierType": .string("bundleID")]),
            "category": .string("microphone"), "identifier": .string(session), "kind": .string(kind),
            "timeStamp": .string(record.time), "type": .string("access"),
        ])
        return line.canonical + "\n"
    }
}
