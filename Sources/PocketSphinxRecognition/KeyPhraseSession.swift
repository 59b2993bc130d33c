import Recognition
import RecognizerProtocol

/// Tells of phrases wherever they are said, and of nothing else.
final class KeyPhraseSession: Listener {
    private let judge: KeyPhraseJudge
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var count = 0

    init(configuration: RecognitionConfiguration, judge: KeyPhraseJudge, outbox: Outbox) {
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
                number: 0, start: LiveSession.seconds(position - Int64(samples.count)), samples: samples)
            var latest = utterance.start
            for finding in judge.findings(in: samples) {
                let start = min(max(latest, utterance.start + Double(finding.frames.lowerBound) / 100), utterance.end)
                let end = min(max(start, utterance.start + Double(finding.frames.upperBound) / 100), utterance.end)
                latest = end
                outbox.speechStarted(count, at: start)
                outbox.final(count, Transcript(text: finding.phrase, start: start, end: end, words: []))
                count += 1
            }
        }
    }
}
