/// A grammar as a graph of states; its arcs bear the words.
public struct GrammarGraph: Sendable, Hashable {
    public struct Arc: Sendable, Hashable {
        public let from: Int
        public let to: Int
        /// `nil`: an empty arc.
        public let word: String?
        /// More than 0, at most 1.
        public let probability: Double
    }

    /// Bounds the recogniser's memory: it builds a network of phones for each arc.
    static let mostArcs = 8_000
    /// Pairs of states that empty arcs connect.
    static let mostSilentPairs = 40_000
    /// Rules within rules.
    private static let deepest = 60

    public private(set) var states = 2
    public private(set) var arcs: [Arc] = []

    public let start = 0
    public let end = 1

    private struct Frame {
        let rule: String
        let from: Int
        let to: Int
    }

    /// - Parameter rules: complete and without left recursion.
    init(_ rules: [String: GrammarExpansion], root: String) throws(RecognitionError) {
        var frames: [Frame] = []
        try add(.rule(root, line: 1), from: start, to: end, 1, rules, &frames)
        let outgoing = Dictionary(grouping: arcs, by: \.from)
        guard closure(of: [start], following: { (outgoing[$0] ?? []).map(\.to) }).contains(end) else {
            throw Grammar.refused(nil, "the rule <\(root)> accepts nothing that ends")
        }
        guard silentPairs() <= Self.mostSilentPairs else { throw Grammar.tooLarge }
    }

    /// Accepts any of the phrases.
    ///
    /// - Parameter phrases: not empty.
    public init(phrases: [[String]]) {
        for phrase in phrases {
            var from = start
            for (index, word) in phrase.enumerated() {
                let to = index == phrase.count - 1 ? end : state()
                let probability = index == 0 ? 1 / Double(phrases.count) : 1
                arcs.append(Arc(from: from, to: to, word: word, probability: probability))
                from = to
            }
        }
    }

    /// Accepts any sequence of the words and the phrases, also an empty one.
    ///
    /// - Parameter wordProbability: of each of the words; a phrase has 1.
    public init(sequencesOf words: Set<String>, wordProbability: Double, phrases: [[String]]) {
        arcs.append(Arc(from: start, to: end, word: nil, probability: 1))
        for word in words.sorted() {
            arcs.append(Arc(from: start, to: start, word: word, probability: wordProbability))
        }
        for phrase in phrases {
            var from = start
            for (index, word) in phrase.enumerated() {
                let to = index == phrase.count - 1 ? start : state()
                arcs.append(Arc(from: from, to: to, word: word, probability: 1))
                from = to
            }
        }
    }

    public func accepts(_ words: [String]) -> Bool {
        let outgoing = Dictionary(grouping: arcs, by: \.from)
        func next(_ state: Int, _ word: String?) -> [Int] {
            (outgoing[state] ?? []).filter { $0.word == word }.map(\.to)
        }
        let states = words.reduce(closure(of: [start]) { next($0, nil) }) { states, word in
            closure(of: Set(states.flatMap { next($0, word) })) { next($0, nil) }
        }
        return states.contains(end)
    }

    private mutating func state() -> Int {
        states += 1
        return states - 1
    }

    private mutating func arc(_ from: Int, _ to: Int, _ word: String?, _ probability: Double) throws(RecognitionError) {
        guard arcs.count < Self.mostArcs else { throw Grammar.tooLarge }
        arcs.append(Arc(from: from, to: to, word: word, probability: probability))
    }

    private mutating func add(
        _ expansion: GrammarExpansion, from: Int, to: Int, _ probability: Double, _ rules: [String: GrammarExpansion],
        _ frames: inout [Frame]
    ) throws(RecognitionError) {
        switch expansion {
        case .void: break
        case .null: try arc(from, to, nil, probability)
        case .word(let word): try arc(from, to, word, probability)
        case .sequence(let parts):
            var place = from
            for (index, part) in parts.enumerated() {
                let next = index == parts.count - 1 ? to : state()
                try add(part, from: place, to: next, index == 0 ? probability : 1, rules, &frames)
                place = next
            }
        case .alternatives(let parts):
            for part in parts { try add(part.expansion, from: from, to: to, probability * part.weight, rules, &frames) }
        case .optional(let part):
            try arc(from, to, nil, probability / 2)
            try add(part, from: from, to: to, probability / 2, rules, &frames)
        case .repeated(let part):
            let (before, after) = (state(), state())
            try arc(from, before, nil, probability)
            try add(part, from: before, to: after, 1, rules, &frames)
            try arc(after, before, nil, 0.5)
            try arc(after, to, nil, 0.5)
        case .rule(let name, let line):
            if let frame = frames.last(where: { $0.rule == name }) {
                // Recursion elsewhere than at the end is not regular.
                guard frame.to == to else {
                    throw Grammar.refused(line, "<\(name)> refers to itself elsewhere than at its end")
                }
                return try arc(from, frame.from, nil, probability)
            }
            guard frames.count < Self.deepest, let rule = rules[name] else { throw Grammar.tooLarge }
            // A separate state, so that recursion leads to this rule only.
            let before = state()
            try arc(from, before, nil, probability)
            frames.append(Frame(rule: name, from: before, to: to))
            try add(rule, from: before, to: to, 1, rules, &frames)
            frames.removeLast()
        }
    }

    private func silentPairs() -> Int {
        let outgoing = Dictionary(grouping: arcs.filter { $0.word == nil }, by: \.from)
        var count = 0
        for state in outgoing.keys {
            count += closure(of: [state]) { (outgoing[$0] ?? []).map(\.to) }.count - 1
            if count > Self.mostSilentPairs { break }
        }
        return count
    }
}
