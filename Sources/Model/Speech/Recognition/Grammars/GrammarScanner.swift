/// Splits a grammar's text into its signs (“JSpeech Grammar Format”, W3C Note of 5 June 2000, sections 2 to 4).
struct GrammarScanner {
    enum Sign: Hashable {
        /// A word, or several in quotation marks.
        case token(String)
        /// `<name>`, without the brackets.
        case rule(String)
        /// One of `; = | * + ( ) [ ]`.
        case mark(Character)
        /// `/0.5/`
        case weight(String)
        /// `{what it means}`: for programs, not for ears.
        case tag
    }

    struct Placed: Hashable {
        let sign: Sign
        let line: Int
    }

    private static let marks: Set<Character> = [";", "=", "|", "*", "+", "(", ")", "[", "]"]
    private static let special: Set<Character> = marks.union(["<", ">", "{", "}", "/", "\""])

    private let text: [Character]
    private var position = 0
    private var line = 1

    private init(_ text: String) {
        self.text = Array(text)
    }

    static func signs(of text: String) throws(RecognitionError) -> [Placed] {
        var scanner = GrammarScanner(text)
        var result: [Placed] = []
        while let next = try scanner.next() { result.append(next) }
        return result
    }

    private var current: Character? { position < text.count ? text[position] : nil }

    private mutating func step() {
        if text[position].isNewline { line += 1 }
        position += 1
    }

    private mutating func next() throws(RecognitionError) -> Placed? {
        try skipSpace()
        guard let first = current else { return nil }
        let start = line
        let sign: Sign
        switch first {
        case _ where Self.marks.contains(first):
            step()
            sign = .mark(first)
        case "<": sign = .rule(try enclosed("<", ">", escapes: false).filter { !$0.isWhitespace })
        case "{":
            _ = try enclosed("{", "}", escapes: true)
            sign = .tag
        case "\"": sign = .token(try enclosed("\"", "\"", escapes: true))
        case "/": sign = .weight(try enclosed("/", "/", escapes: false))
        case ">", "}": throw Grammar.refused(line, "“\(first)” has no beginning")
        default:
            var token = ""
            while let character = current, !character.isWhitespace, !Self.special.contains(character) {
                token.append(character)
                step()
            }
            sign = .token(token)
        }
        return Placed(sign: sign, line: start)
    }

    private mutating func skipSpace() throws(RecognitionError) {
        while let character = current {
            let following = position + 1 < text.count ? text[position + 1] : " "
            if character.isWhitespace {
                step()
            } else if character == "/", following == "/" {
                while let character = current, !character.isNewline { _ = character; step() }
            } else if character == "/", following == "*" {
                let start = line
                step()
                step()
                while !(current == "*" && position + 1 < text.count && text[position + 1] == "/") {
                    guard current != nil else { throw Grammar.refused(start, "the comment has no end") }
                    step()
                }
                step()
                step()
            } else {
                return
            }
        }
    }

    private mutating func enclosed(
        _ open: Character, _ close: Character, escapes: Bool
    ) throws(RecognitionError) -> String {
        let start = line
        var inner = ""
        step()
        while let character = current {
            step()
            if character == close { return inner }
            if escapes, character == "\\", let escaped = current {
                inner.append(escaped)
                step()
            } else {
                inner.append(character)
            }
        }
        throw Grammar.refused(start, "“\(open)” has no “\(close)”")
    }
}
