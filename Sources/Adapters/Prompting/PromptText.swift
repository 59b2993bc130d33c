import Authorization

/// A notice as lines for a terminal.
struct PromptText {
    /// The key of each answer; the same in every language, so that it can be typed whatever the keyboard writes.
    static let choices: [(key: Character, answer: Answer)] = [
        ("w", .whileInUse), ("o", .once), ("a", .always), ("d", .deny), ("l", .later),
    ]

    /// The answer that a key stands for, of those that can be given.
    static func answer(to key: UInt8, of answers: [Answer]) -> Answer? {
        choices.first { $0.key.asciiValue == key && answers.contains($0.answer) }?.answer
    }

    /// Columns.
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
        var lines = [""] + readingLines(of: notice)
        lines.append("")
        return lines + choiceLines(notice)
    }

    /// What the person reads, without the answers.
    func readingLines(of notice: DisplayedNotice) -> [String] {
        var lines: [String] = []
        lines += Self.wrapped(notice.title, width: width).map(bold)
        lines += Self.wrapped("“\(notice.usageDescription)”", width: width - 2).map { "  " + $0 }
        lines.append("")
        let column = (notice.items.map { TerminalColumns.count($0.name) }.max() ?? 0) + 2
        for item in notice.items {
            for (index, line) in Self.wrapped(item.text, width: width - 2 - column).enumerated() {
                let label = index == 0 ? item.name : ""
                lines.append("  " + TerminalColumns.padded(label, to: column) + line)
            }
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
