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
