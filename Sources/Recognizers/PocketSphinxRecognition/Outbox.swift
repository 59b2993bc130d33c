import RecognizerProtocol
import Speech
import Synchronization

/// Brings the replies of two threads into the order in which they were spoken: while an utterance is decoded again, what is
/// said about the next one waits.
final class Outbox: Sendable {
    private struct State {
        /// Utterances whose final text was told; the next one to be told of has this number.
        var told = 0
        var starts: [Int: Double] = [:]
        var partials: [Int: PartialTranscript] = [:]
        var progress = 0.0
    }

    private let state = Mutex(State())
    private let send: @Sendable (WorkerReply) -> Void

    /// - Parameter send: is called by one thread at a time.
    init(send: @escaping @Sendable (WorkerReply) -> Void) {
        self.send = send
    }

    func speechStarted(_ utterance: Int, at time: Double) {
        state.withLock {
            $0.starts[utterance] = time
            if $0.told == utterance { send(.recognized(.speechStarted(at: time))) }
        }
    }

    func partial(_ utterance: Int, _ partial: PartialTranscript) {
        state.withLock {
            if $0.told == utterance { send(.recognized(.partial(partial))) } else { $0.partials[utterance] = partial }
        }
    }

    func final(_ utterance: Int, _ understanding: Understanding) {
        final(utterance, understanding.transcript, noise: understanding.noise)
    }

    /// - Parameter noise: decibels of the utterance where that is to be told first.
    func final(_ utterance: Int, _ transcript: Transcript, noise: Double? = nil) {
        state.withLock {
            if let noise { send(.recognized(.noisy(decibels: noise))) }
            send(.recognized(.final(transcript)))
            $0.starts[utterance] = nil
            $0.told = utterance + 1
            if let start = $0.starts[$0.told] { send(.recognized(.speechStarted(at: start))) }
            if let partial = $0.partials.removeValue(forKey: $0.told) { send(.recognized(.partial(partial))) }
        }
    }

    /// Tells at most once for each second of audio.
    func progress(_ time: Double) {
        state.withLock {
            guard time >= $0.progress + 1 else { return }
            $0.progress = time
            send(.progress(time))
        }
    }

    func learnt(_ mean: CepstralMean) {
        state.withLock { _ in send(.recognized(.learnt(mean))) }
    }

    func finished(duration: Double) {
        state.withLock { _ in send(.recognized(.finished(duration: duration))) }
    }
}
