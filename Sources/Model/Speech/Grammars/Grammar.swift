/// What may be said, in the JSpeech Grammar Format: rules with alternatives, optional and repeated parts, and weights.
///
/// Read by code of our own and not by the recogniser's library: that takes undefined rules, imports and rules that begin with
/// themselves without a word, and ends the process or fills its memory on some of them.
public struct Grammar: Sendable, Hashable {
    public let graph: GrammarGraph

    /// The text has one public rule, or several of which any may be said; no imports; rules refer to themselves at most at
    /// their end. Tags (`{…}`) are skipped.
    ///
    /// - Throws: `grammarRefused`, with the line and what is wrong there.
    public init(_ text: String) throws(RecognitionError) {
        guard text.utf8.count <= RecognitionTask.longestGrammar else {
            throw Self.refused(nil, "it has more than \(RecognitionTask.longestGrammar >> 10) KiB")
        }
        let parser = try GrammarParser(text)
        guard !parser.publicRules.isEmpty else { throw Self.refused(nil, "no rule is public") }
        for reference in parser.rules.values.flatMap(\.references) where parser.rules[reference.name] == nil {
            throw Self.refused(reference.line, "there is no rule <\(reference.name)>")
        }
        if let name = LeftEdge(parser.rules).cycle { throw Self.refused(nil, "the rule <\(name)> begins with itself") }
        guard parser.publicRules.count > 1 else {
            graph = try GrammarGraph(parser.rules, root: parser.publicRules[0])
            return
        }
        // A name that no rule can have: it has a point in it.
        let root = "any.public"
        let share = 1 / Double(parser.publicRules.count)
        var rules = parser.rules
        rules[root] = .alternatives(
            parser.publicRules.map { GrammarExpansion.Weighted(weight: share, expansion: .rule($0, line: 1)) })
        graph = try GrammarGraph(rules, root: root)
    }

    /// All words of it.
    public var words: Set<String> { Set(graph.arcs.compactMap(\.word)) }

    /// - Parameter word: of the grammar.
    public static func unknown(_ word: String) -> RecognitionError {
        refused(nil, "the recogniser does not know the word “\(word)”; say it in other words")
    }

    static let tooLarge = refused(
        nil, "it allows more than the recogniser has memory for; make its rules fewer or flatter")

    static func refused(_ line: Int?, _ what: String) -> RecognitionError {
        let place = line.map { ", line \($0)" } ?? ""
        return RecognitionError(code: .grammarRefused, message: "The grammar cannot be used\(place): \(what).")
    }
}

/// What a grammar's rule allows.
indirect enum GrammarExpansion: Sendable, Hashable {
    case word(String)
    case rule(String, line: Int)
    case sequence([GrammarExpansion])
    /// One of them; the weights are more than 0 and their sum is 1.
    case alternatives([Weighted])
    /// At least once.
    case repeated(GrammarExpansion)
    /// Once or not at all.
    case optional(GrammarExpansion)
    /// `<NULL>`: said by saying nothing.
    case null
    /// `<VOID>`: never said.
    case void

    struct Weighted: Sendable, Hashable {
        let weight: Double
        let expansion: GrammarExpansion
    }

    /// Every rule that it names, with the line.
    var references: [(name: String, line: Int)] {
        switch self {
        case .word, .null, .void: []
        case .rule(let name, let line): [(name, line)]
        case .sequence(let parts): parts.flatMap(\.references)
        case .alternatives(let parts): parts.flatMap(\.expansion.references)
        case .repeated(let part), .optional(let part): part.references
        }
    }
}

/// Finds the rules of a grammar that begin with themselves, which would never come to a word.
struct LeftEdge {
    private let rules: [String: GrammarExpansion]
    private let silent: Set<String>

    init(_ rules: [String: GrammarExpansion]) {
        self.rules = rules
        var silent: Set<String> = []
        var before = -1
        // Whether a rule can be said by saying nothing depends on others; each turn finds at least one more, or none.
        while before != silent.count {
            before = silent.count
            for (name, rule) in rules where Self.canBeSilent(rule, silent) { silent.insert(name) }
        }
        self.silent = silent
    }

    /// One of the rules that begin with themselves, or `nil`.
    var cycle: String? {
        let edges = rules.mapValues { Set(first($0)) }
        return rules.keys.sorted().first { name in
            var seen: Set<String> = []
            var open = Array(edges[name] ?? [])
            while let next = open.popLast() {
                if next == name { return true }
                if seen.insert(next).inserted { open += edges[next] ?? [] }
            }
            return false
        }
    }

    private static func canBeSilent(_ expansion: GrammarExpansion, _ silent: Set<String>) -> Bool {
        switch expansion {
        case .word, .void: false
        case .null, .optional: true
        case .rule(let name, _): silent.contains(name)
        case .sequence(let parts): parts.allSatisfy { canBeSilent($0, silent) }
        case .alternatives(let parts): parts.contains { canBeSilent($0.expansion, silent) }
        case .repeated(let part): canBeSilent(part, silent)
        }
    }

    /// The rules that may come first.
    private func first(_ expansion: GrammarExpansion) -> [String] {
        switch expansion {
        case .word, .null, .void: return []
        case .rule(let name, _): return [name]
        case .alternatives(let parts): return parts.flatMap { first($0.expansion) }
        case .optional(let part), .repeated(let part): return first(part)
        case .sequence(let parts):
            var names: [String] = []
            for part in parts {
                names += first(part)
                if !Self.canBeSilent(part, silent) { break }
            }
            return names
        }
    }
}
