import Authorization
import CommandText
import SocketAPI
import enum Prompting.LineBreaking
import enum Prompting.TerminalColumns

/// The view as lines: title, body, messages and keys.
extension SettingsView {
    /// Exactly as many lines as the screen has, none wider.
    func lines(rows: Int, columns: Int) -> [ScreenLine] {
        let head = [title(columns)] + header(columns)
        let foot = foot(rows: rows, columns: columns)
        let height = max(rows - head.count - foot.count, 0)
        var body = self.body(height: height, columns: columns)
        body += Array(repeating: ScreenLine(text: ""), count: max(height - body.count, 0))
        return Array((head + body + foot).prefix(rows)).map {
            ScreenLine(text: TextTable.cut($0.text, columns: columns), style: $0.style)
        }
    }

    /// Lines of the body, and of a page key.
    func page(rows: Int, columns: Int) -> Int {
        max(rows - 1 - header(columns).count - foot(rows: rows, columns: columns).count, 1)
    }

    /// The largest scroll position.
    func mostScroll(rows: Int, columns: Int) -> Int {
        let count = mode == .help ? Self.help(columns).count : detailLines(columns).count
        return count - page(rows: rows, columns: columns)
    }

    private func title(_ columns: Int) -> ScreenLine {
        let place = mode == .details ? entry.map { ": \($0.name), \(SettingsWords.resource($0.resource))" } ?? "" : ""
        let state = (isMuted ? "muted " : "") + (problems > 0 ? "\(problems) problems " : "")
        let room = columns - TerminalColumns.count(state)
        let left = TerminalColumns.padded(TextTable.cut(" VoiceGate settings" + place, columns: room), to: room)
        return ScreenLine(text: left + state, style: .title)
    }

    private func header(_ columns: Int) -> [ScreenLine] {
        guard mode == .list, Self.isWide(columns) else { return [] }
        return [ScreenLine(text: row("  PROGRAM", "RESOURCE", "STATUS", "DECIDED", columns), style: .faint)]
    }

    private func body(height: Int, columns: Int) -> [ScreenLine] {
        switch mode {
        case .help:
            return Self.help(columns).dropFirst(scroll).prefix(height).map { ScreenLine(text: $0) }
        case .details:
            return detailLines(columns).dropFirst(scroll).prefix(height).map { ScreenLine(text: $0) }
        case .list:
            guard !entries.isEmpty else {
                return [ScreenLine(text: isLoaded ? "  No decisions yet." : "  Loading …")]
            }
            // The selected line stays in the middle if possible.
            let first = max(min(selected - height / 2, entries.count - height), 0)
            return entries.indices.dropFirst(first).prefix(height).map { line($0, isFirst: $0 == first, columns) }
        }
    }

    private func line(_ index: Int, isFirst: Bool, _ columns: Int) -> ScreenLine {
        let entry = entries[index]
        let continues = !isFirst && index > 0 && entries[index - 1].client == entry.client
        let name = continues ? "" : shownName(entry)
        let marks = marks(entry)
        let text: String
        if Self.isWide(columns) {
            text = row(
                (index == selected ? "> " : "  ") + name, SettingsWords.resource(entry.resource),
                SettingsWords.status(entry).text + marks, entry.decidedAt.map { DayAndTime.text($0) } ?? "-", columns)
        } else {
            let resource = entry.resource == .microphone ? "mic   " : "speech"
            let end = "  \(resource)  " + TerminalColumns.padded(SettingsWords.status(entry).word + marks, to: 12)
            let room = columns - TerminalColumns.count(end)
            let start = TextTable.cut((index == selected ? "> " : "  ") + name, columns: room)
            text = TerminalColumns.padded(start, to: room) + end
        }
        return ScreenLine(text: text, style: index == selected ? .selected : .plain)
    }

    /// The identifier if another program has the same name.
    private func shownName(_ entry: SettingsEntry) -> String {
        entries.contains { $0.name == entry.name && $0.client != entry.client } ? entry.client : entry.name
    }

    private func marks(_ entry: SettingsEntry) -> String {
        var marks = ""
        if listening.contains(entry.client) { marks += "●" }
        if entry.question != nil { marks += "?" }
        if entry.isChanged == true { marks += "!" }
        return marks.isEmpty ? "" : " " + marks
    }

    private static func isWide(_ columns: Int) -> Bool { columns >= 72 }

    private func row(_ name: String, _ resource: String, _ status: String, _ decided: String, _ columns: Int)
        -> String
    {
        let isWidest = columns >= 100
        let statusColumns = 36
        let end =
            TerminalColumns.padded(resource, to: 20) + TerminalColumns.padded(status, to: statusColumns)
            + (isWidest ? decided : "")
        let room = columns - 20 - statusColumns - (isWidest ? 20 : 0)
        return TerminalColumns.padded(TextTable.cut(name, columns: room - 1), to: room) + end
    }

    private func detailLines(_ columns: Int) -> [String] {
        guard let entry else { return [] }
        return ["", entry.client] + SettingsDetails(entry: entry, records: records).lines(columns: columns)
    }

    /// Messages and keys.
    private func foot(rows: Int, columns: Int) -> [ScreenLine] {
        if let confirmation {
            let lines = LineBreaking.lines(confirmation.question, width: max(columns, 8)).suffix(max(rows - 2, 1))
            return lines.map { ScreenLine(text: $0, style: .strong) }
                + [
                    ScreenLine(
                        text: TextTable.cut(
                            "y yes   any other key: no" + (message.map { "   (\($0))" } ?? ""), columns: columns),
                        style: .strong)
                ]
        }
        let note = message ?? (mode == .list ? entry.flatMap { SettingsWords.notes($0).first } : nil)
        let lines = note.map { LineBreaking.lines($0, width: max(columns, 8)).prefix(max(rows / 4, 1)) } ?? [""]
        return lines.map { ScreenLine(text: $0, style: .strong) }
            + [ScreenLine(text: keys(columns), style: .faint)]
    }

    private func keys(_ columns: Int) -> String {
        switch mode {
        case .help: return "q quit   Esc back"
        case .list where Self.isWide(columns):
            return "Enter details  w while using  a always  n ask next time  d deny  ? help  q quit"
        case .details where Self.isWide(columns):
            return "w while using  a always  n ask next time  d deny  f phrases  Esc back  q quit"
        case .list, .details: return "w using a always n ask d deny ? help"
        }
    }

    private static let helpItems: [(name: String, text: String)] = [
        ("", ""), ("Up Down j k", "select a line"), ("Enter", "show details"),
        ("w", "allow while you use the program"), ("a", "allow always, also when you do not use it"),
        ("n", "ask next time"), ("d", "deny"),
        ("f", "switch between every word and only the declared phrases"), ("Esc", "back"), ("q", "quit"), ("", ""),
        ("●", "is listening"), ("?", "waits for your answer: w or a"),
        ("!", "the program has changed since you allowed it"), ("", ""),
    ]

    private static func help(_ columns: Int) -> [String] {
        let text =
            "Restrictions apply at once, also to a program that is listening; extensions are confirmed first. "
            + "Every change is recorded in the consent log (voicegate audit records)."
        return SettingsDetails.lines(helpItems, names: isWide(columns) ? 14 : 6, columns: columns)
            + LineBreaking.lines(text, width: max(columns, 8))
    }
}
