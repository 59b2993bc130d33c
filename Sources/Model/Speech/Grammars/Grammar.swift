/// A grammar in the JSpeech Grammar Format.
///
/// Not parsed by PocketSphinx, which accepts undefined rules, imports and left recursion, and aborts or exhausts memory on
/// some of them.
public struct Grammar: Sendable, Hashable {
    public let graph: GrammarGraph

    /// The grammar accepts what any public rule accepts. No imports; only right recursion. Tags (`{…}`) are skipped.
    ///
    /// - Throws: `grammarRefused`, with the line and the reason.
    public init(_ text: String) throws(RecognitionError) {
        guard text.utf8.count <= RecognitionTask.longestGrammar else {
            throw Self.refused(nil, "it has more than \(RecognitionTask.longestGrammar >> 10) KiB")
        }
        // A byte order mark of the editor.
        let marked = text.unicodeScalars.first == "\u{FEFF}"
        let parser = try GrammarParser(marked ? String(text.unicodeScalars.dropFirst()) : text)
        guard !parser.publicRules.isEmpty else { throw Self.refused(nil, "no rule is public") }
        for reference in parser.rules.values.flatMap(\.references) where parser.rules[reference.name] == nil {
            throw Self.refused(reference.line, "there is no rule <\(reference.name)>")
        }
        if let name = LeftEdge(parser.rules).cycle { throw Self.refused(nil, "the rule <\(name)> begins with itself") }
        guard parser.publicRules.count > 1 else {
            graph = try GrammarGraph(parser.rules, root: parser.publicRules[0])
            return
        }
        // No rule can have this name: it contains a point.
        let root = "any.public"
        let share = 1 / Double(parser.publicRules.count)
        var rules = parser.rules
        rules[root] = .alternatives(
            parser.publicRules.map { GrammarExpansion.Weighted(weight: share, expansion: .rule($0, line: 1)) })
        graph = try GrammarGraph(rules, root: root)
    }

    public var words: Set<String> { Set(graph.arcs.compactMap(\.word)) }

    public static func unknown(_ word: String) -> RecognitionError {
        refused(nil, "the recogniser does not know the word “\(word)”; use another")
    }

    static let tooLarge = refused(nil, "it is too large for the recogniser; use fewer or flatter rules")

    static func refused(_ line: Int?, _ what: String) -> RecognitionError {
        let place = line.map { ", line \($0)" } ?? ""
        return RecognitionError(code: .grammarRefused, message: "The grammar cannot be used\(place): \(what).")
    }
}

/// What a rule accepts.
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
    /// `<NULL>`: accepts no words.
    case null
    /// `<VOID>`: accepts nothing.
    case void

    struct Weighted: Sendable, Hashable {
        let weight: Double
        let expansion: GrammarExpansion
    }

    /// The rules that it refers to, with the line.
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

/// Finds left recursion.
struct LeftEdge {
    private let rules: [String: GrammarExpansion]
    private let silent: Set<String>

    init(_ rules: [String: GrammarExpansion]) {
        self.rules = rules
        var silent: Set<String> = []
        var before = -1
        // Whether a rule accepts no words depends on others: repeated until none is added.
        while before != silent.count {
            before = silent.count
            for (name, rule) in rules where Self.canBeSilent(rule, silent) { silent.insert(name) }
        }
        self.silent = silent
    }

    /// The first rule that begins with itself, or `nil`.
    var cycle: String? {
        let edges = rules.mapValues { Set(first($0)) }
        return rules.keys.sorted().first { name in
            closure(of: edges[name] ?? []) { edges[$0] ?? [] }.contains(name)
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

    /// The rules that the expansion may begin with.
    private func first(_ expansion: GrammarExpansion) -> [String] {
        switch expansion {
        case .word, .null, .void: []
        case .rule(let name, _): [name]
        case .alternatives(let parts): parts.flatMap { first($0.expansion) }
        case .optional(let part), .repeated(let part): first(part)
        case .sequence(let parts):
            (parts.prefix { Self.canBeSilent($0, silent) } + parts.drop { Self.canBeSilent($0, silent) }.prefix(1))
                .flatMap(first)
        }
    }
}

/// The elements, and all that can be reached from them.
func closure<Element: Hashable, Next: Sequence<Element>>(
    of elements: Set<Element>, following next: (Element) -> Next
) -> Set<Element> {
    var seen = elements
    var open = Array(elements)
    while let element = open.popLast() {
        for following in next(element) where seen.insert(following).inserted { open.append(following) }
    }
    return seen
}
