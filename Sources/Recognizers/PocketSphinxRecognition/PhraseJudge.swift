import Speech

/// Decides whether an utterance is one of the phrases.
///
/// A search that knows the phrases alone makes one of them of anything (23 of 23 sentences of a book); a text that was
/// understood freely is one of them only in half the cases in which one was said. So both are made, the freely understood
/// text is read into the audio word for word, too, and the phrase must fit the audio about as well as that does. Measured
/// figures: Benchmarks/README.md.
struct PhraseJudge {
    /// How much worse than the free text a phrase may fit, in nats for each 10 ms.
    static let tolerance = 0.15

    let book: PhraseBook
    private let finalPass: FinalPass

    /// - Throws: `phraseRefused` naming a word that the model does not know.
    init(book: PhraseBook, finalPass: FinalPass) throws(RecognitionError) {
        let unknown = finalPass.result { decoder in book.spoken.joined().first { !decoder.knows($0) } }
        if let unknown { throw PhraseBook.unknown(unknown) }
        self.book = book
        self.finalPass = finalPass
    }

    /// The phrase that was said, as its client wrote it, or `nil`. Waits for it.
    func phrase(in samples: [Int16], tolerance: Double = Self.tolerance) -> String? {
        finalPass.result { [book] in Self.phrase(in: samples, of: book, tolerance: tolerance, $0) }
    }

    private static func phrase(
        in samples: [Int16], of book: PhraseBook, tolerance: Double, _ decoder: Decoder
    ) -> String? {
        guard let candidate = decoder.reading(of: samples, as: book.spoken) else { return nil }
        let text = decoder.segments(of: samples).compactMap { Vocabulary.word($0.word) }
        // A noise is no phrase, however well it fits one.
        guard !text.isEmpty else { return nil }
        if text != candidate.words {
            guard let free = decoder.reading(of: samples, as: [text]), candidate.fit >= free.fit - tolerance
            else { return nil }
        }
        return book.phrase(candidate.words.joined(separator: " "))
    }
}
