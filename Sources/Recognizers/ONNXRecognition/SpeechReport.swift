import Foundation
import RecognizerWorker
import Speech

/// Reports what is decoded, in the order of the speech, on its own thread that waits for the pieces.
final class SpeechReport: Sendable {
    enum Step: Sendable {
        case began(number: Int, at: Double)
        /// The open piece of the utterance so far. `settles`: the speaker has paused, so that no word is incomplete.
        case show(Piece, settles: Bool)
        /// A piece that is complete. `offset`: seconds of the utterance before it.
        case close(Piece, offset: Double)
        case ended(Utterance)
        /// A file was read up to here.
        case advanced(to: Double)
    }

    private let steps = BlockingQueue<Step>(capacity: 256)
    private let done = BlockingQueue<Void>(capacity: 1)

    init(to outbox: Outbox) {
        let thread = Thread { [self] in
            var state = State(outbox: outbox)
            var hasFailed = false
            while let step = steps.take() {
                guard !hasFailed else { continue }
                do throws(RecognitionError) {
                    try state.take(step)
                } catch {
                    outbox.failed(error)
                    hasFailed = true
                }
            }
            done.put(())
        }
        thread.start()
    }

    func add(_ step: Step) { steps.put(step) }

    /// Waits until all steps are reported.
    func finish() {
        steps.close()
        _ = done.take()
    }

    private struct State {
        /// The share of words that are right, of 2,028 of 18 speakers; the model reports nothing about a word.
        static let confidence = 0.92

        let outbox: Outbox
        private var start = 0.0
        private var words: [TranscribedWord] = []
        private var stable = StablePrefix(agreement: nil)
        private var shown = PartialTranscript(text: "", stablePrefix: 0)

        init(outbox: Outbox) {
            self.outbox = outbox
        }

        mutating func take(_ step: Step) throws(RecognitionError) {
            switch step {
            case .began(let number, let time):
                (start, words) = (time, [])
                (stable, shown) = (StablePrefix(agreement: nil), PartialTranscript(text: "", stablePrefix: 0))
                outbox.speechStarted(number, at: time)
            case .show(let piece, let settles):
                guard let more = try piece.words() else { return }
                show((words.map(\.word) + more.map(\.text)).joined(separator: " "), settles: settles)
            case .close(let piece, let offset):
                guard let more = try piece.words() else { return }
                words += more.map {
                    TranscribedWord(
                        word: $0.text, start: start + offset + $0.start, end: start + offset + $0.end,
                        confidence: Self.confidence)
                }
            case .ended(let utterance):
                outbox.final(utterance.number, utterance.transcript(of: words))
            case .advanced(let seconds): outbox.progress(seconds)
            }
        }

        private mutating func show(_ text: String, settles: Bool) {
            guard !text.isEmpty else { return }
            let now = settles ? stable.settle(text) : stable.take(text)
            guard now != shown else { return }
            shown = now
            outbox.partial(now)
        }
    }
}
