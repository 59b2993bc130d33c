import Base
import Speech
import Synchronization

/// A session's events for a client that may read slowly. The session never waits for it.
///
/// Unread words are dropped when the permission ends. A client that leaves an event unread for too long stalls, so
/// that it cannot keep a microphone open by not reading.
package final class SessionEvents: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private static let permissionEnds: Set<DictationEnding> = [.revoked, .restricted, .muted, .background]

    private struct State {
        /// Unread, each with the session's seconds since when there is something unread in its place.
        var waiting: [(event: TimedDictationEvent, since: Double)] = []
        var end: Result<Void, any Error>?
    }

    private let state = Mutex(State())
    /// Wakes the reader; one element waits for it at most.
    private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let read = Latch<Void>()
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
        let isTooLate = state.withLock { state in
            if case .ended(let ending, _) = event.event, Self.permissionEnds.contains(ending) { state.waiting = [] }
            var since = event.time
            if case .partial = event.event, case .partial? = state.waiting.last?.event.event {
                // Only the newest live text matters.
                since = state.waiting.removeLast().since
            }
            state.waiting.append((event, since))
            return event.time - (state.waiting.first?.since ?? event.time) > timeout
        }
        change.yield()
        if isTooLate { onTimeout() }
    }

    func finish(throwing failure: (any Error)? = nil) {
        state.withLock { $0.end = failure.map { .failure($0) } ?? .success(()) }
        change.finish()
    }

    /// Returns when the reader has read the last event, or after the limit: then the connection may be closed.
    func whenRead(within limit: Duration) async {
        let (over, isOver) = AsyncStream.makeStream(of: Void.self)
        let registration = read.onSet { isOver.finish() }
        let timer = Task {
            try? await Task.sleep(for: limit)
            isOver.finish()
        }
        for await _ in over {}
        timer.cancel()
        registration.cancel()
    }

    package func makeAsyncIterator() -> SessionEvents { self }

    /// For one reader. Returns `nil` early if the reader's task is cancelled; the events are over for all readers then.
    package func next() async throws -> TimedDictationEvent? {
        while true {
            let (event, end) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst().event, state.end)
            }
            if let event {
                guard let event = passing(event) else { continue }
                return event
            }
            if end == nil, await isChanged() { continue }
            read.set()
            try end?.get()
            return nil
        }
    }

    /// Waits for an event or the end.
    ///
    /// - Returns: `false` if the reader was cancelled, which ends the stream of changes.
    private func isChanged() async -> Bool {
        for await _ in changes { return true }
        return state.withLock { $0.end != nil }
    }
}
