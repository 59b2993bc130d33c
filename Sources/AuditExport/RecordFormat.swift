import Consent

/// One file of an export, made record by record, so that its size does not matter.
public protocol RecordFormat: Sendable {
    /// What stands before the first record.
    mutating func begin() -> String

    /// What this record adds; empty when it adds nothing yet.
    mutating func add(_ record: AuditRecord) -> String

    /// What stands after the last record.
    mutating func end() -> String
}

extension RecordFormat {
    public mutating func begin() -> String { "" }
    public mutating func end() -> String { "" }
}
