import Synchronization

/// What a stream and its thread tell each other: stop, and closed.
final class CaptureControl: Sendable {
    private struct State {
        var isStopping = false
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let wake: WakeDescriptor

    init(wake: WakeDescriptor) { self.wake = wake }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func stop() {
        state.withLock { $0.isStopping = true }
        wake.wake()
    }

    /// Returns when the thread has closed the device.
    func closed() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.waiting.append(continuation) }
                return state.isClosed
            }
            if isClosed { continuation.resume() }
        }
    }

    func didClose() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
