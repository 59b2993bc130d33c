import Consent

/// `csv`: both tables in one file, told apart by their first column. A session stands where it ends.
public struct CombinedTable: RecordFormat {
    static let columns =
        ["table"] + DecisionTable.columns + AccessTable.columns.filter { !DecisionTable.columns.contains($0) }

    private let decisions = DecisionTable()
    private var accesses = AccessTable()

    public init() {}

    public mutating func begin() -> String { Self.columns.joined(separator: ",") + "\r\n" }

    public mutating func add(_ record: AuditRecord) -> String {
        var text = Self.lines("access", accesses.rows(for: record))
        if let row = decisions.row(for: record) { text += Self.lines("decision", [row]) }
        return text
    }

    public mutating func end(_ verification: ExportVerification) -> String { Self.lines("access", accesses.rest) }

    private static func lines(_ table: String, _ rows: [TableRow]) -> String {
        rows.map { row in
            var row = row
            row.set("table", table)
            return row.line(columns)
        }.joined()
    }
}
