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
