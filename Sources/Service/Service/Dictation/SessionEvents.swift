import Speech
import Synchronization

/// A session's events on their way to a client that may read slowly. The session never waits for it.
///
/// Words that were not read yet are dropped when the permission ends. A client that leaves an event unread for too long
/// counts as gone, so that it cannot hold a microphone by not reading.
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
    private let patience: Double
    private let passing: @Sendable (TimedDictationEvent) -> TimedDictationEvent?
    private let onGivingUp: @Sendable () -> Void

    /// - Parameter passing: what an event is when it is read; fidelity may have been lowered since it was told.
    init(
        patience: Double = 30, passing: @escaping @Sendable (TimedDictationEvent) -> TimedDictationEvent? = { $0 },
        onGivingUp: @escaping @Sendable () -> Void
    ) {
        self.patience = patience
        self.passing = passing
        self.onGivingUp = onGivingUp
    }

    func send(_ event: TimedDictationEvent) {
        let (isTooLate, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            if case .ended(let ending, _) = event.event, Self.permissionEnds.contains(ending) {
                state.waiting = []
            }
            state.waiting.append(event)
            return (event.time - (state.waiting.first?.time ?? event.time) > patience, state.reader.take())
        }
        reader?.resume()
        if isTooLate { onGivingUp() }
    }

    /// No further event comes; with an error where the session could not begin.
    func finish(throwing failure: (any Error)? = nil) {
        let reader = state.withLock { state in
            state.isOver = true
            state.failure = failure
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Returns when the reader has come to the end, or when the time is over: the last event is on its way then, and its
    /// connection may be closed.
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

    /// For one reader. Ends early when the reader's task is cancelled.
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
