import Authorization

/// A notice as lines for a terminal.
struct PromptText {
    /// The key and the words of each answer.
    static let choices: [(key: Character, answer: Answer, name: String)] = [
        ("w", .whileInUse, "While using"), ("o", .once, "Once"), ("a", .always, "Always"), ("d", .deny, "Don't allow"),
        ("l", .later, "Later"),
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

    func lines(of notice: DisplayedNotice) -> [String] {
        var lines = [""]
        lines += Self.wrapped(notice.title, width: width).map(bold)
        lines += Self.wrapped("“\(notice.usageDescription)”", width: width - 2).map { "  " + $0 }
        lines.append("")
        let column = (notice.items.map(\.name.count).max() ?? 0) + 2
        for item in notice.items {
            for (index, line) in Self.wrapped(item.text, width: width - 2 - column).enumerated() {
                let label = index == 0 ? item.name : ""
                lines.append("  " + label + String(repeating: " ", count: column - label.count) + line)
            }
        }
        lines.append("")
        return lines + choiceLines(notice.answers)
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "Allowed while using."
        case .once: "Allowed once."
        case .always: "Allowed always."
        case .deny: "Not allowed."
        case .later: "Not allowed now; you will be asked again."
        }
    }

    private func choiceLines(_ answers: [Answer]) -> [String] {
        var lines: [String] = []
        var length = 0
        for choice in answers.compactMap({ answer in Self.choices.first { $0.answer == answer } }) {
            let text = "[\(choice.key)] \(choice.name)"
            let shown = "[" + bold(String(choice.key)) + "] " + choice.name
            if let last = lines.last, length + 2 + text.count <= width {
                lines[lines.count - 1] = last + "  " + shown
                length += 2 + text.count
            } else {
                lines.append("  " + shown)
                length = 2 + text.count
            }
        }
        return lines
    }

    private func bold(_ text: String) -> String { isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// Breaks at spaces, and inside words that are longer than a line.
    static func wrapped(_ text: String, width: Int) -> [String] {
        let width = max(width, 8)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            var rest = word[...]
            if !line.isEmpty && line.count + 1 + rest.count <= width {
                line += " " + rest
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while rest.count > width {
                lines.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
            line = String(rest)
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }
}
