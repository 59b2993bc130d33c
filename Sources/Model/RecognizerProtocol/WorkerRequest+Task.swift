import Speech

extension WorkerRequest {
    static func data(of task: RecognitionTask) -> [String: WyomingValue] {
        switch task {
        case .grammar: ["task": .string("grammar")]
        case .dictation: ["task": .string("dictation")]
        case .phrases(let phrases):
            ["task": .string("phrases"), "phrases": .array(phrases.map { .object(["text": .string($0)]) })]
        case .keyPhrases(let phrases):
            [
                "task": .string("key-phrases"),
                "phrases": .array(
                    phrases.map { .object(["text": .string($0.text), "tolerance": .number($0.tolerance)]) }),
            ]
        }
    }

    /// - Parameter grammar: the text that came with it.
    static func task(_ fields: Fields, grammar: String) throws(ProtocolError) -> RecognitionTask {
        let name = try fields.string("task", limit: 20)
        if name == "dictation" { return .dictation }
        if name == "grammar" { return .grammar(grammar) }
        let entries = try fields.objects("phrases", limit: PhraseBook.mostPhrases)
        guard !entries.isEmpty else { throw fields.bad("phrases") }
        var phrases: [KeyPhrase] = []
        for entry in entries {
            phrases.append(
                KeyPhrase(
                    try entry.string("text", limit: 4 * PhraseBook.longestPhrase),
                    tolerance: name == "key-phrases" ? try entry.number("tolerance", in: 0...1) : 0))
        }
        switch name {
        case "phrases": return .phrases(phrases.map(\.text))
        case "key-phrases": return .keyPhrases(phrases)
        default: throw fields.bad("task")
        }
    }
}
