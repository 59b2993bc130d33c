import Consent

/// `decisions.csv`: a row for each question, answer, withdrawal and end of an answer.
public struct DecisionTable: RecordFormat {
    static let columns = [
        "record", "time", "kind", "consentStatus", "client", "clientName", "user", "subject", "executable",
        "executableSHA256", "resource", "question", "scope", "fidelity", "validity", "indication", "reason",
        "decisionRecord", "decidedByUser",
        "decidedByExecutable", "noticeRecord", "noticeSHA256", "language", "dataKinds", "purpose", "retention",
        "recipients", "legalBasis", "withdrawal", "notice", "erased",
    ]

    public init() {}

    public mutating func begin() -> String { Self.columns.joined(separator: ",") + "\r\n" }

    public mutating func add(_ record: AuditRecord) -> String { row(for: record)?.line(Self.columns) ?? "" }

    func row(for record: AuditRecord) -> TableRow? {
        guard record.isDecision else { return nil }
        var row = TableRow()
        row.copy(Self.columns, from: record)
        row.set("record", Int64(clamping: record.index))
        row.set("time", record.time)
        row.set("kind", record.kind)
        row.set("consentStatus", ConsentState(record)?.rawValue)
        if record.isErased { row.set("erased", "true") }
        return row
    }
}
