import Authorization

import enum Prompting.TerminalColumns

/// The line at the bottom of a terminal that is drawn again and again, as the text to write for it.
struct LiveLine {
    private static let clearToEnd = "\u{1B}[K"

    private var shown = ""

    /// - Returns: what to write to show the text, its end where it is wider than the terminal; `nil` when that is what
    ///   stands there already.
    mutating func drawing(_ text: String, width: Int) -> String? {
        let fitted = Self.fitted(text, width: width)
        guard fitted != shown else { return nil }
        shown = fitted
        // The text first and the clearing last: the line is never empty in between, so it does not flicker.
        return "\r" + fitted + Self.clearToEnd
    }

    /// What to write before something else is written; `nil` when nothing stands there.
    func clearing() -> String? { shown.isEmpty ? nil : "\r" + Self.clearToEnd }

    /// What to write to show again what was cleared.
    func redrawing() -> String? { shown.isEmpty ? nil : "\r" + shown + Self.clearToEnd }

    /// One column is left free, because a full line makes some terminals wrap.
    static func fitted(_ text: String, width: Int) -> String {
        let line = DisplayText.cleaned(String(text.suffix(4_096)), limit: 4_096)
        let room = max(width - 1, 1)
        guard TerminalColumns.count(line) > room else { return line }
        return room == 1 ? "…" : "…" + TerminalColumns.suffix(line, columns: room - 1)
    }
}
