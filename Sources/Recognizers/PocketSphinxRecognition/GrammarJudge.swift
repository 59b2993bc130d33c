import Speech

/// Decides whether an utterance is something that the grammar allows; as `PhraseJudge` does, and for the same reason.
struct GrammarJudge {
    private let grammar: Grammar
    private let finalPass: FinalPass

    /// - Throws: `grammarRefused` naming a word that the model does not know.
    init(grammar: Grammar, finalPass: FinalPass) throws(RecognitionError) {
        let words = grammar.words.sorted()
        if let unknown = finalPass.result({ decoder in words.first { !decoder.knows($0) } }) {
            throw Grammar.unknown(unknown)
        }
        self.grammar = grammar
        self.finalPass = finalPass
    }

    /// What was said, word by word, or `nil` when the grammar does not allow it. Waits for it.
    func transcript(of utterance: Utterance) -> Transcript? {
        finalPass.result { [grammar] in Self.transcript(of: utterance, in: grammar, $0) }
    }

    private static func transcript(
        of utterance: Utterance, in grammar: Grammar, _ decoder: Decoder
    ) -> Transcript? {
        guard let (segments, candidate) = decoder.segments(of: utterance.samples, as: grammar.graph) else { return nil }
        let text = decoder.segments(of: utterance.samples).compactMap { Vocabulary.word($0.word) }
        // A noise is no sentence, however well it fits one.
        guard !text.isEmpty else { return nil }
        if text != candidate.words {
            guard let free = decoder.reading(of: utterance.samples, as: [text]),
                candidate.fit >= free.fit - PhraseJudge.tolerance
            else { return nil }
        }
        return utterance.transcript(of: segments)
    }
}
