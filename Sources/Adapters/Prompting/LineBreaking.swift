/// Breaks text into lines of a terminal.
///
/// At spaces; between the characters of Chinese and Japanese, but never so that a line begins with what closes or ends in
/// what opens (the core of JIS X 4051's rules); and inside words that are longer than a line. Korean breaks at spaces.
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
                let columns = TerminalColumns.count(rest)
                if !line.isEmpty, used + space + columns <= width {
                    line += (space == 1 ? " " : "") + rest
                    used += space + columns
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                while TerminalColumns.count(rest) > width {
                    let part = TerminalColumns.prefix(rest, columns: width)
                    lines.append(String(part))
                    rest = rest[part.endIndex...]
                }
                line = String(rest)
                used = TerminalColumns.count(line)
            }
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }

    /// Runs of a word that stay together.
    private static func pieces(of word: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var start = word.startIndex
        var index = start
        while index < word.endIndex {
            let next = word.index(after: index)
            guard next < word.endIndex else { break }
            if canBreak(between: word[index], and: word[next]) {
                pieces.append(word[start..<next])
                start = next
            }
            index = next
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
