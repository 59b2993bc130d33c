import Consent

/// One file of an export, made record by record, so that its size does not matter.
public protocol RecordFormat: Sendable {
    /// What stands before the first record.
    mutating func begin() -> String

    /// What this record adds; empty when it adds nothing yet.
    mutating func add(_ record: AuditRecord) -> String

    /// What stands after the last record.
    ///
    /// - Parameter verification: what is known about the records by then.
    mutating func end(_ verification: ExportVerification) -> String
}

extension RecordFormat {
    public mutating func begin() -> String { "" }
    public mutating func end(_ verification: ExportVerification) -> String { "" }
}
