import CALSA
import Glibc
import Speech
import Synchronization

/// An open ALSA device. Letting go of it, or cancelling the task that reads it, closes the device as `stop()` does.
final class ALSACaptureStream: CaptureStream {
    private let control: CaptureControl
    private let queue: EventQueue

    init(control: CaptureControl, queue: EventQueue) {
        self.control = control
        self.queue = queue
    }

    deinit { control.stop() }

    var events: AsyncStream<CaptureEvent> {
        // The stream keeps `self`, so that a reader who holds nothing else keeps the device open.
        AsyncStream(unfolding: { await self.queue.next() }, onCancel: { [control] in control.stop() })
    }

    func stop() async {
        // At once, not when the thread gets to it: no frame leaves after this call.
        queue.finish(nil)
        control.stop()
        await control.closed()
    }
}

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

/// An eventfd: wakes a thread that waits in `poll`. Once woken it stays so.
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    /// - Returns: `nil` when the process has no descriptor left.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func wake() { _ = eventfd_write(descriptor, 1) }

    /// - Returns: whether it was woken within the time.
    func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
