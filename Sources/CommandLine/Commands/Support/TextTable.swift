import Foundation
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

/// Text that must fit into a line.
enum FittedText {
    /// Cut where it is too long.
    static func cut(_ text: String, columns: Int) -> String {
        guard TerminalColumns.count(text) > columns else { return text }
        return columns < 2 ? "" : TerminalColumns.prefix(text[...], columns: columns - 1) + "…"
    }
}

/// A moment in the person's time zone, to the second.
enum DayAndTime {
    static func text(_ date: Date, timeZone: TimeZone = .current) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
            .year().month().day().time(includingFractionalSeconds: false)
        return date.formatted(style)
    }
}
