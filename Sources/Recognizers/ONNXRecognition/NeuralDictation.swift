import RecognizerWorker
import Speech

/// Dictation, live or of a file, with a model that reads speech only as a whole.
///
/// An utterance is decoded in pieces, which end where the speaker pauses: the model takes more memory for longer ones, and live
/// text needs the open piece decoded again and again. Live: the piece is decoded at each pause, so that its words are there when
/// the pause becomes the utterance's end; and between pauses as often as its length allows, if the decoder is idle. Only the first
/// settles words. Which samples a piece has does not depend on when they arrive, so a file has the same text as live speech.
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

    /// Times are rounded to milliseconds on their way to a client and back.
    private static let tolerance = 0.005

    let breath: Int? = 25
    let longLength: Int? = 2_000
    let outbox: Outbox
    private let isLive: Bool
    /// Of a file: utterances that start before this time were sent by an earlier session.
    private let from: Double
    private let threads: PieceThreads
    private let report: SpeechReport

    /// Utterances that are reported; the current one's number, if it is.
    private var count = 0
    private var isReported = false
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

    init(_ configuration: RecognitionConfiguration, threads: PieceThreads, outbox: Outbox) {
        isLive = configuration.input == .live
        from = configuration.from
        self.threads = threads
        self.outbox = outbox
        report = SpeechReport(to: outbox)
    }

    func began(_ number: Int, at start: Double) {
        // The same audio is cut in the same places again, so the rest is as without the interruption.
        isReported = isLive || start >= from - Self.tolerance
        (samples, origin, due, pauseLength) = ([], 0, nil, nil)
        (settling, shown) = (nil, nil)
        if isReported { report.add(.began(number: count, at: start)) }
    }

    func heard(_ more: [Int16]) {
        guard isReported else { return }
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
        guard isReported, pauseLength == nil else { return }
        pauseLength = samples.count
        guard isLive else { return }
        shown?.forget()
        let piece = Piece(samples)
        settling = piece
        threads.add(piece)
        report.add(.show(piece, settles: true))
    }

    func resumed() {
        guard isReported, let length = pauseLength else { return }
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
        guard isReported else { return }
        close(upTo: pauseLength ?? samples.count)
        report.add(
            .ended(Utterance(number: count, start: utterance.start, end: utterance.end, samples: [])))
        count += 1
        isReported = false
    }

    func advanced(to seconds: Double) {
        if isLive { outbox.progress(seconds) } else { report.add(.advanced(to: seconds)) }
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
        guard isLive, pauseLength == nil, let due, samples.count >= due, threads.isIdle else { return }
        self.due = samples.count + max(Length.interval, Int(Length.intervalPart * Double(samples.count)))
        let piece = Piece(samples)
        shown = piece
        threads.add(piece)
        report.add(.show(piece, settles: false))
    }
}
