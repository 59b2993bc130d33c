import Foundation

import LinuxSystem
import enum Prompting.TerminalColumns

/// Text in columns and in limited space.
public enum TextTable {
    /// Rows with aligned columns.
    public static func lines(_ rows: [[String]]) -> [String] {
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

    /// The text, cut with an ellipsis if it is wider than `columns`.
    public static func cut(_ text: String, columns: Int) -> String {
        guard TerminalColumns.count(text) > columns else { return text }
        return columns < 2 ? "" : TerminalColumns.prefix(text[...], columns: columns - 1) + "…"
    }
}

/// A time in the user's time zone, to the second.
public enum DayAndTime {
    public static func text(_ date: Date, timeZone: TimeZone = .local) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
            .year().month().day().time(includingFractionalSeconds: false)
        return date.formatted(style)
    }

    /// The time of a record; the record's own text if it is not ISO 8601.
    public static func text(ofRecord time: String, timeZone: TimeZone = .local) -> String {
        let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time)
        return date.map { text($0, timeZone: timeZone) } ?? time
    }
}
