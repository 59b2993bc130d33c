import RecognizerWorker
import Speech

/// Text while it is spoken, and the final text of each utterance.
final class VoskDictation: UtteranceStrategy {
    let outbox: Outbox
    private let decoders: DecoderThreads<VoskDecoder>
    private var speech: LiveSpeech?

    /// - Parameter decoders: one decoder, since an utterance's jobs need their order.
    init(decoders: DecoderThreads<VoskDecoder>, outbox: Outbox) {
        self.decoders = decoders
        self.outbox = outbox
    }

    func began(_ number: Int, at start: Double) {
        speech = LiveSpeech(number: number, outbox: outbox)
        outbox.speechStarted(number, at: start)
        perform { $1.begin() }
    }

    func heard(_ samples: [Int16]) {
        perform { $0.hear(samples, $1) }
    }

    func ended(_ utterance: Utterance) {
        perform { $0.end(utterance, $1) }
        speech = nil
    }

    func finish(duration: Double) {
        decoders.finish()
        outbox.finished(duration: duration)
    }

    private func perform(_ work: @escaping @Sendable (LiveSpeech, VoskDecoder) -> Void) {
        guard let speech else { return }
        decoders.perform { work(speech, $0) }
    }
}

/// An utterance while it is spoken.
private final class LiveSpeech: @unchecked Sendable {
    // Safe: all but the constants is touched by the decoder's thread alone, whose jobs are the only callers.

    private let number: Int
    private let outbox: Outbox
    private var waiting: [Int16] = []
    private var shown = PartialTranscript(text: "", stablePrefix: 0)
    private var stablePrefix = StablePrefix()

    init(number: Int, outbox: Outbox) {
        self.number = number
        self.outbox = outbox
    }

    func hear(_ samples: [Int16], _ decoder: VoskDecoder) {
        waiting += samples
        guard waiting.count >= VoskDecoder.interval else { return }
        // Always in the same pieces: the library knows more of the voice in longer ones, and decodes them otherwise.
        while waiting.count >= VoskDecoder.interval {
            decoder.feed(Array(waiting.prefix(VoskDecoder.interval)))
            waiting.removeFirst(VoskDecoder.interval)
        }
        let now = stablePrefix.take(decoder.text)
        // A longer stable prefix alone is not urgent: it is sent with the next word.
        guard now.text != shown.text else { return }
        shown = now
        outbox.partial(now)
    }

    func end(_ utterance: Utterance, _ decoder: VoskDecoder) {
        if !waiting.isEmpty { decoder.feed(waiting) }
        outbox.final(number, decoder.transcript(of: utterance, decoder.end()))
        decoder.renew()
    }
}
