import Recognition
import RecognizerProtocol

/// Tells of utterances that are one of the phrases, and of nothing else that is said.
final class PhraseSession: Listener {
    private let judge: PhraseJudge
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var count = 0

    init(configuration: RecognitionConfiguration, judge: PhraseJudge, outbox: Outbox) {
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
            guard case .ended(let position, let samples) = event, let phrase = judge.phrase(in: samples) else {
                continue
            }
            let utterance = Utterance(
                number: count, start: LiveSession.seconds(position - Int64(samples.count)), samples: samples)
            outbox.speechStarted(count, at: utterance.start)
            outbox.final(count, utterance.transcript(saying: phrase))
            count += 1
        }
    }
}
