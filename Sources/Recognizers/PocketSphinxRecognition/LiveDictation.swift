import CSpeexDSP
import RecognizerWorker
import Speech

/// Text while it is spoken, and the final text of each utterance.
final class LiveDictation: UtteranceStrategy {
    /// Long enough that few breaths are within a clause; short enough that what was said before one is decoded when the
    /// utterance's own silence ends.
    let breath: Int? = 40
    /// Samples of the silence before speech goes on that are decoded with it: 300 ms.
    private static let preRoll = 4_800

    let outbox: Outbox
    private let decoders: DecoderThreads
    private var suppression = NoiseSuppression()
    private var utterance: SpokenUtterance?
    /// Samples of the utterance so far.
    private var length = 0
    /// The samples since a breath began; `nil` outside of one.
    private var silence: [Int16]?

    /// - Parameter decoders: one decoder, since an utterance's jobs need their order.
    init(decoders: DecoderThreads, outbox: Outbox) {
        self.decoders = decoders
        self.outbox = outbox
    }

    func began(_ number: Int, at start: Double) {
        utterance = SpokenUtterance(number: number, start: start, outbox: outbox)
        (length, silence) = (0, nil)
        outbox.speechStarted(number, at: start)
        perform { $0.begin(at: 0, $1) }
    }

    func heard(_ samples: [Int16]) {
        if length == 0, suppression.isNeeded { perform { utterance, _ in utterance.suppressNoise() } }
        length += samples.count
        if silence != nil {
            silence?.append(contentsOf: samples)
        } else {
            perform { $0.hear(samples, $1) }
        }
    }

    func paused() {
        silence = []
        perform { $0.pause($1) }
    }

    func resumed() {
        let before = Array((silence ?? []).suffix(Self.preRoll))
        silence = nil
        let offset = length - before.count
        perform {
            $0.begin(at: offset, $1)
            $0.hear(before, $1)
        }
    }

    func ended(_ utterance: Utterance) {
        let decibels = NoiseMeter.decibels(of: utterance.samples)
        suppression.learn(decibels)
        perform { [end = utterance.end] in $0.end(at: end, decibels: decibels, $1) }
        self.utterance = nil
    }

    func finish(duration: Double) {
        if let learnt = decoders.result({ $0.learnt }) { outbox.learnt(learnt) }
        decoders.finish()
        outbox.finished(duration: duration)
    }

    private func perform(_ work: @escaping @Sendable (SpokenUtterance, Decoder) -> Void) {
        guard let utterance else { return }
        decoders.perform { work(utterance, $0) }
    }
}

/// An utterance while it is spoken.
///
/// It is decoded breath by breath: the later passes run when a breath begins, so that little is left to do if the breath is
/// the end, and nothing is decoded twice if it is not.
final class SpokenUtterance: @unchecked Sendable {
    // Safe: all but the constants is touched by the decoder's thread alone, whose jobs are the only callers.

    /// Samples between two updates of the live text: 120 ms.
    private static let interval = 1_920

    private let number: Int
    private let start: Double
    private let outbox: Outbox
    /// The decoded breaths, their frames counted from the utterance's beginning.
    private var segments: [Segment] = []
    /// Other readings of the same, breath by breath.
    private var readings: [OtherReadings.Piece] = []
    /// The frame at which the current breath began.
    private var origin = 0
    private var isDecoding = false
    private var suppressor: Suppressor?
    private var samplesSinceUpdate = 0
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

    /// Suppresses the noise of the samples that follow.
    func suppressNoise() { suppressor = Suppressor() }

    func hear(_ samples: [Int16], _ decoder: Decoder) {
        decoder.feed(suppressor?.suppress(samples) ?? samples)
        samplesSinceUpdate += samples.count
        guard samplesSinceUpdate >= Self.interval, decoder.failure == nil else { return }
        samplesSinceUpdate = 0
        show(decoder.text)
    }

    /// A breath begins.
    func pause(_ decoder: Decoder) {
        guard isDecoding else { return }
        isDecoding = false
        decoder.end()
        let found = decoder.failure == nil ? decoder.segments : []
        segments += found.map { $0.moved(by: origin) }
        readings.append(decoder.otherReadings(than: found))
        show("")
    }

    /// - Parameters:
    ///   - end: seconds of audio since the session's first sample.
    ///   - decibels: of its speech above its noise.
    func end(at end: Double, decibels: Double, _ decoder: Decoder) {
        pause(decoder)
        let utterance = Utterance(number: number, start: start, end: end, samples: [])
        let transcript = utterance.transcript(of: segments, alternatives: OtherReadings(pieces: readings))
        outbox.final(number, Understanding(transcript, decibels: decibels))
    }

    /// - Parameter text: of the current breath.
    private func show(_ text: String) {
        let settled = Vocabulary.text(of: segments.map(\.word))
        let now = stablePrefix.take([settled, text].filter { !$0.isEmpty }.joined(separator: " "))
        // A longer stable prefix alone is not urgent: it is sent with the next word.
        guard now.text != shown.text else { return }
        shown = now
        outbox.partial(now)
    }
}

/// Suppresses the steady noise of an utterance, by SpeexDSP. Use it on one thread at a time.
final class Suppressor {
    private static let frameLength = 160

    // Owned by this object alone, freed in deinit.
    private let state: OpaquePointer
    /// The library's output lags by one frame; the first frame of it precedes the utterance.
    private var isFirst = true

    init?() {
        guard let state = speex_preprocess_state_init(Int32(Self.frameLength), 16_000) else { return nil }
        self.state = state
    }

    deinit { speex_preprocess_state_destroy(state) }

    /// - Parameter samples: in order, a multiple of 10 ms; the rest of a frame is dropped.
    /// - Returns: as many samples, but 10 ms less on the first call.
    func suppress(_ samples: [Int16]) -> [Int16] {
        var output = Array(samples.prefix(samples.count - samples.count % Self.frameLength))
        output.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for start in stride(from: 0, to: buffer.count, by: Self.frameLength) {
                _ = speex_preprocess_run(state, base + start)
            }
        }
        guard isFirst, !output.isEmpty else { return output }
        isFirst = false
        return Array(output.dropFirst(Self.frameLength))
    }

    /// A whole utterance; unchanged if there is no memory for it.
    static func suppressed(_ samples: [Int16]) -> [Int16] {
        guard let suppressor = Suppressor() else { return samples }
        return suppressor.suppress(samples) + suppressor.suppress([Int16](repeating: 0, count: frameLength))
    }
}
