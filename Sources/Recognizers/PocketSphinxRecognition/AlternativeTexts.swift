/// Collects readings of an utterance that differ in their words.
struct AlternativeTexts {
    private let text: String
    private let most: Int
    private(set) var texts: [String] = []

    init(text: String, most: Int) {
        self.text = text
        self.most = most
    }

    /// - Parameter reading: in the library's notation.
    /// - Returns: whether more are wanted.
    mutating func take(_ reading: String) -> Bool {
        let words = Vocabulary.text(of: reading.split(separator: " "))
        if !words.isEmpty, words != text, !texts.contains(words) { texts.append(words) }
        return texts.count < most
    }
}
