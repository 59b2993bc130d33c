import RecognizerProtocol
import Speech
import Synchronization

/// Sends the replies of two threads in the order of the speech: the start of an utterance is held back until the one before
/// it is decoded.
public final class Outbox: Sendable {
    private struct State {
        /// The number of the next utterance whose final text is sent.
        var next = 0
        /// Utterances that began before their turn.
        var starts: [Int: Double] = [:]
        var progress = 0.0
        var duration: Double?
        /// Why the rest of the file is missing.
        var incompleteness: String?
        /// The last reply was sent.
        var hasFailed = false
    }

    private let isFile: Bool
    private let state = Mutex(State())
    private let write: @Sendable (WorkerReply) -> Void

    /// - Parameters:
    ///   - isFile: progress is reported to the client, with the file's length.
    ///   - write: is called by one thread at a time.
    public init(isFile: Bool, write: @escaping @Sendable (WorkerReply) -> Void) {
        self.isFile = isFile
        self.write = write
    }

    /// A decoder has failed. Nothing is sent after this: the texts would miss what was said.
    public func failed(_ error: RecognitionError) {
        state.withLock {
            send(.recognized(.failed(error)), $0)
            $0.hasFailed = true
        }
    }

    private func send(_ reply: WorkerReply, _ state: borrowing State) {
        if !state.hasFailed { write(reply) }
    }

    /// - Parameter duration: of the file, if its header states it.
    public func opened(duration: Double?) {
        state.withLock {
            $0.duration = duration
            send(.recognized(.progress(seconds: 0, duration: duration)), $0)
        }
    }

    public func speechStarted(_ utterance: Int, at time: Double) {
        state.withLock {
            $0.starts[utterance] = time
            if $0.next == utterance { send(.recognized(.speechStarted(at: time)), $0) }
        }
    }

    /// - Parameter partial: of the utterance that is decoded now.
    public func partial(_ partial: PartialTranscript) {
        state.withLock { send(.recognized(.partial(partial)), $0) }
    }

    /// The sound of the utterance whose final text is next.
    public func sound(_ samples: [Int16]) {
        state.withLock { state in
            var rest = samples[...]
            while !rest.isEmpty {
                send(.recognized(.sound(Array(rest.prefix(WorkerRequest.largestPiece / 2)))), state)
                rest = rest.dropFirst(WorkerRequest.largestPiece / 2)
            }
        }
    }

    public func final(_ utterance: Int, _ transcript: Transcript) {
        state.withLock {
            send(.recognized(.final(transcript)), $0)
            $0.starts[utterance] = nil
            $0.next = utterance + 1
            if let start = $0.starts[$0.next] { send(.recognized(.speechStarted(at: start)), $0) }
        }
    }

    /// Sends at most one reply for each second of audio.
    public func progress(_ time: Double) {
        state.withLock {
            guard time >= $0.progress + 1 else { return }
            $0.progress = time
            send(isFile ? .recognized(.progress(seconds: time, duration: $0.duration)) : .progress(time), $0)
        }
    }

    /// A part of the work on the audio that was read is done: the same progress again, so that the service knows that the worker
    /// does not hang.
    public func worked() {
        state.withLock {
            if !isFile { send(.progress($0.progress), $0) }
        }
    }

    public func learnt(_ mean: CepstralMean) {
        state.withLock { send(.recognized(.learnt(mean)), $0) }
    }

    /// The rest of the file cannot be read; its client learns it after the last text.
    public func incomplete(_ reason: String) { state.withLock { $0.incompleteness = reason } }

    public func finished(duration: Double) {
        state.withLock {
            if let reason = $0.incompleteness { send(.recognized(.incomplete(reason)), $0) }
            send(.recognized(.finished(duration: duration)), $0)
        }
    }
}
