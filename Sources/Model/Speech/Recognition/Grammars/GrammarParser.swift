/// Reads a grammar's rules.
struct GrammarParser {
    /// Parentheses within each other.
    private static let deepest = 50
    private static let mostRules = 1_000

    private let signs: [GrammarScanner.Placed]
    private var position = 0
    private var depth = 0
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
        guard case .token = current else { throw Grammar.refused(line, "the grammar has no name") }
        try skipTokens()
    }

    private mutating func skipTokens() throws(RecognitionError) {
        while case .token = current { position += 1 }
        try expect(";")
    }

    private mutating func rule() throws(RecognitionError) {
        var isPublic = false
        if case .token(let word) = current {
            guard word != "import" else { throw Grammar.refused(line, "imports are not taken; write the rules here") }
            guard word == "public" else { throw Grammar.refused(line, "a rule begins with its name in < >") }
            isPublic = true
            position += 1
        }
        guard case .rule(let name) = current, Self.isName(name) else {
            throw Grammar.refused(line, "a rule begins with its name in < >")
        }
        guard rules[name] == nil else { throw Grammar.refused(line, "the rule <\(name)> is there already") }
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
        guard depth <= Self.deepest else { throw Grammar.refused(line, "the parentheses are too deep") }
        var parts: [(weight: Double, expansion: GrammarExpansion)] = []
        repeat {
            let weight = try weight()
            parts.append((weight ?? 1, try sequence()))
        } while take("|")
        guard parts.count > 1 || parts[0].weight == 0 else { return parts[0].expansion }
        let kept = parts.filter { $0.weight > 0 }
        let sum = kept.reduce(0) { $0 + $1.weight }
        // An alternative of the weight 0 is never said.
        return kept.isEmpty
            ? .void
            : .alternatives(kept.map { GrammarExpansion.Weighted(weight: $0.weight / sum, expansion: $0.expansion) })
    }

    private mutating func weight() throws(RecognitionError) -> Double? {
        guard case .weight(let text) = current else { return nil }
        guard let weight = Double(text.filter { !$0.isWhitespace }), (0...1_000_000).contains(weight) else {
            throw Grammar.refused(line, "the weight is no number of 0 or more")
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
            throw Grammar.refused(line, "something is missing here; what says nothing is <NULL>")
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
            guard !words.isEmpty else { throw Grammar.refused(start, "“\(token.prefix(40))” is no word") }
            part = words.count == 1 ? .word(words[0]) : .sequence(words.map { .word($0) })
        case .rule("NULL"): part = .null
        case .rule("VOID"): part = .void
        case .rule(let name):
            guard Self.isName(name) else { throw Grammar.refused(start, "<\(name.prefix(40))> is no rule's name") }
            part = .rule(name, line: start)
        case .mark("("):
            part = try alternatives()
            try expect(")")
        case .mark("["):
            part = .optional(try alternatives())
            try expect("]")
        case .mark(let mark): throw Grammar.refused(start, "“\(mark)” has nothing before it")
        case .weight: throw Grammar.refused(start, "a weight stands before an alternative")
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

    /// Qualified names (`a.b.c`) belong to imports.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && !name.contains(".") && !name.contains("*")
    }
}
