import Speech

/// Words from audio that is there already: final texts alone.
final class FinalSession: Listener {
    private let finalPass: FinalPass
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var count = 0

    init(configuration: RecognitionConfiguration, finalPass: FinalPass, outbox: Outbox) {
        self.finalPass = finalPass
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        outbox.progress(LiveSession.seconds(cutter.position))
    }

    func finish() {
        handle(cutter.finish())
        finalPass.finish()
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began(let position): outbox.speechStarted(count, at: LiveSession.seconds(position))
            case .heard, .paused, .resumed: break
            case .ended(let position, let samples):
                let start = LiveSession.seconds(position - Int64(samples.count))
                finalPass.decode(Utterance(number: count, start: start, samples: samples), for: outbox)
                count += 1
            }
        }
    }
}
