import RecognizerProtocol
import Speech

/// Tells of what a judge finds in each utterance, phrases or what a grammar allows, and of nothing else that is said.
final class JudgedSession: Listener {
    /// What may be told of an utterance, in order and without overlaps. Waits for the decoder.
    typealias Judge = (Utterance) -> [Transcript]

    private let judge: Judge
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var utterances = 0
    private var told = 0

    init(configuration: RecognitionConfiguration, outbox: Outbox, judge: @escaping Judge) {
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
            let start = LiveSession.seconds(position - Int64(samples.count))
            for transcript in judge(Utterance(number: utterances, start: start, samples: samples)) {
                outbox.speechStarted(told, at: transcript.start)
                outbox.final(told, transcript)
                told += 1
            }
            utterances += 1
        }
    }
}
