import Authorization
import CLinux

/// A notice as lines for a terminal.
struct PromptText {
    /// The key of each answer, the same in every language, so that it can be typed on any keyboard.
    static let choices: [(key: Character, answer: Answer)] = [
        ("w", .whileInUse), ("o", .once), ("a", .always), ("d", .deny), ("l", .later),
    ]

    static func answer(to key: UInt8, of answers: [Answer]) -> Answer? {
        choices.first { $0.key.asciiValue == key && answers.contains($0.answer) }?.answer
    }

    let width: Int
    let isStyled: Bool

    /// - Parameter environment: `NO_COLOR` (no-color.org) and `TERM=dumb` mean plain text.
    init(width: Int, environment: [String: String]) {
        self.width = min(max(width, 24), 100)
        let plain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isStyled = !plain && environment["TERM"] != "dumb" && environment["TERM"] != nil
    }

    func lines(of notice: Notice) -> [String] { lines(of: DisplayedNotice(notice)) }

    /// The notice and the keys that answer it.
    func lines(of notice: DisplayedNotice) -> [String] {
        [""] + readingLines(of: notice) + [""] + choiceLines(notice)
    }

    /// The notice without the answers.
    func readingLines(of notice: DisplayedNotice) -> [String] {
        var lines: [String] = []
        lines += Self.wrapped(notice.title, width: width).map(bold)
        lines += Self.wrapped("“\(notice.usageDescription)”", width: width - 2).map { "  " + $0 }
        let named = notice.items.filter { !$0.name.isEmpty }
        if !named.isEmpty { lines.append("") }
        let column = (named.map { TerminalColumns.count($0.name) }.max() ?? 0) + 2
        for item in named {
            for (index, line) in Self.wrapped(item.text, width: width - 2 - column).enumerated() {
                let label = index == 0 ? item.name : ""
                lines.append("  " + TerminalColumns.padded(label, to: column) + line)
            }
        }
        for item in notice.items where item.name.isEmpty {
            lines += Self.wrapped(item.text, width: width - 2).map { "  " + $0 }
        }
        return lines
    }

    private func choiceLines(_ notice: DisplayedNotice) -> [String] {
        let (wording, set) = (notice.language.wording, AnswerSet(notice.answers))
        var lines: [String] = []
        var length = 0
        for choice in notice.answers.compactMap({ answer in Self.choices.first { $0.answer == answer } }) {
            let name = wording.name(of: choice.answer, among: set)
            let columns = TerminalColumns.count("[\(choice.key)] \(name)")
            let shown = "[" + bold(String(choice.key)) + "] " + name
            if let last = lines.last, length + 2 + columns <= width {
                lines[lines.count - 1] = last + "  " + shown
                length += 2 + columns
            } else if columns + 2 <= width {
                lines.append("  " + shown)
                length = 2 + columns
            } else {
                // Only on the narrowest terminals.
                let wrapped = Self.wrapped(name, width: width - 6)
                lines.append("  [" + bold(String(choice.key)) + "] " + wrapped[0])
                lines += wrapped.dropFirst().map { "      " + $0 }
                length = width
            }
        }
        return lines
    }

    private func bold(_ text: String) -> String { isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    static func wrapped(_ text: String, width: Int) -> [String] { LineBreaking.lines(text, width: max(width, 8)) }
}

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
    public static func count(_ text: some StringProtocol) -> Int {
        // Printable ASCII has one column for each byte.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + count($1) }
    }

    /// Terminals draw a grapheme cluster, such as joined emoji, in one cell or two.
    static func count(_ character: Character) -> Int {
        let sum = character.unicodeScalars.reduce(0) { $0 + max(0, Int(vg_columns($1.value))) }
        return min(max(sum, 1), 2)
    }

    /// The longest prefix that fits, at least one character.
    public static func prefix(_ text: Substring, columns: Int) -> Substring {
        var used = 0
        let end = text.indices.first { index in
            used += count(text[index])
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
