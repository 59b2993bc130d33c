import CSpeexDSP
import RecognizerWorker
import Speech

/// Text while it is spoken, and the final text of each utterance.
final class LiveDictation: UtteranceStrategy {
    let outbox: Outbox
    private let decoders: Decoders
    private var suppression = NoiseSuppression()
    private var utterance: SpokenUtterance?
    private var isFirst = true

    /// - Parameter decoders: one decoder, since an utterance's jobs need their order.
    init(decoders: Decoders, outbox: Outbox) {
        self.decoders = decoders
        self.outbox = outbox
    }

    func began(_ number: Int, at start: Double) {
        utterance = SpokenUtterance(number: number, outbox: outbox)
        isFirst = true
        outbox.speechStarted(number, at: start)
        perform { $1.begin() }
    }

    func heard(_ samples: [Int16]) {
        if isFirst, suppression.isNeeded { perform { utterance, _ in utterance.suppressNoise() } }
        isFirst = false
        perform { $0.hear(samples, $1) }
    }

    func ended(_ utterance: Utterance) {
        let decibels = NoiseMeter.decibels(of: utterance.samples)
        suppression.learn(decibels)
        perform { $0.end(utterance, decibels: decibels, $1) }
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

/// An utterance while it is spoken. The first pass follows the speech; the later ones run at its end.
final class SpokenUtterance: @unchecked Sendable {
    // Safe: all but the constants is touched by the decoder's thread alone, whose jobs are the only callers.

    /// Samples between two updates of the live text: 120 ms.
    private static let interval = 1_920

    private let number: Int
    private let outbox: Outbox
    private var suppressor: Suppressor?
    private var samplesSinceUpdate = 0
    private var shown = PartialTranscript(text: "", stablePrefix: 0)
    private var stablePrefix = StablePrefix()

    init(number: Int, outbox: Outbox) {
        self.number = number
        self.outbox = outbox
    }

    /// Suppresses the noise of the samples that follow.
    func suppressNoise() { suppressor = Suppressor() }

    func hear(_ samples: [Int16], _ decoder: Decoder) {
        decoder.feed(suppressor?.suppress(samples) ?? samples)
        samplesSinceUpdate += samples.count
        guard samplesSinceUpdate >= Self.interval, decoder.failure == nil else { return }
        samplesSinceUpdate = 0
        let now = stablePrefix.take(decoder.text)
        // A longer stable prefix alone is not urgent: it is sent with the next word.
        guard now.text != shown.text else { return }
        shown = now
        outbox.partial(now)
    }

    /// - Parameters:
    ///   - utterance: the same, complete.
    ///   - decibels: of its speech above its noise.
    func end(_ utterance: Utterance, decibels: Double, _ decoder: Decoder) {
        decoder.end()
        // The live text may have had words of the strokes; the final one replaces it.
        let isSpeech = decoder.failure == nil && !KeyStrokes.isAll(of: utterance.samples)
        let segments = isSpeech ? decoder.segments : []
        let others = isSpeech ? decoder.otherReadings(than: segments) : []
        outbox.final(number, utterance.transcript(of: segments, alternatives: others, decibels: decibels))
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
