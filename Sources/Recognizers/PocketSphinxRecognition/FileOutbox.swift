import RecognizerProtocol
import Speech
import Synchronization

/// Brings what several decoders found into the order in which it was spoken, and tells how far all is done.
final class FileOutbox: Sendable {
    private struct State {
        /// Utterances that were told of; the next one to be told of has this number.
        var told = 0
        /// Those that are ready before their turn.
        var waiting: [Int: Understanding] = [:]
        /// How far the file was read, and how many utterances had begun by then.
        var read: (seconds: Double, utterances: Int)?
        var duration: Double?
        /// Seconds that were told as done.
        var progress = -1.0
    }

    private let state = Mutex(State())
    private let send: @Sendable (WorkerReply) -> Void

    /// - Parameter send: is called by one thread at a time.
    init(send: @escaping @Sendable (WorkerReply) -> Void) {
        self.send = send
    }

    func opened(duration: Double?) {
        state.withLock {
            $0.duration = duration
            tell(0, &$0)
        }
    }

    /// An utterance is decoded. In any order.
    func final(_ utterance: Int, _ understanding: Understanding) {
        state.withLock {
            $0.waiting[utterance] = understanding
            while let next = $0.waiting.removeValue(forKey: $0.told) {
                $0.told += 1
                send(.recognized(.speechStarted(at: next.transcript.start)))
                if let noise = next.noise { send(.recognized(.noisy(decibels: noise))) }
                send(.recognized(.final(next.transcript)))
                tell(next.transcript.end, &$0)
            }
            if let read = $0.read, $0.told == read.utterances { tell(read.seconds, &$0) }
        }
    }

    /// The file was read up to here.
    ///
    /// - Parameter utterances: how many began before.
    func read(to seconds: Double, utterances: Int) {
        state.withLock {
            $0.read = (seconds, utterances)
            if $0.told == utterances { tell(seconds, &$0) }
        }
    }

    func finished(duration: Double) {
        state.withLock { _ in send(.recognized(.finished(duration: duration))) }
    }

    /// At most once for each second of audio.
    private func tell(_ seconds: Double, _ state: inout State) {
        guard seconds >= state.progress + 1 else { return }
        state.progress = seconds
        send(.recognized(.progress(seconds: seconds, duration: state.duration)))
    }
}
