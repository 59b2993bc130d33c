import enum Prompting.TerminalColumns

/// Text that must fit into a line.
enum FittedText {
    /// Cut where it is too long.
    static func cut(_ text: String, columns: Int) -> String {
        guard TerminalColumns.count(text) > columns else { return text }
        return columns < 2 ? "" : TerminalColumns.prefix(text[...], columns: columns - 1) + "…"
    }
}
