import Speech

extension RecognitionConfiguration {
    /// Takes what requests for dictations and for files have in common; the words replace earlier ones.
    package mutating func take(
        _ hint: TaskHint?, grammar: String?, alternatives: Int?, phrases: [String]?, words: String?
    ) throws {
        if let hint { endSilence = hint.endSilence }
        if let grammar {
            guard grammar.utf8.count <= RecognitionTask.longestGrammar else {
                throw RouteError(
                    .invalidValue, "A grammar may have at most \(RecognitionTask.longestGrammar >> 10) KiB.")
            }
            task = .grammar(grammar)
        }
        if let alternatives {
            guard (0...Self.mostAlternatives).contains(alternatives) else {
                throw RouteError(.invalidValue, "alternatives is a number from 0 to \(Self.mostAlternatives).")
            }
            self.alternatives = alternatives
        }
        userWords = try UserWords(contextPhrases: phrases ?? [], text: words ?? "")
        guard task == .dictation || userWords.isEmpty else {
            throw RouteError(
                .invalidValue, "A grammar recognises only its own words. Omit contextPhrases and words, or grammar.")
        }
        required = requiredOptions
    }

    private var requiredOptions: Set<RecognitionOption> {
        var options: Set<RecognitionOption> = []
        if !userWords.contextPhrases.isEmpty { options.insert(.contextPhrases) }
        if !userWords.text.isEmpty { options.insert(.words) }
        if alternatives > 0 { options.insert(.alternatives) }
        return options
    }

    /// The language that a request names.
    ///
    /// - Returns: `nil` for `auto`.
    package static func language(_ tag: String) throws(RouteError) -> SpokenLanguage? {
        guard tag != SpokenLanguage.any else { return nil }
        guard let language = SpokenLanguage(tag: tag), language.name != nil else {
            throw RouteError(
                .invalidValue,
                "language is a tag such as en or en-US of a language that ISO 639 has, or \(SpokenLanguage.any)."
                    + SpokenLanguage.advice(for: tag))
        }
        return language
    }
}
