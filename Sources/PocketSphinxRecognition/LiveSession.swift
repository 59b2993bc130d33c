import Recognition

/// Words from audio as it is spoken.
final class LiveSession: Listener {
    /// Samples between two looks at the live text: 120 ms.
    private static let interval = 1_920

    private let decoder: Decoder
    private let finalPass: FinalPass
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var utterance = 0
    private var start = 0.0
    private var sinceLook = 0
    private var text = ""
    private var stablePrefix = StablePrefix()

    init(configuration: RecognitionConfiguration, decoder: Decoder, finalPass: FinalPass, outbox: Outbox) {
        self.decoder = decoder
        self.finalPass = finalPass
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        outbox.progress(Self.seconds(cutter.position))
    }

    func finish() {
        handle(cutter.finish())
        finalPass.finish()
        outbox.finished(duration: Self.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began(let position):
                start = Self.seconds(position)
                (sinceLook, text, stablePrefix) = (0, "", StablePrefix())
                outbox.speechStarted(utterance, at: start)
                decoder.begin()
            case .heard(let samples):
                decoder.feed(samples)
                sinceLook += samples.count
                if sinceLook >= Self.interval { look() }
            case .ended(_, let samples):
                decoder.end()
                finalPass.decode(Utterance(number: utterance, start: start, samples: samples), for: outbox)
                utterance += 1
            }
        }
    }

    private func look() {
        sinceLook = 0
        let now = decoder.text
        // Agreement counts looks, also those that found nothing new.
        let stable = stablePrefix.take(now)
        guard now != text else { return }
        text = now
        outbox.partial(utterance, PartialTranscript(text: now, stablePrefix: stable))
    }

    static func seconds(_ position: Int64) -> Double { Double(position) / 16_000 }
}
