/// Parses a grammar's rules.
struct GrammarParser {
    /// Nested parentheses.
    private static let deepest = 50
    private static let mostRules = 1_000

    private let signs: [GrammarScanner.Placed]
    private var position = 0
    private var depth = 0
    private var grammarName = ""
    private(set) var rules: [String: GrammarExpansion] = [:]
    private(set) var publicRules: [String] = []

    init(_ text: String) throws(RecognitionError) {
        signs = try GrammarScanner.signs(of: text)
        try header()
        while position < signs.count { try rule() }
    }

    private var current: GrammarScanner.Sign? { position < signs.count ? signs[position].sign : nil }
    private var line: Int { signs[min(position, signs.count - 1)].line }

    private mutating func take(_ mark: Character) -> Bool {
        guard current == .mark(mark) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ mark: Character) throws(RecognitionError) {
        guard take(mark) else { throw Grammar.refused(line, "“\(mark)” is missing") }
    }

    /// `#JSGF V1.0 UTF-8 en;` and `grammar name;`
    private mutating func header() throws(RecognitionError) {
        guard !signs.isEmpty, case .token(let first) = signs[0].sign, first.uppercased() == "#JSGF" else {
            throw Grammar.refused(1, "a grammar begins with #JSGF V1.0;")
        }
        try skipTokens()
        guard case .token("grammar") = current else { throw Grammar.refused(line, "“grammar NAME;” is missing") }
        position += 1
        guard case .token(let name) = current else { throw Grammar.refused(line, "the grammar has no name") }
        grammarName = name
        try skipTokens()
    }

    private mutating func skipTokens() throws(RecognitionError) {
        while case .token = current { position += 1 }
        try expect(";")
    }

    private mutating func rule() throws(RecognitionError) {
        var isPublic = false
        if case .token(let word) = current {
            guard word != "import" else {
                throw Grammar.refused(line, "imports are not supported; write the rules here")
            }
            guard word == "public" else { throw Grammar.refused(line, "a rule begins with its name in < >") }
            isPublic = true
            position += 1
        }
        guard case .rule(let name) = current, Self.isName(name) else {
            throw Grammar.refused(line, "a rule begins with its name in < >")
        }
        guard rules[name] == nil else { throw Grammar.refused(line, "the rule <\(name)> is defined twice") }
        guard rules.count < Self.mostRules else { throw Grammar.tooLarge }
        position += 1
        try expect("=")
        rules[name] = try alternatives()
        if isPublic { publicRules.append(name) }
        try expect(";")
    }

    private mutating func alternatives() throws(RecognitionError) -> GrammarExpansion {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw Grammar.refused(line, "the parentheses are nested too deeply") }
        var parts: [(weight: Double, expansion: GrammarExpansion)] = []
        repeat {
            let weight = try weight()
            parts.append((weight ?? 1, try sequence()))
        } while take("|")
        guard parts.count > 1 || parts[0].weight == 0 else { return parts[0].expansion }
        let kept = parts.filter { $0.weight > 0 }
        let sum = kept.reduce(0) { $0 + $1.weight }
        // An alternative of weight 0 accepts nothing.
        return kept.isEmpty
            ? .void
            : .alternatives(kept.map { GrammarExpansion.Weighted(weight: $0.weight / sum, expansion: $0.expansion) })
    }

    private mutating func weight() throws(RecognitionError) -> Double? {
        guard case .weight(let text) = current else { return nil }
        guard let weight = Double(text.filter { !$0.isWhitespace }), (0...1_000_000).contains(weight) else {
            throw Grammar.refused(line, "the weight is not a number of 0 or more")
        }
        position += 1
        return weight
    }

    private mutating func sequence() throws(RecognitionError) -> GrammarExpansion {
        var parts: [GrammarExpansion] = []
        while let sign = current, sign != .mark("|"), sign != .mark(";"), sign != .mark(")"), sign != .mark("]") {
            if let part = try item(sign) { parts.append(part) }
        }
        guard !parts.isEmpty else {
            throw Grammar.refused(line, "something is missing here; for no words write <NULL>")
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func item(_ sign: GrammarScanner.Sign) throws(RecognitionError) -> GrammarExpansion? {
        let start = line
        position += 1
        var part: GrammarExpansion
        switch sign {
        case .tag: return nil
        case .token(let token):
            let words = PhraseBook.words(of: token)
            guard !words.isEmpty else { throw Grammar.refused(start, "“\(token.prefix(40))” is not a word") }
            part = words.count == 1 ? .word(words[0]) : .sequence(words.map { .word($0) })
        case .rule("NULL"): part = .null
        case .rule("VOID"): part = .void
        case .rule(let reference):
            let name = local(reference)
            guard Self.isName(name) else {
                throw Grammar.refused(start, "<\(reference.prefix(40))> is not a rule's name")
            }
            part = .rule(name, line: start)
        case .mark("("):
            part = try alternatives()
            try expect(")")
        case .mark("["):
            part = .optional(try alternatives())
            try expect("]")
        case .mark(let mark): throw Grammar.refused(start, "“\(mark)” has nothing before it")
        case .weight: throw Grammar.refused(start, "a weight must precede an alternative")
        }
        while true {
            if take("*") {
                part = .optional(.repeated(part))
            } else if take("+") {
                part = .repeated(part)
            } else {
                break
            }
        }
        return part
    }

    /// The name of a rule of this grammar without the grammar's, which may precede it as a whole or by its last part (section 2.5):
    /// `<com.example.robot.dir>` or `<robot.dir>`.
    private func local(_ reference: String) -> String {
        let short = grammarName.split(separator: ".").last.map(String.init) ?? grammarName
        for prefix in [grammarName + ".", short + "."] where prefix.count > 1 && reference.hasPrefix(prefix) {
            return String(reference.dropFirst(prefix.count))
        }
        return reference
    }

    /// Other qualified names (`a.b.c`) belong to imports.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && !name.contains(".") && !name.contains("*")
    }
}

/// Splits a grammar's text into tokens (“JSpeech Grammar Format”, W3C Note of 5 June 2000, sections 2 to 4).
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
        /// `{…}`: skipped.
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

    private func starts(_ first: Character, _ second: Character) -> Bool {
        current == first && position + 1 < text.count && text[position + 1] == second
    }

    private mutating func skipSpace() throws(RecognitionError) {
        while let character = current {
            if character.isWhitespace {
                step()
            } else if starts("/", "/") {
                while current?.isNewline == false { step() }
            } else if starts("/", "*") {
                let start = line
                step()
                step()
                while !starts("*", "/") {
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
