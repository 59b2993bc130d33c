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
    /// The record of processing activities (GDPR, Art. 30), as a page.
    case art30
}

/// The format of a file, written record by record in bounded memory.
protocol RecordFormat: Sendable {
    mutating func begin() -> String

    /// - Returns: the text for this record; may be empty.
    mutating func add(_ record: ConsentRecord) -> String

    /// - Parameter verification: the result of verifying the records.
    mutating func end(_ verification: ExportVerification) -> String
}

extension RecordFormat {
    mutating func begin() -> String { "" }
    mutating func end(_ verification: ExportVerification) -> String { "" }
}

/// `jsonl`: each record as one line of JSON; see `ConsentRecord.line`.
struct RecordLines: RecordFormat {
    mutating func add(_ record: ConsentRecord) -> String { record.line + "\n" }
}
