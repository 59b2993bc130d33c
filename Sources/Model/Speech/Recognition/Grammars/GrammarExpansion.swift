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
