import CLinux

/// How many columns of a terminal text takes: wcwidth(3) knows that a kana takes two and a combining mark none.
public enum TerminalColumns {
    public static func count(_ text: some StringProtocol) -> Int {
        // No need to ask about text that has one column for each byte.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + count($1) }
    }

    /// Terminals draw what belongs together, such as joined emoji, in one cell or two.
    static func count(_ character: Character) -> Int {
        let sum = character.unicodeScalars.reduce(0) { $0 + max(0, Int(vg_columns($1.value))) }
        return min(max(sum, 1), 2)
    }

    /// The longest beginning that fits, and at least one character.
    public static func prefix(_ text: Substring, columns: Int) -> Substring {
        var used = 0
        let end = text.indices.first { index in
            used += count(text[index])
            return used > columns && index != text.startIndex
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// The longest end that fits.
    public static func suffix(_ text: String, columns: Int) -> Substring {
        var used = 0
        var start = text.endIndex
        while start > text.startIndex {
            let previous = text.index(before: start)
            used += count(text[previous])
            if used > columns { break }
            start = previous
        }
        return text[start...]
    }

    /// The text with spaces behind it up to a width.
    public static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - count(text)))
    }
}
