import Authorization
import Speech
import Synchronization
import TestSupport

/// A recogniser that understands what the test tells it to. Notes `start`, `frames POSITION`, `gap POSITION`, `bytes COUNT`, `finish` and `cancel`.
final class StandInRecognizer: Recognizer, RecognitionSession {
    private struct State {
        var failure: RecognitionError?
        var isHeld = false
        var isOver = false
        var held: [CheckedContinuation<Void, Never>] = []
        var configuration: RecognitionConfiguration?
    }

    let events: AsyncStream<RecognitionEvent>

    private let queue: AsyncStream<RecognitionEvent>.Continuation
    private let notes: Recorder<String>
    private let state = Mutex(State())

    init(notes: Recorder<String>) {
        self.notes = notes
        (events, queue) = AsyncStream.makeStream()
    }

    /// What the session asked for.
    var configuration: RecognitionConfiguration? { state.withLock { $0.configuration } }

    /// Every start fails with this from now on.
    func fail(with error: RecognitionError) { state.withLock { $0.failure = error } }

    /// From now on no audio is taken, as by a recogniser that is too far behind, until it is cancelled.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Audio is taken again.
    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func tell(_ event: RecognitionEvent) { queue.yield(event) }

    /// The events end without a last word.
    func vanish() { queue.finish() }

    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        if let error = state.withLock({ $0.failure }) { throw error }
        guard grant.lease.isLive else {
            throw RecognitionError(code: .permissionEnded, message: "The permission ended.")
        }
        state.withLock { $0.configuration = configuration }
        notes.add("start")
        return self
    }

    func accept(_ frames: Frames) async -> Bool {
        // Frames that are noted are taken, unless it is held: a test that waits for the note may end the session at once.
        let isTaken = state.withLock {
            notes.add("frames \(frames.position)")
            return !$0.isHeld && !$0.isOver
        }
        if isTaken { return true }
        await room()
        return state.withLock { !$0.isOver }
    }

    func skip(to position: Int64) async { notes.add("gap \(position)") }

    func accept(file bytes: [UInt8]) async {
        notes.add("bytes \(bytes.count)")
        await room()
    }

    func finish() async { notes.add("finish") }

    func cancel() async {
        let held: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.held = [] }
            return state.held
        }
        guard let held else { return }
        notes.add("cancel")
        queue.finish()
        for continuation in held { continuation.resume() }
    }

    private func room() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.isHeld || state.isOver { return true }
                state.held.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }
}
