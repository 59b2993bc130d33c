import CLinux

/// Breaks text into lines of a terminal.
///
/// At spaces; between the characters of Chinese and Japanese, but never before closing or after opening punctuation (the core
/// of JIS X 4051's rules); and inside words that are longer than a line. Korean breaks at spaces.
public enum LineBreaking {
    public static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ") {
            var isFirst = true
            for piece in pieces(of: word) {
                var rest = piece
                let space = isFirst && !line.isEmpty ? 1 : 0
                isFirst = false
                let columns = TerminalColumns.most(rest)
                if !line.isEmpty, used + space + columns <= width {
                    line += (space == 1 ? " " : "") + rest
                    used += space + columns
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                while case let part = TerminalColumns.prefix(rest, columns: width), part.endIndex < rest.endIndex {
                    lines.append(String(part))
                    rest = rest[part.endIndex...]
                }
                line = String(rest)
                used = TerminalColumns.most(line)
            }
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }

    /// The parts of a word between possible breaks.
    private static func pieces(of word: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var start = word.startIndex
        for (index, next) in zip(word.indices, word.indices.dropFirst())
        where canBreak(between: word[index], and: word[next]) {
            pieces.append(word[start..<next])
            start = next
        }
        return pieces + [word[start...]]
    }

    private static func canBreak(between one: Character, and other: Character) -> Bool {
        (isIdeographic(one) || isIdeographic(other)) && !neverFirst.contains(other) && !neverLast.contains(one)
    }

    /// Blocks of the Unicode standard: CJK punctuation to katakana, ideographs, full-width forms.
    private static func isIdeographic(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x3000...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF9F,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static let neverFirst: Set<Character> = Set(
        "、。，．・：；？！ー々ゝゞヽヾ）」』】〕》〉］｝’”,.:;?!)]}…ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ")
    private static let neverLast: Set<Character> = Set("（「『【〔《〈［｛‘“([{")
}

/// The width of text in terminal columns, by wcwidth(3): two for a kana, none for a combining mark.
public enum TerminalColumns {
    public static func count(_ text: some StringProtocol) -> Int { sum(text) { count($0) } }

    /// Never less than a terminal draws, so that no text can reach the next line: terminals for East Asian text draw many
    /// characters in two columns that others draw in one, such as é, я and ① (Unicode Standard Annex #11, "Ambiguous").
    static func most(_ text: some StringProtocol) -> Int {
        sum(text) { max($0.unicodeScalars.reduce(0) { $0 + most($1) }, 1) }
    }

    private static func sum(_ text: some StringProtocol, _ columns: (Character) -> Int) -> Int {
        // Printable ASCII has one column for each byte.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns($1) }
    }

    /// Terminals draw joined emoji in one cell or two.
    private static func count(_ character: Character) -> Int {
        let sum = character.unicodeScalars.reduce(0) { $0 + count($1) }
        return character.unicodeScalars.contains("\u{200D}") ? min(max(sum, 1), 2) : max(sum, 1)
    }

    /// Two for a character that the C library does not know, but the terminal may.
    private static func count(_ scalar: Unicode.Scalar) -> Int {
        let columns = Int(vg_columns(scalar.value))
        return columns < 0 ? 2 : columns
    }

    /// Two for what may be ambiguous: of the characters from U+0452 to U+200F none is.
    private static func most(_ scalar: Unicode.Scalar) -> Int {
        let columns = count(scalar)
        return columns == 1 && !scalar.isASCII && !(0x452..<0x2010).contains(scalar.value) ? 2 : columns
    }

    /// The longest prefix that fits in any terminal, at least one character. Parts of one character that each take a column,
    /// such as repeated vowel signs, are separated.
    public static func prefix(_ text: Substring, columns: Int) -> Substring {
        var used = 0
        let end = text.unicodeScalars.indices.first { index in
            used += most(text.unicodeScalars[index])
            return used > columns && index != text.startIndex
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// The longest suffix that fits.
    public static func suffix(_ text: String, columns: Int) -> Substring {
        var used = 0
        let fitting = text.indices.reversed().prefix { index in
            used += count(text[index])
            return used <= columns
        }
        return text[(fitting.last ?? text.endIndex)...]
    }

    /// The text, padded with spaces to a width.
    public static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - count(text)))
    }
}
