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
        /// `decibels`: of its speech above its noise.
        case ended(Utterance, decibels: Double)
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
        let outbox: Outbox
        /// Of the complete pieces.
        private var text = PieceText()
        private var stable = StablePrefix(agreement: nil)
        private var shown = PartialTranscript(text: "", stablePrefix: 0)

        init(outbox: Outbox) {
            self.outbox = outbox
        }

        mutating func take(_ step: Step) throws(RecognitionError) {
            switch step {
            case .began(let number, let time):
                text = PieceText()
                (stable, shown) = (StablePrefix(agreement: nil), PartialTranscript(text: "", stablePrefix: 0))
                outbox.speechStarted(number, at: time)
            case .show(let piece, let settles):
                guard let more = try piece.text() else { return }
                show((text.words + more.words).map(\.text).joined(separator: " "), settles: settles)
            case .close(let piece, let offset):
                guard let more = try piece.text() else { return }
                text.append(more, offset: offset)
            case .ended(let utterance, let decibels):
                outbox.final(utterance.number, utterance.transcript(of: text, decibels: decibels))
            }
        }

        private mutating func show(_ words: String, settles: Bool) {
            guard !words.isEmpty else { return }
            let now = settles ? stable.settle(words) : stable.take(words)
            guard now != shown else { return }
            shown = now
            outbox.partial(now)
        }
    }
}
