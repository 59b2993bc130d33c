import Recognition
import RecognizerProtocol

/// Tells of utterances that the grammar allows, and of nothing else that is said.
final class GrammarSession: Listener {
    private let judge: GrammarJudge
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var count = 0

    init(configuration: RecognitionConfiguration, judge: GrammarJudge, outbox: Outbox) {
        self.judge = judge
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        outbox.progress(LiveSession.seconds(cutter.position))
    }

    func finish() {
        handle(cutter.finish())
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            guard case .ended(let position, let samples) = event else { continue }
            let utterance = Utterance(
                number: count, start: LiveSession.seconds(position - Int64(samples.count)), samples: samples)
            guard let transcript = judge.transcript(of: utterance) else { continue }
            outbox.speechStarted(count, at: utterance.start)
            outbox.final(count, transcript)
            count += 1
        }
    }
}
