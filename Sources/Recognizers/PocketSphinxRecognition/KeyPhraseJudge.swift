import Speech

/// Finds the phrases within an utterance.
///
/// The words that were understood freely tell where to look: a phrase is tried on each stretch of about as many words as
/// it has, and must fit the stretch about as well as those words do.
struct KeyPhraseJudge {
    /// A place in the utterance, in frames of 10 ms.
    struct Finding: Hashable {
        let phrase: String
        let frames: Range<Int>
    }

    private static let frameLength = 160
    /// Sounds of neighbouring words run into each other.
    private static let margin = 4

    private let phrases: [(words: [String], phrase: KeyPhrase)]
    private let finalPass: FinalPass

    /// - Throws: `phraseRefused` naming a phrase, or a word that the model does not know.
    init(phrases: [KeyPhrase], finalPass: FinalPass) throws(RecognitionError) {
        let book = try PhraseBook(phrases.map(\.text))
        // Refuses what the model does not know.
        _ = try PhraseJudge(book: book, finalPass: finalPass)
        self.phrases = phrases.map { (PhraseBook.words(of: $0.text), $0) }
        self.finalPass = finalPass
    }

    /// What was found as it is told: each phrase as its client wrote it, at its place in the session.
    func transcripts(of utterance: Utterance) -> [Transcript] {
        var latest = utterance.start
        return findings(in: utterance.samples).map { finding in
            let start = min(max(latest, utterance.start + Double(finding.frames.lowerBound) / 100), utterance.end)
            let end = min(max(start, utterance.start + Double(finding.frames.upperBound) / 100), utterance.end)
            latest = end
            return Transcript(text: finding.phrase, start: start, end: end, words: [])
        }
    }

    /// What was found, in order, without overlaps. Waits for it.
    func findings(in samples: [Int16]) -> [Finding] {
        finalPass.result { [phrases] in Self.findings(in: samples, of: phrases, $0) } ?? []
    }

    private static func findings(
        in samples: [Int16], of phrases: [(words: [String], phrase: KeyPhrase)], _ decoder: Decoder
    ) -> [Finding] {
        let heard = decoder.segments(of: samples).compactMap { segment in
            Vocabulary.word(segment.word).map { (word: $0, first: segment.first, last: segment.last) }
        }
        var findings: [Finding] = []
        for (words, phrase) in phrases {
            var start = 0
            while start < heard.count {
                // As it was understood, else one word more or less: a wrong word is often two, or half of one.
                let lengths = [words.count, words.count + 1, words.count - 1].filter {
                    $0 > 0 && start + $0 <= heard.count
                }
                let found = lengths.first { length in
                    let stretch = heard[start..<start + length]
                    if stretch.map(\.word) == words { return true }
                    let piece = piece(of: samples, heard[start].first, stretch.last?.last)
                    return fits(stretch.map(\.word), phrase, words, piece, decoder)
                }
                guard let found else {
                    start += 1
                    continue
                }
                findings.append(
                    Finding(phrase: phrase.text, frames: heard[start].first..<heard[start + found - 1].last + 1))
                start += found
            }
        }
        return findings.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    }

    private static func fits(
        _ heard: [String], _ phrase: KeyPhrase, _ words: [String], _ samples: [Int16], _ decoder: Decoder
    ) -> Bool {
        guard let reading = decoder.reading(of: samples, as: [words]),
            let free = decoder.reading(of: samples, as: [heard])
        else { return false }
        return reading.fit >= free.fit - phrase.tolerance
    }

    private static func piece(of samples: [Int16], _ first: Int, _ last: Int?) -> [Int16] {
        let start = max(0, first - margin) * frameLength
        let end = min(samples.count, ((last ?? first) + 1 + margin) * frameLength)
        return start < end ? Array(samples[start..<end]) : []
    }
}
