import RecognizerWorker
import Speech

/// Live dictation with a model that reads speech only as a whole.
///
/// An utterance is decoded in pieces, which end where the speaker pauses: live text needs the open piece decoded again and again.
/// It is decoded at each pause, so that its words are there when the pause becomes the utterance's end; and between pauses as
/// often as its length allows, if the decoder is idle. Only the first settles words. Which samples a piece has does not depend on
/// when they arrive.
final class NeuralDictation: UtteranceStrategy {
    /// In samples of 16 kHz.
    private enum Length {
        /// A piece of this length ends at the next pause.
        static let enough = 6 * 16_000
        /// A piece ends here, at the quietest place since `enough`, even if the speaker does not pause.
        static let most = 10 * 16_000
        /// Of the speech after an utterance's beginning was found until it is first shown.
        static let first = 3_200
        /// Between two decodings for live text, and as a part of the piece's length.
        static let interval = 4_800
        static let intervalPart = 0.2
        /// Of the silence before speech that belongs to its piece.
        static let preRoll = 6_400
    }

    let breath: Int? = 25
    let longLength: Int? = 2_000
    let outbox: Outbox
    private let threads: PieceThreads
    private let report: SpeechReport

    /// The open piece, and how many samples of the utterance are before it.
    private var samples: [Int16] = []
    private var origin = 0
    /// The piece's length at the beginning of the current pause; 0: the piece has no speech; `nil`: somebody speaks.
    private var pauseLength: Int?
    /// The piece as it was at the pause, while it is decoded for the live text.
    private var settling: Piece?
    private var shown: Piece?
    /// The piece's length at which it is shown next; `nil`: nothing of the utterance was heard.
    private var due: Int?

    init(threads: PieceThreads, outbox: Outbox) {
        self.threads = threads
        self.outbox = outbox
        report = SpeechReport(to: outbox)
    }

    func began(_ number: Int, at start: Double) {
        (samples, origin, due, pauseLength) = ([], 0, nil, nil)
        (settling, shown) = (nil, nil)
        report.add(.began(number: number, at: start))
    }

    func heard(_ more: [Int16]) {
        var rest = more[...]
        while samples.count + rest.count > Length.most {
            samples += rest.prefix(Length.most - samples.count)
            rest = rest.dropFirst(Length.most - samples.count)
            if let length = pauseLength {
                // A long pause: what was said before it is complete.
                close(upTo: length)
                advance(by: max(length, samples.count - Length.preRoll))
                pauseLength = 0
            } else {
                let range = Length.enough..<samples.count
                let place = QuietPlace.index(in: samples.map { Float($0) }[...], within: range)
                close(upTo: place)
                advance(by: place)
            }
        }
        samples += rest
        if due == nil { due = samples.count + Length.first }
        showIfDue()
    }

    func paused() {
        guard pauseLength == nil else { return }
        pauseLength = samples.count
        shown?.forget()
        let piece = Piece(samples)
        settling = piece
        threads.add(piece)
        report.add(.show(piece, settles: true))
    }

    func resumed() {
        guard let length = pauseLength else { return }
        pauseLength = nil
        guard length == 0 || length >= Length.enough else {
            settling?.forget()
            settling = nil
            return
        }
        close(upTo: length)
        advance(by: max(length, samples.count - Length.preRoll))
    }

    func ended(_ utterance: Utterance) {
        close(upTo: pauseLength ?? samples.count)
        let reported = Utterance(number: utterance.number, start: utterance.start, end: utterance.end, samples: [])
        report.add(.ended(reported, decibels: NoiseMeter.decibels(of: utterance.samples)))
    }

    func finish(duration: Double) {
        report.finish()
        outbox.finished(duration: duration)
    }

    /// Decodes the beginning of the piece for good.
    private func close(upTo length: Int) {
        shown?.forget()
        shown = nil
        guard length > 0 else { return }
        // Its words are those that the pause settled.
        let piece = settling ?? Piece(Array(samples.prefix(length)))
        if settling == nil { threads.add(piece) }
        settling = nil
        report.add(.close(piece, offset: Double(origin) / 16_000))
    }

    /// The next piece begins after this many samples.
    private func advance(by length: Int) {
        origin += length
        samples.removeFirst(length)
        due = samples.count + Length.interval
    }

    private func showIfDue() {
        guard pauseLength == nil, let due, samples.count >= due, threads.isIdle else { return }
        self.due = samples.count + max(Length.interval, Int(Length.intervalPart * Double(samples.count)))
        let piece = Piece(samples)
        shown = piece
        threads.add(piece)
        report.add(.show(piece, settles: false))
    }
}
