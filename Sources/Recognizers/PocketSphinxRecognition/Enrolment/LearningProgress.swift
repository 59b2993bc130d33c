import Synchronization

/// How much of the work is done, counted by two threads.
final class LearningProgress: Sendable {
    private let state = Mutex((done: 0, steps: 1))
    private let tell: @Sendable (Double) -> Void

    init(tell: @escaping @Sendable (Double) -> Void) { self.tell = tell }

    func begin(steps: Int) { state.withLock { $0 = (0, max(steps, 1)) } }

    func step() {
        // Told under the lock, so that shares do not overtake each other.
        state.withLock {
            $0.done += 1
            tell(min(Double($0.done) / Double($0.steps), 1))
        }
    }
}
