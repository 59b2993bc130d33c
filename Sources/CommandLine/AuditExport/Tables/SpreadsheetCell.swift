/// A cell of a CSV file (RFC 4180) that no spreadsheet runs as a formula.
enum SpreadsheetCell {
    /// What begins a formula: of OWASP's list, with the full-width forms that East Asian spreadsheets take for the same.
    private static let triggers: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "|", "%",
    ]

    /// Text from a record, quoted where it must be. A text that a spreadsheet could run gets an apostrophe before it.
    static func text(_ text: String) -> String {
        // A NUL ends a cell, or the file, in some readers.
        var text = text.unicodeScalars.contains("\0") ? text.replacing("\0", with: "\u{FFFD}") : text
        let first = text.unicodeScalars.first { $0 == "\t" || $0 == "\r" || $0 == "\n" || !isBlank($0) }
        if let first, triggers.contains(first) { text = "'" + text }
        let needsQuotes = text.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
                || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t")
        }
        return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// Some spreadsheets drop what cannot be seen before they look for a formula.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
            || scalar.properties.generalCategory == .control
    }
}
