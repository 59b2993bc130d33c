import Synchronization

/// The tasks of the open connections: counted, and cancelled together.
final class ConnectionTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var open = 0
        var isStopping = false
    }

    /// Connections at a time. Each may stream for hours, so they are counted and not queued.
    static let most = 256

    private let state = Mutex(State())

    /// - Returns: `false` when there are too many, or the server stops; the connection is then to be closed.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isStopping, state.open < Self.most else { return false }
            state.open += 1
            return true
        }
    }

    func leave() { state.withLock { $0.open -= 1 } }

    func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            let task = Task {
                await work()
                self.state.withLock { $0.tasks[number] = nil }
            }
            state.tasks[number] = task
            if state.isStopping { task.cancel() }
        }
    }

    /// Cancels all and returns when they have ended.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopping = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
