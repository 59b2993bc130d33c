import Speech
import Synchronization

/// Final texts of a file, by one or more decoders, in order. Each utterance is decoded from a fresh state, so that its
/// words do not depend on which decoder takes it.
public final class FileDictation<Decoder>: UtteranceStrategy {
    /// Times are rounded to milliseconds on their way to a client and back.
    private static var tolerance: Double { 0.005 }

    public let breath: Int?
    public let longLength: Int?
    public let maximumLength: Int?
    public let lookBack: Int?
    public let outbox: Outbox
    private let decoders: DecoderThreads<Decoder>
    private let transcript: @Sendable (Utterance, Decoder) -> Transcript
    private let order: SpeechOrder
    /// Utterances that end before this time were sent by an earlier session.
    private let from: Double
    private var begun = 0
    private var queued = 0

    /// - Parameters: see `UtteranceStrategy` for the lengths.
    public init(
        _ configuration: RecognitionConfiguration, decoders: DecoderThreads<Decoder>, outbox: Outbox,
        breath: Int? = nil, longLength: Int? = nil, maximumLength: Int? = nil, lookBack: Int? = 2_000,
        transcript: @escaping @Sendable (Utterance, Decoder) -> Transcript
    ) {
        (self.breath, self.longLength) = (breath, longLength)
        (self.maximumLength, self.lookBack) = (maximumLength, lookBack)
        from = configuration.from
        self.decoders = decoders
        self.transcript = transcript
        self.outbox = outbox
        order = SpeechOrder(outbox: outbox, givesSound: configuration.givesSound)
    }

    public func began(_ number: Int, at start: Double) { begun += 1 }

    public func ended(_ utterance: Utterance) {
        // The same audio is cut in the same places again, so the rest is as without the interruption.
        guard utterance.start >= from - Self.tolerance else {
            begun -= 1
            return
        }
        let number = queued
        queued += 1
        decoders.perform { [order, transcript] decoder in
            let isTyping = KeyStrokes.isAll(of: utterance.samples)
            order.decoded(number, utterance, isTyping ? utterance.transcript(of: []) : transcript(utterance, decoder))
        }
    }

    public func advanced(to seconds: Double) {
        if begun == queued { order.read(to: seconds, utterances: queued) }
    }

    public func finish(duration: Double) {
        decoders.finish()
        outbox.finished(duration: duration)
    }
}

/// Sends what several decoders found in the order of the speech, and how much of the file is done.
private final class SpeechOrder: Sendable {
    private struct State {
        /// The number of the next utterance to send.
        var next = 0
        /// Utterances that were decoded before their turn.
        var waiting: [Int: (Utterance, Transcript)] = [:]
        /// How far the file was read, and how many utterances had begun by then.
        var read: (seconds: Double, utterances: Int)?
    }

    private let state = Mutex(State())
    private let outbox: Outbox
    private let givesSound: Bool

    init(outbox: Outbox, givesSound: Bool) {
        self.outbox = outbox
        self.givesSound = givesSound
    }

    /// To be called in any order.
    func decoded(_ number: Int, _ utterance: Utterance, _ transcript: Transcript) {
        state.withLock {
            $0.waiting[number] = (utterance, transcript)
            while let (utterance, next) = $0.waiting.removeValue(forKey: $0.next) {
                outbox.speechStarted($0.next, at: next.start)
                if givesSound { outbox.sound(utterance.samples) }
                outbox.final($0.next, next)
                outbox.progress(next.end)
                $0.next += 1
            }
            if let read = $0.read, $0.next == read.utterances { outbox.progress(read.seconds) }
        }
    }

    /// The file was read up to here.
    ///
    /// - Parameter utterances: how many began before.
    func read(to seconds: Double, utterances: Int) {
        state.withLock {
            $0.read = (seconds, utterances)
            if $0.next == utterances { outbox.progress(seconds) }
        }
    }
}
