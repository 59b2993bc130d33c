import Speech

/// An utterance that is over.
struct Utterance: Sendable {
    /// The first is 0.
    let number: Int
    /// Seconds of audio since the session's first sample.
    let start: Double
    let end: Double
    /// Empty when it was decoded while it was spoken.
    let samples: [Int16]

    init(number: Int, start: Double, samples: [Int16]) {
        self.init(number: number, start: start, end: start + Double(samples.count) / 16_000, samples: samples)
    }

    init(number: Int, start: Double, end: Double, samples: [Int16] = []) {
        self.number = number
        self.start = start
        self.end = end
        self.samples = samples
    }

    /// The transcript of what the decoder found, its times within the utterance.
    func transcript(of segments: [Segment], alternatives: OtherReadings = OtherReadings(pieces: [])) -> Transcript {
        var words: [TranscribedWord] = []
        for segment in segments {
            guard let word = Vocabulary.word(segment.word) else { continue }
            let begins = clamped(start + Double(segment.first) / 100, from: words.last?.end ?? start)
            words.append(
                TranscribedWord(
                    word: word, start: begins, end: clamped(start + Double(segment.last + 1) / 100, from: begins),
                    confidence: Self.rounded(Confidence.ofWord(posterior: segment.posterior))))
        }
        return Transcript(
            text: words.map(\.word).joined(separator: " "), start: Self.rounded(start), end: Self.rounded(end),
            words: words, alternatives: alternatives.texts)
    }

    /// A transcript of a phrase alone: what would tell more than that it was said stays here.
    func transcript(saying phrase: String) -> Transcript {
        Transcript(text: phrase, start: Self.rounded(start), end: Self.rounded(end), words: [])
    }

    private func clamped(_ time: Double, from earliest: Double) -> Double {
        Self.rounded(min(max(time, earliest, start), end))
    }

    /// To milliseconds (and a thousandth of probability): more would only be noise in the output.
    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
