import enum Prompting.TerminalColumns

/// Rows of text with their columns one below the other.
enum TextTable {
    static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? TerminalColumns.count($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : TerminalColumns.padded(text, to: widths[column])
            }
            return cells.joined(separator: "  ")
        }
    }
}
