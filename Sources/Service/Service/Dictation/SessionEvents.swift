import Speech
import Synchronization

/// A session's events for a client that may read slowly. The session never waits for it.
///
/// Unread words are dropped when the permission ends. A client that leaves an event unread for too long counts as
/// disconnected, so that it cannot keep a microphone open by not reading.
final class SessionEvents: AsyncSequence, Sendable {
    typealias Element = TimedDictationEvent

    private struct State {
        var waiting: [TimedDictationEvent] = []
        var isOver = false
        var failure: (any Error)?
        var reader: CheckedContinuation<Void, Never>?
        var isRead = false
        var whenRead: [CheckedContinuation<Void, Never>] = []
    }

    private static let permissionEnds: Set<DictationEnding> = [.revoked, .restricted, .muted, .background]

    private let state = Mutex(State())
    /// Seconds of the session between its newest event and the oldest unread one.
    private let timeout: Double
    private let passing: @Sendable (TimedDictationEvent) -> TimedDictationEvent?
    private let onTimeout: @Sendable () -> Void

    /// - Parameter passing: what the client may have of an event when it is read; fidelity may have been lowered meanwhile.
    init(
        timeout: Double = 30, passing: @escaping @Sendable (TimedDictationEvent) -> TimedDictationEvent? = { $0 },
        onTimeout: @escaping @Sendable () -> Void
    ) {
        self.timeout = timeout
        self.passing = passing
        self.onTimeout = onTimeout
    }

    func send(_ event: TimedDictationEvent) {
        let (isTooLate, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            if case .ended(let ending, _) = event.event, Self.permissionEnds.contains(ending) {
                state.waiting = []
            }
            state.waiting.append(event)
            return (event.time - (state.waiting.first?.time ?? event.time) > timeout, state.reader.take())
        }
        reader?.resume()
        if isTooLate { onTimeout() }
    }

    /// Ends the events, with an error if the session could not start.
    func finish(throwing failure: (any Error)? = nil) {
        let reader = state.withLock { state in
            state.isOver = true
            state.failure = failure
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Returns when the reader has read the last event, or after the limit: then the connection may be closed.
    func whenRead(within limit: Duration) async {
        let timeout = Task {
            try? await Task.sleep(for: limit)
            markRead()
        }
        await withCheckedContinuation { continuation in
            let isRead = state.withLock { state in
                if !state.isRead { state.whenRead.append(continuation) }
                return state.isRead
            }
            if isRead { continuation.resume() }
        }
        timeout.cancel()
    }

    private func markRead() {
        let waiting = state.withLock { state in
            state.isRead = true
            defer { state.whenRead = [] }
            return state.whenRead
        }
        for continuation in waiting { continuation.resume() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    struct Iterator: AsyncIteratorProtocol {
        let events: SessionEvents

        func next() async throws -> TimedDictationEvent? { try await events.next() }
    }

    /// For one reader. Ends early if the reader's task is cancelled.
    private func next() async throws -> TimedDictationEvent? {
        while true {
            let (event, isOver, failure) = state.withLock { state in
                let event = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                return (event, state.isOver, state.failure)
            }
            if let event {
                guard let event = passing(event) else { continue }
                return event
            }
            if failure != nil || isOver || Task.isCancelled { markRead() }
            if let failure { throw failure }
            if isOver || Task.isCancelled { return nil }
            await wait()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasNews = state.withLock { state in
                    if !state.waiting.isEmpty || state.isOver || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if hasNews { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume()
        }
    }
}
