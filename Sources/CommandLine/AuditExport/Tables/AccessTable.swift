import Consent

/// `accesses.csv`: a row for each session and for each access that was refused. A session's row is written when it ends.
public struct AccessTable: RecordFormat {
    static let columns = [
        "outcome", "client", "clientName", "user", "subject", "executable", "executableSHA256", "evidence", "resource",
        "device", "startedAt", "endedAt", "milliseconds", "frames", "reason", "repeated", "sharing", "session",
        "microphoneGrant", "speechRecognitionGrant", "microphoneDecision", "speechRecognitionDecision", "startRecord",
        "endRecord",
    ]
    private static let copied = [
        "client", "clientName", "user", "subject", "executable", "executableSHA256", "evidence", "resource", "device",
        "session", "sharing",
    ]

    private var open = OpenSessions()

    public init() {}

    public mutating func begin() -> String { Self.columns.joined(separator: ",") + "\r\n" }

    public mutating func add(_ record: AuditRecord) -> String { lines(rows(for: record)) }

    public mutating func end(_ verification: ExportVerification) -> String { lines(rest) }

    private func lines(_ rows: [TableRow]) -> String { rows.map { $0.line(Self.columns) }.joined() }

    /// What a record completes.
    mutating func rows(for record: AuditRecord) -> [TableRow] {
        switch record.recordKind {
        case .sessionStarted:
            return open.start(record).map { [Self.row(from: $0, to: nil)] } ?? []
        case .sessionStopped:
            return [Self.row(from: open.stop(record), to: record)]
        case .accessBlocked:
            var row = TableRow()
            row.set("outcome", "refused")
            row.copy(Self.copied + ["reason", "repeated"], from: record)
            row.set("startedAt", record.time)
            row.set("startRecord", Int64(clamping: record.index))
            return [row]
        default: return []
        }
    }

    /// Sessions that have no end.
    var rest: [TableRow] { open.rest.map { Self.row(from: $0, to: nil) } }

    private static func row(from start: AuditRecord?, to stop: AuditRecord?) -> TableRow {
        var row = TableRow()
        row.set("outcome", stop == nil ? "listened, no end" : "listened")
        for record in [start, stop].compactMap({ $0 }) {
            row.copy(copied, from: record)
            for resource in ["microphone", "speechRecognition"] {
                row.set(resource + "Grant", record.fields["grants"]?.object?[resource]?.string)
                row.set(resource + "Decision", record.fields["decisionRecords"]?.object?[resource]?.integer)
            }
        }
        if let start {
            row.set("startedAt", start.time)
            row.set("startRecord", Int64(clamping: start.index))
        }
        if let stop {
            row.copy(["reason", "frames", "milliseconds"], from: stop)
            row.set("endedAt", stop.time)
            row.set("endRecord", Int64(clamping: stop.index))
        }
        return row
    }
}
