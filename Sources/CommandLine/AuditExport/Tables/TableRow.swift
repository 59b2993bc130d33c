import Consent

/// A row of a table: cells by the names of their columns, ready to be written.
struct TableRow: Sendable {
    private(set) var cells: [String: String] = [:]

    mutating func set(_ column: String, _ text: String?) {
        if let text { cells[column] = SpreadsheetCell.text(text) }
    }

    /// Numbers of ours need no quoting.
    mutating func set(_ column: String, _ number: Int64?) {
        if let number { cells[column] = String(number) }
    }

    /// Copies fields whose columns have the same names.
    mutating func copy(_ columns: [String], from record: AuditRecord) {
        for column in columns {
            switch record.fields[column] {
            case .string(let text): set(column, text)
            case .integer(let number): set(column, number)
            case .array(let values): set(column, values.compactMap(\.string).joined(separator: "; "))
            case .boolean(let flag): set(column, flag ? "true" : "false")
            case .null, .object, nil: break
            }
        }
    }

    func line(_ columns: [String]) -> String { columns.map { cells[$0] ?? "" }.joined(separator: ",") + "\r\n" }
}
