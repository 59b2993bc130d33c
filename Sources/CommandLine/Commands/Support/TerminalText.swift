import enum Prompting.LineBreaking
import enum Prompting.TerminalColumns

/// Messages and tables in the lines of a terminal, broken between words. A command stays whole, so that it can be copied.
enum TerminalText {
    /// FIGURE SPACE, which does not break and takes one column in every terminal.
    private static let unbreakable = "\u{2007}"
    /// Columns that a cell needs to be continued below itself.
    private static let narrowest = 20

    static func fitted(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { lines(String($0), width: max(width, 8)) }.joined(separator: "\n")
    }

    private static func lines(_ line: String, width: Int) -> [String] {
        guard TerminalColumns.count(line) > width else { return [line] }
        // What follows the last wide space is a row's last cell, or a command after its sentence.
        let wide = line.ranges(of: "  ").last?.upperBound ?? line.startIndex
        let start = line[wide...].firstIndex { $0 != " " } ?? line.endIndex
        let head = line[..<start]
        let used = TerminalColumns.count(head)
        let isCell = head.isEmpty || width - used >= narrowest
        let broken = LineBreaking.lines(whole(line[start...]), width: isCell ? width - used : width)
            .map { $0.replacing(unbreakable, with: " ") }
        guard isCell else {
            let end = head.lastIndex { $0 != " " }.map { head.index(after: $0) } ?? head.startIndex
            return lines(String(head[..<end]), width: width) + broken
        }
        return broken.enumerated().map {
            ($0.offset == 0 ? String(head) : String(repeating: " ", count: used)) + $0.element
        }
    }

    /// Its commands with spaces that do not break.
    private static func whole(_ text: Substring) -> String {
        String(text).replacing(/voicegate(?: [^\s:;,()]*[^\s:;,().])+/) { $0.output.replacing(" ", with: unbreakable) }
    }
}
