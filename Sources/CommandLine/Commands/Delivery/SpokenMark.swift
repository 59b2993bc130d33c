/// A punctuation mark with spoken names.
struct SpokenMark: Sendable, Hashable {
    let text: String
    /// No space before it.
    var touchesLeft = true
    /// No space after it.
    var touchesRight = false
    var endsSentence = false

    /// Before a name, keeps it as a word: "literal comma".
    static let escape = "literal"

    /// Words of the longest name.
    static let longestName = 3

    /// Marks by the words of their names.
    static let named: [[String]: SpokenMark] = {
        var marks: [[String]: SpokenMark] = [:]
        func add(_ mark: SpokenMark, _ names: String...) {
            for name in names { marks[name.split(separator: " ").map(String.init)] = mark }
        }
        add(SpokenMark(text: ","), "comma")
        add(SpokenMark(text: ".", endsSentence: true), "period", "full stop")
        add(SpokenMark(text: "?", endsSentence: true), "question mark")
        add(SpokenMark(text: "!", endsSentence: true), "exclamation mark", "exclamation point")
        add(SpokenMark(text: ":"), "colon")
        add(SpokenMark(text: ";"), "semicolon", "semi colon")
        add(SpokenMark(text: "…"), "ellipsis", "dot dot dot")
        add(SpokenMark(text: "\n", touchesRight: true, endsSentence: true), "new line", "newline")
        add(SpokenMark(text: "\n\n", touchesRight: true, endsSentence: true), "new paragraph")
        add(SpokenMark(text: "\"", touchesLeft: false, touchesRight: true), "open quote", "open quotes")
        add(SpokenMark(text: "\""), "close quote", "close quotes", "end quote", "unquote")
        add(
            SpokenMark(text: "(", touchesLeft: false, touchesRight: true), "open parenthesis", "open paren",
            "open bracket", "left parenthesis")
        add(SpokenMark(text: ")"), "close parenthesis", "close paren", "close bracket", "right parenthesis")
        add(SpokenMark(text: "-", touchesRight: true), "hyphen")
        add(SpokenMark(text: "–", touchesLeft: false), "dash")
        add(SpokenMark(text: "/", touchesRight: true), "slash", "forward slash")
        add(SpokenMark(text: "%"), "percent sign")
        add(SpokenMark(text: "&", touchesLeft: false), "ampersand")
        add(SpokenMark(text: "@", touchesRight: true), "at sign")
        return marks
    }()

    /// - Parameter words: in lower case.
    /// - Returns: the mark named at this index, and the number of words of its name.
    static func mark(in words: [String], at start: Int) -> (mark: SpokenMark, count: Int)? {
        for count in stride(from: min(longestName, words.count - start), to: 0, by: -1) {
            if let mark = named[Array(words[start..<(start + count)])] { return (mark, count) }
        }
        return nil
    }
}
