import Authorization
import Speech
import Synchronization

/// A recogniser that counts what it is handed and understands nothing: two processors could not run a real one for each of
/// 32 sessions.
final class CountingRecognizer: Recognizer {
    final class Session: RecognitionSession {
        let events: AsyncStream<RecognitionEvent>
        private let queue: AsyncStream<RecognitionEvent>.Continuation
        private let count = Mutex((batches: 0, waiting: [(Int, CheckedContinuation<Void, Never>)]()))

        init() { (events, queue) = AsyncStream.makeStream() }

        var batches: Int { count.withLock { $0.batches } }

        /// Returns when this many batches have come.
        func hasHeard(_ number: Int) async {
            await withCheckedContinuation { continuation in
                let isDue = count.withLock { state in
                    if state.batches >= number { return true }
                    state.waiting.append((number, continuation))
                    return false
                }
                if isDue { continuation.resume() }
            }
        }

        func accept(_ frames: Frames) async -> Bool {
            let due = count.withLock { state in
                state.batches += 1
                let due = state.waiting.filter { $0.0 <= state.batches }
                state.waiting.removeAll { $0.0 <= state.batches }
                return due
            }
            for (_, continuation) in due { continuation.resume() }
            return true
        }

        func skip(to position: Int64) async {}
        func accept(file bytes: [UInt8]) async {}
        func finish() async { queue.finish() }
        func cancel() async { queue.finish() }
    }

    private let newest = Mutex<Session?>(nil)

    /// The session that was started last.
    var session: Session? { newest.withLock { $0 } }

    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        let session = Session()
        newest.withLock { $0 = session }
        return session
    }
}
