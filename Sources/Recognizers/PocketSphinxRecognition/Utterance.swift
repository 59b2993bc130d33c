import RecognizerWorker
import Speech

extension Utterance {
    /// The transcript of what the decoder found, its times within the utterance.
    ///
    /// - Parameter decibels: of its speech above its noise, if that was measured.
    func transcript(
        of segments: [Segment], alternatives: [String] = [], decibels: Double = .infinity
    ) -> Transcript {
        transcript(
            of: segments.compactMap { segment in
                Vocabulary.word(segment.word).map {
                    TranscribedWord(
                        word: $0, start: start + Double(segment.first) / 100,
                        end: start + Double(segment.last + 1) / 100,
                        confidence: Confidence.ofWord(posterior: segment.posterior))
                }
            }, alternatives: alternatives, decibels: decibels)
    }
}

/// A piece of the library's hypothesis: a word, a silence or a noise. Frames are 10 ms of the utterance.
struct Segment: Hashable {
    let word: String
    let first: Int
    let last: Int
    let posterior: Double
}

/// How likely a word is to be right.
///
/// The engine's posterior probability orders words well but is not a probability. The table's ends were measured on 917 words
/// of people reading (LibriVox, LJ Speech, Harvard sentences, commands): of the words with 0 to 0.2, 45 in 100 were right, of
/// those with 0.99 and more, 95. Between them it follows what `Benchmarks/context.py --fit` finds in 70 words of LibriVox
/// (pool adjacent violators): few words, so read the middle as a guide.
enum Confidence {
    /// Posterior → share of right words, both growing.
    private static let table: [(posterior: Double, right: Double)] = [
        (0, 0.4), (0.2, 0.5), (0.5, 0.72), (0.8, 0.83), (0.99, 0.95), (1, 0.97),
    ]

    /// - Parameter posterior: as the engine gives it; NaN counts as 0.
    static func ofWord(posterior: Double) -> Double {
        guard posterior > 0 else { return table[0].right }
        for (low, high) in zip(table, table.dropFirst()) where posterior <= high.posterior {
            let share = (posterior - low.posterior) / (high.posterior - low.posterior)
            return low.right + share * (high.right - low.right)
        }
        return table[table.count - 1].right
    }
}

/// Collects readings of an utterance that differ in their words.
struct AlternativeTexts {
    let text: String
    let most: Int
    private(set) var texts: [String] = []

    /// - Parameter reading: in the library's notation.
    /// - Returns: whether more are wanted.
    mutating func take(_ reading: String) -> Bool {
        let words = Vocabulary.text(of: reading.split(separator: " "))
        if !words.isEmpty, words != text, !texts.contains(words) { texts.append(words) }
        return texts.count < most
    }
}
