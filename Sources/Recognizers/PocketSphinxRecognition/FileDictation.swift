import RecognizerProtocol
import Speech
import Synchronization

/// Final texts of a file, by one or more decoders, in order. Each utterance is decoded from a fresh state, so that its
/// words do not depend on which decoder takes it.
final class FileDictation: UtteranceStrategy {
    /// Times are rounded to milliseconds on their way to a client and back.
    private static let tolerance = 0.005

    private let decoders: DecoderThreads
    private let outbox: FileOutbox
    /// Utterances that end before this time were sent by an earlier session.
    private let from: Double
    private var begun = 0
    private var queued = 0

    init(from: Double, decoders: DecoderThreads, outbox: FileOutbox) {
        self.from = from
        self.decoders = decoders
        self.outbox = outbox
    }

    func opened(duration: Double?) { outbox.opened(duration: duration) }

    func began(_ number: Int, at start: Double) { begun += 1 }

    func ended(_ utterance: Utterance) {
        // The same audio is cut in the same places again, so the rest is as without the interruption.
        guard utterance.start >= from - Self.tolerance else {
            begun -= 1
            return
        }
        let number = queued
        queued += 1
        decoders.perform { [outbox] in outbox.final(number, $0.understanding(of: utterance)) }
    }

    func advanced(to seconds: Double) {
        if begun == queued { outbox.read(to: seconds, utterances: queued) }
    }

    func finish(duration: Double) {
        decoders.finish()
        outbox.finished(duration: duration)
    }
}

/// Sends what several decoders found in the order of the speech, and how much of the file is done.
final class FileOutbox: Sendable {
    private struct State {
        /// The number of the next utterance to send.
        var next = 0
        /// Utterances that were decoded before their turn.
        var waiting: [Int: Understanding] = [:]
        /// How far the file was read, and how many utterances had begun by then.
        var read: (seconds: Double, utterances: Int)?
        var duration: Double?
        /// The last progress that was sent, in seconds.
        var progress = -1.0
    }

    private let state = Mutex(State())
    private let send: @Sendable (WorkerReply) -> Void

    /// - Parameter send: is called by one thread at a time.
    init(send: @escaping @Sendable (WorkerReply) -> Void) {
        self.send = send
    }

    /// - Parameter duration: of the file, if its header states it.
    func opened(duration: Double?) {
        state.withLock {
            $0.duration = duration
            sendProgress(0, &$0)
        }
    }

    /// An utterance is decoded. In any order.
    func final(_ utterance: Int, _ understanding: Understanding) {
        state.withLock {
            $0.waiting[utterance] = understanding
            while let next = $0.waiting.removeValue(forKey: $0.next) {
                $0.next += 1
                send(.recognized(.speechStarted(at: next.transcript.start)))
                if let noise = next.noise { send(.recognized(.noisy(decibels: noise))) }
                send(.recognized(.final(next.transcript)))
                sendProgress(next.transcript.end, &$0)
            }
            if let read = $0.read, $0.next == read.utterances { sendProgress(read.seconds, &$0) }
        }
    }

    /// The file was read up to here.
    ///
    /// - Parameter utterances: how many began before.
    func read(to seconds: Double, utterances: Int) {
        state.withLock {
            $0.read = (seconds, utterances)
            if $0.next == utterances { sendProgress(seconds, &$0) }
        }
    }

    func finished(duration: Double) {
        state.withLock { _ in send(.recognized(.finished(duration: duration))) }
    }

    /// At most once for each second of audio.
    private func sendProgress(_ seconds: Double, _ state: inout State) {
        guard seconds >= state.progress + 1 else { return }
        state.progress = seconds
        send(.recognized(.progress(seconds: seconds, duration: state.duration)))
    }
}
