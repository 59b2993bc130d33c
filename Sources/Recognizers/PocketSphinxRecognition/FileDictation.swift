import Speech

/// Words from audio that is there already, decoded by a whole crew: final texts alone, in order.
final class FileDictation: Listener {
    /// Times are rounded to milliseconds on their way to a client and back.
    private static let tolerance = 0.005

    private let crew: DecoderCrew
    private let outbox: FileOutbox
    private let configuration: RecognitionConfiguration
    private var cutter: UtteranceCutter
    /// Utterances that began.
    private var begun = 0
    /// Utterances that were handed to the crew.
    private var count = 0

    init(configuration: RecognitionConfiguration, crew: DecoderCrew, outbox: FileOutbox) {
        self.configuration = configuration
        self.crew = crew
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        if begun == count { outbox.read(to: LiveSession.seconds(cutter.position), utterances: count) }
    }

    func finish() {
        handle(cutter.finish())
        crew.finish()
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began: begun += 1
            case .heard, .paused, .resumed: break
            case .ended(let position, let samples):
                let start = LiveSession.seconds(position - Int64(samples.count))
                // What was cut before is cut in the same places again, so the rest is the same as without a pause.
                guard start >= configuration.from - Self.tolerance else {
                    begun -= 1
                    continue
                }
                let utterance = Utterance(number: count, start: start, samples: samples)
                count += 1
                crew.work { [outbox] decoder in
                    outbox.final(utterance.number, decoder.understanding(of: utterance))
                }
            }
        }
    }
}
