import Speech

/// An utterance while it is spoken: its live text, and its final one.
///
/// It is decoded breath by breath. The passes that come after the first one are done when a breath is taken, so that little
/// is left to do when the breath turns out to be the end; and nothing is decoded twice when it does not.
final class SpokenUtterance: @unchecked Sendable {
    // Safe: all but the constants is touched by the decoder's thread alone, whose jobs are the only callers.

    /// Samples between two looks at the live text: 120 ms.
    private static let interval = 1_920

    let number: Int
    private let start: Double
    private let outbox: Outbox
    /// What was decoded to its end, its frames counted from the utterance's beginning.
    private var segments: [Segment] = []
    /// Other readings of the same, breath by breath.
    private var readings: [OtherReadings.Piece] = []
    /// The frame at which the decoder began last.
    private var origin = 0
    private var isDecoding = false
    private var suppressor: Suppressor?
    private var sinceLook = 0
    private var shown = PartialTranscript(text: "", stablePrefix: 0)
    private var stablePrefix = StablePrefix()

    /// - Parameter start: seconds of audio since the session's first sample.
    init(number: Int, start: Double, outbox: Outbox) {
        self.number = number
        self.start = start
        self.outbox = outbox
    }

    /// - Parameter offset: samples since the utterance's first one.
    func begin(at offset: Int, _ decoder: Decoder) {
        origin = offset / 160
        isDecoding = true
        decoder.begin()
    }

    /// From now on its noise is suppressed.
    func suppressNoise() { suppressor = Suppressor() }

    func hear(_ samples: [Int16], _ decoder: Decoder) {
        decoder.feed(suppressor?.suppress(samples) ?? samples)
        sinceLook += samples.count
        guard sinceLook >= Self.interval else { return }
        sinceLook = 0
        show(decoder.text)
    }

    /// A breath is taken.
    func pause(_ decoder: Decoder) {
        guard isDecoding else { return }
        isDecoding = false
        decoder.end()
        let found = decoder.segments
        segments += found.map { $0.moved(by: origin) }
        readings.append(decoder.otherReadings(than: found))
        show("")
    }

    /// - Parameters:
    ///   - end: seconds of audio since the session's first sample.
    ///   - decibels: of its speech above its noise.
    func end(at end: Double, decibels: Double, _ decoder: Decoder) {
        pause(decoder)
        let utterance = Utterance(number: number, start: start, end: end)
        let transcript = utterance.transcript(of: segments, alternatives: OtherReadings(pieces: readings))
        outbox.final(number, Understanding(transcript, decibels: decibels))
    }

    /// - Parameter text: what the decoder makes of the breath that it is at.
    private func show(_ text: String) {
        let settled = Vocabulary.text(of: segments.map(\.word))
        let now = stablePrefix.take([settled, text].filter { !$0.isEmpty }.joined(separator: " "))
        // Words that became stable are news, too, but not urgent: they are told with the next word.
        guard now.text != shown.text else { return }
        shown = now
        outbox.partial(number, now)
    }
}

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
