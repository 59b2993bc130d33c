import Speech

/// What a decoder is taught of the user's words.
struct WordLesson: Sendable {
    struct Pronunciation: Sendable, Hashable {
        let word: String
        let phones: String
    }

    /// How much of the probability comes from the user's words. Measured: Benchmarks/README.md.
    static let share = 0.35
    /// A phrase that is likely to be said counts as often as a sentence that was written so many times.
    static let phraseWeight = 4
    /// Words of which the dictionary has none; of more, the rarer ones stay unknown.
    static let mostNewWords = 3_000

    let pronunciations: [Pronunciation]
    let model: WordModel
    /// Words that have no pronunciation.
    let unsayable: Int

    /// - Parameter known: as of `Pronouncer`.
    init(_ words: UserWords, known: @escaping (String) -> String?) {
        let phrases = words.contextPhrases.map(WrittenSentences.init)
        let text = WrittenSentences(words.text)
        let sentences =
            phrases.flatMap { $0.sentences.map { (words: $0, weight: Self.phraseWeight) } }
            + text.sentences.map { (words: $0, weight: 1) }
        var counts: [String: Int] = [:]
        for (sentence, weight) in sentences { for word in sentence { counts[word, default: 0] += weight } }
        let new = counts.filter { known($0.key) == nil }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let capitals = phrases.reduce(text.capitals) { $0.union($1.capitals) }
        let pronouncer = Pronouncer(known: known)
        var pronunciations: [Pronunciation] = []
        var unsaid: Set<String> = []
        for (index, entry) in new.enumerated() {
            let found =
                index < Self.mostNewWords
                ? pronouncer.pronunciations(of: entry.key, isSpelled: capitals.contains(entry.key)) : []
            if found.isEmpty { unsaid.insert(entry.key) }
            for (number, phones) in found.enumerated() {
                pronunciations.append(
                    Pronunciation(word: number == 0 ? entry.key : "\(entry.key)(\(number + 1))", phones: phones))
            }
        }
        self.pronunciations = pronunciations
        self.unsayable = unsaid.count
        // What cannot be recognised must not stand between two words as if they followed each other.
        self.model = WordModel(
            sentences.flatMap { sentence, weight in
                sentence.split { unsaid.contains($0) }.map { (words: Array($0), weight: weight) }
            })
    }
}
