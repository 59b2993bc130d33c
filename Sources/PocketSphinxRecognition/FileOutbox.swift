import Recognition
import RecognizerProtocol
import Synchronization

/// Brings what several decoders found into the order in which it was spoken, and tells how far all is done.
final class FileOutbox: Sendable {
    private struct State {
        /// Utterances that were told of; the next one to be told of has this number.
        var told = 0
        /// Those that are ready before their turn.
        var waiting: [Int: [WorkerReply]] = [:]
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
    ///
    /// - Parameter decibels: of its speech above its noise; with too few of them its words are not told.
    func final(_ utterance: Int, _ transcript: Transcript, decibels: Double) {
        var replies = [WorkerReply.recognized(.speechStarted(at: transcript.start))]
        if decibels < NoiseMeter.needed, !transcript.text.isEmpty {
            replies += [.recognized(.noisy(decibels: decibels)), .recognized(.final(transcript.withoutWords))]
        } else {
            replies.append(.recognized(.final(transcript)))
        }
        state.withLock {
            $0.waiting[utterance] = replies
            while let next = $0.waiting.removeValue(forKey: $0.told) {
                $0.told += 1
                for reply in next { send(reply) }
                if case .recognized(.final(let transcript))? = next.last { tell(transcript.end, &$0) }
            }
        }
    }

    /// The file was read up to here.
    ///
    /// - Parameter utterances: how many began before.
    func read(to seconds: Double, utterances: Int) {
        state.withLock { if $0.told == utterances { tell(seconds, &$0) } }
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
