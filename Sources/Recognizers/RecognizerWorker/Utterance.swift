import Speech

/// An utterance that is over.
public struct Utterance: Sendable {
    /// The first is 0.
    public let number: Int
    /// Seconds of audio since the session's first sample.
    public let start: Double
    public let end: Double
    public let samples: [Int16]

    public init(number: Int, start: Double, end: Double, samples: [Int16]) {
        self.number = number
        self.start = start
        self.end = end
        self.samples = samples
    }

    /// A transcript of its times.
    ///
    /// - Parameters:
    ///   - words: in order; times that are outside of the utterance, or before the word's predecessor, are moved.
    ///   - decibels: of its speech above its noise, if that was measured.
    ///   - needed: with less, the words are unreliable; for PocketSphinx by default.
    public func transcript(
        of words: [TranscribedWord], alternatives: [String] = [], decibels: Double = .infinity,
        needed: Double = NoiseMeter.needed
    ) -> Transcript {
        var placed: [TranscribedWord] = []
        for word in words {
            let begins = clamped(word.start, from: placed.last?.end ?? start)
            placed.append(
                TranscribedWord(
                    word: word.word, start: begins, end: clamped(word.end, from: begins),
                    confidence: Self.rounded(word.confidence)))
        }
        // Without words it is a cough or a slammed door, which is not a reason to report noise.
        let isNoisy = decibels < needed && !placed.isEmpty
        return Transcript(
            text: placed.map(\.word).joined(separator: " "), start: Self.rounded(start), end: Self.rounded(end),
            words: placed, alternatives: alternatives, noisyDecibels: isNoisy ? decibels : nil)
    }

    /// A transcript of a phrase alone, without words: their times and confidences would reveal more than the phrase.
    public func transcript(saying phrase: String) -> Transcript {
        Transcript(text: phrase, start: Self.rounded(start), end: Self.rounded(end), words: [])
    }

    private func clamped(_ time: Double, from earliest: Double) -> Double {
        Self.rounded(min(max(time, earliest, start), end))
    }

    /// To milliseconds, and confidences to thousandths.
    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
