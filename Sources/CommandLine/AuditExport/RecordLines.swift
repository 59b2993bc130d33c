import Consent

/// `jsonl`: each record as one line of JSON; see `AuditRecord.line`.
public struct RecordLines: RecordFormat {
    public init() {}

    public mutating func add(_ record: AuditRecord) -> String { record.line + "\n" }
}
