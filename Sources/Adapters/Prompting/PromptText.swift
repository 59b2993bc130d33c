import Authorization
import Base

/// A notice as lines for a terminal: what the client declares, then the title, the program and the keys.
///
/// Outside text cannot decide the layout. Each of its lines begins with a bar, except the first ones of the title and of the
/// program, which are always the last lines above the keys. A text begins in its own column, has at most six lines, and
/// fewer if the notice would be higher than the terminal.
struct PromptText {
    /// The key of each answer, the same in every language, so that it can be typed on any keyboard.
    static let choices: [(key: Character, answer: Answer)] = [
        ("w", .whileInUse), ("o", .once), ("a", .always), ("d", .deny), ("l", .later),
    ]
    /// Shows all of the notice.
    static let everything: Character = "?"
    static let bar = "│ "
    /// Of a text.
    static let mostLines = 6

    static func answer(to key: UInt8, of answers: [Answer]) -> Answer? {
        choices.first { $0.key.asciiValue == key && answers.contains($0.answer) }?.answer
    }

    let width: Int
    let height: Int
    let isStyled: Bool

    /// - Parameter environment: `NO_COLOR` (no-color.org) and `TERM=dumb` mean plain text.
    init(width: Int, height: Int = 24, environment: [String: String]) {
        // In some terminals the bar takes one column more.
        self.width = min(max(width, 24), 100) - 1
        self.height = height
        let plain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isStyled = !plain && environment["TERM"] != "dumb" && environment["TERM"] != nil
    }

    func lines(of notice: Notice) -> [String] { lines(of: DisplayedNotice(notice)) }

    /// The notice and the keys that answer it.
    ///
    /// - Parameter reserved: lines that the terminal shows below.
    func lines(of notice: DisplayedNotice, reserved: Int = 2) -> [String] {
        var frame: [String] = []
        for limit in (1...Self.mostLines).reversed() {
            let fields = Fields(notice.fields, width: width, limit: limit, notice.language.wording)
            let own = notice.previous.isEmpty ? [] : Self.wrapped(notice.language.wording(.asAbove), width: width - 2)
            let subject = subject(notice)
            let isCut = fields.isCut || !notice.previous.isEmpty || subject != self.subject(notice, limit: .max)
            frame = [""] + fields.lines + own.map { "  " + $0 } + [""] + subject + [""]
            frame += choiceLines(notice, isCut: isCut)
            if frame.count + reserved < height { break }
        }
        return frame
    }

    /// The notice without the answers, and with nothing cut.
    func readingLines(of notice: DisplayedNotice) -> [String] {
        let fields = Fields(
            notice.fields + notice.previous, width: width, limit: .max, notice.language.wording)
        return subject(notice, limit: .max) + [""] + fields.lines
    }

    /// The title and the program.
    private func subject(_ notice: DisplayedNotice, limit: Int = mostLines) -> [String] {
        func marked(_ lines: [String], column: Int, _ head: (String) -> String) -> [String] {
            Self.ends(of: lines, limit).enumerated().map {
                $0.offset == 0 ? head($0.element) : TerminalColumns.padded(Self.bar, to: column) + $0.element
            }
        }
        let indented = TerminalColumns.count(Self.bar + OutsideText.indentation)
        let isOneLine = TerminalColumns.most(notice.title) <= width
        let title = marked(
            Self.wrapped(notice.title, width: isOneLine ? width : width - indented), column: indented, bold)
        guard let program = notice.program else { return title }
        let column = TerminalColumns.count(program.name) + 2
        return title
            + marked(Self.wrapped(program.text, width: width - column), column: column) {
                TerminalColumns.padded(program.name, to: column) + $0
            }
    }

    /// Both ends of a path and its package: it begins with whose it is, and ends with what it is.
    static func ends(of lines: [String], _ limit: Int = mostLines) -> [String] {
        guard lines.count > limit else { return lines }
        return Array(lines.prefix(limit / 2)) + ["…"] + Array(lines.suffix(limit - limit / 2 - 1))
    }

    private func choiceLines(_ notice: DisplayedNotice, isCut: Bool) -> [String] {
        let (wording, set) = (notice.language.wording, AnswerSet(notice.answers))
        var choices = notice.answers.compactMap { answer in Self.choices.first { $0.answer == answer } }.map {
            (key: $0.key, name: wording.name(of: $0.answer, among: set))
        }
        if isCut { choices.append((Self.everything, wording(.everything))) }
        var lines: [String] = []
        var length = 0
        for (key, name) in choices {
            let columns = TerminalColumns.count("[\(key)] \(name)")
            let shown = "[" + bold(String(key)) + "] " + name
            if let last = lines.last, length + 2 + columns <= width {
                lines[lines.count - 1] = last + "  " + shown
                length += 2 + columns
            } else if columns + 2 <= width {
                lines.append("  " + shown)
                length = 2 + columns
            } else {
                // Only on the narrowest terminals.
                let wrapped = Self.wrapped(name, width: width - 6)
                lines.append("  [" + bold(String(key)) + "] " + wrapped[0])
                lines += wrapped.dropFirst().map { "      " + $0 }
                length = width
            }
        }
        return lines
    }

    private func bold(_ text: String) -> String { isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    static func wrapped(_ text: String, width: Int) -> [String] { LineBreaking.lines(text, width: max(width, 8)) }
}

/// Names with their texts beside them, in lines that begin with a bar.
private struct Fields {
    private(set) var lines: [String] = []
    /// Whether a text has more lines than are shown.
    private(set) var isCut = false

    /// - Parameter limit: lines of a text.
    init(_ fields: [DisplayedNotice.Field], width: Int, limit: Int, _ wording: Wording) {
        let widest = fields.map { TerminalColumns.count($0.name) }.max() ?? 0
        // A longer name has its own line.
        let column = min(widest + 2, width / 3)
        for field in fields {
            let all = PromptText.wrapped(field.text, width: width - 2 - column)
            var shown = all
            if all.count > limit {
                isCut = true
                let count = all.count - limit + 1
                let marks = [
                    wording.moreByKey(count: count, key: PromptText.everything), wording.more(count: count), "…",
                ]
                let mark = marks.first { TerminalColumns.most($0) <= width - 2 - column } ?? "…"
                shown = Array(all.prefix(limit - 1)) + [mark]
                if limit == 1 {
                    let rest = width - 3 - column - TerminalColumns.most(mark)
                    shown = [(rest > 1 ? TerminalColumns.prefix(all[0][...], columns: rest) + " " : "") + mark]
                }
            }
            var name = field.name
            if TerminalColumns.count(name) + 2 > column {
                lines += PromptText.wrapped(name, width: width - 2).map { PromptText.bar + $0 }
                name = ""
            }
            for (index, line) in shown.enumerated() {
                lines.append(PromptText.bar + TerminalColumns.padded(index == 0 ? name : "", to: column) + line)
            }
        }
    }
}

/// A notice as settings and records have it, in lines that begin with a bar.
public enum OutsideText {
    /// Of what follows a break, so that it does not begin like a field.
    static let indentation = "  "

    /// - Parameter width: columns.
    public static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n").flatMap { line in
            // In some terminals the bar takes one column more.
            let lines = PromptText.wrapped(DisplayText.cleaned(String(line)), width: width - 5)
            return indented(lines).map { PromptText.bar + $0 }
        }
    }

    /// The lines of one text.
    static func indented(_ lines: [String], by mark: String = indentation) -> [String] {
        lines.enumerated().map { ($0.offset == 0 ? "" : mark) + $0.element }
    }
}
