import enum Prompting.TerminalColumns

/// Breaks text into lines at spaces, and inside what is longer than a line.
enum WrappedText {
    static func lines(_ text: String, columns: Int) -> [String] {
        let columns = max(columns, 4)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, TerminalColumns.count(line) + 1 + TerminalColumns.count(word) <= columns {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            var rest = word
            while TerminalColumns.count(rest) > columns {
                let head = TerminalColumns.prefix(rest, columns: columns)
                lines.append(String(head))
                rest = rest[head.endIndex...]
            }
            line = String(rest)
        }
        return lines + [line]
    }

    /// One line, cut where it is too long.
    static func cut(_ text: String, columns: Int) -> String {
        guard TerminalColumns.count(text) > columns else { return text }
        return columns < 2 ? "" : TerminalColumns.prefix(text[...], columns: columns - 1) + "…"
    }
}
