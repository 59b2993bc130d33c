import Synchronization

/// A clock that a test sets.
final class SettableClock: Sendable {
    private struct State {
        var instant = ContinuousClock.now
        var step = Duration.zero
    }

    private let state = Mutex(State())

    var stepAtEachReading: Duration {
        get { state.withLock { $0.step } }
        set { state.withLock { $0.step = newValue } }
    }

    func now() -> ContinuousClock.Instant {
        state.withLock { state in
            state.instant += state.step
            return state.instant
        }
    }

    func advance(by duration: Duration) { state.withLock { $0.instant += duration } }
}
