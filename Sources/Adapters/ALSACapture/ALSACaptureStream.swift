import Authorization
import CALSA
import Glibc
import LinuxSystem
import Speech
import Synchronization

/// An open ALSA device. Releasing it, or cancelling the task that reads it, closes the device as `stop()` does.
final class ALSACaptureStream: CaptureStream {
    private let control: CaptureControl
    private let queue: CaptureQueue

    init(control: CaptureControl, queue: CaptureQueue) {
        self.control = control
        self.queue = queue
    }

    deinit { control.stop() }

    var events: AsyncStream<CaptureEvent> {
        // Retains `self`, so that the device stays open for a reader that has only the stream.
        AsyncStream(unfolding: { await self.queue.next() }, onCancel: { [control] in control.stop() })
    }

    func stop() async {
        // At once, not when the thread notices: no frame is delivered after this call.
        queue.finish(nil)
        control.stop()
        await control.closed()
    }
}

/// Events from the capture thread to the stream's reader. The lease is asked when frames enter and when they leave.
final class CaptureQueue: Sendable {
    private let events: EventQueue<CaptureEvent>
    private let lease: Lease
    private let capacity: Int
    /// Frames that wait, or a few more: counted, because the capture thread must not become slower as the reader falls behind.
    private let waitingFrames = Atomic(0)

    /// - Parameter capacity: frames that may wait; further ones are counted as an overrun.
    init(lease: Lease, capacity: Int) {
        self.lease = lease
        self.capacity = capacity
        events = EventQueue(lease: lease) { if case .failed = $0 { true } else { false } }
    }

    func append(_ event: CaptureEvent) {
        var event = event
        if case .frames(let frames) = event {
            guard lease.isLive else { return }
            let count = frames.samples.count
            if waitingFrames.add(count, ordering: .relaxed).newValue > capacity {
                waitingFrames.subtract(count, ordering: .relaxed)
                event = .overrun(lostFrames: Int64(count))
            }
        }
        events.change { [event] waiting in
            if case .overrun(let lost) = event, case .overrun(let before)? = waiting.last {
                waiting[waiting.count - 1] = .overrun(lostFrames: before + lost)
            } else {
                waiting.append(event)
            }
        }
    }

    /// Only `last` is delivered after this call.
    func finish(_ last: CaptureEvent?) { events.close(last, droppingUnread: true) }

    /// As `finish`, but frames that were captured before the failure are still delivered.
    func finishAfterFrames(_ last: CaptureEvent) { events.close(last) }

    func next() async -> CaptureEvent? {
        let event = await events.next()
        if case .frames(let frames)? = event { waitingFrames.subtract(frames.samples.count, ordering: .relaxed) }
        return event
    }
}

/// What a stream and its thread signal to each other: stop, and closed.
final class CaptureControl: Sendable {
    private let stopping = Latch<Void>()
    private let closing = Latch<Void>()
    let wake: WakePipe

    init(wake: WakePipe) { self.wake = wake }

    var isStopping: Bool { stopping.reason != nil }

    func stop() {
        stopping.set()
        wake.wake()
    }

    /// Returns when the thread has closed the device.
    func closed() async { await closing.value }

    func didClose() { closing.set() }
}
