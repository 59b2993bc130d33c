import Authorization
import Base
import CALSA
import Glibc
import LinuxSystem
import Speech
import Synchronization

/// An open ALSA device. Releasing it, or cancelling the task that reads it, closes the device as `stop()` does.
final class ALSACaptureStream: CaptureStream {
    private let device: ALSADeviceName
    private let control: CaptureControl
    private let queue: CaptureQueue
    private let held: HeldDevices
    private let closingTime: Duration

    /// - Parameter closingTime: how long closing may take; then the device counts as held.
    init(
        _ device: ALSADeviceName, control: CaptureControl, queue: CaptureQueue, held: HeldDevices, closingTime: Duration
    ) {
        self.device = device
        self.control = control
        self.queue = queue
        self.held = held
        self.closingTime = closingTime
    }

    deinit { control.stop(.dropping) }

    var events: AsyncStream<CaptureEvent> {
        // Retains `self`, so that the device stays open for a reader that has only the stream.
        AsyncStream(unfolding: { await self.queue.next() }, onCancel: { [control] in control.stop(.dropping) })
    }

    func stop() async -> CaptureEnd {
        // At once, not when the thread notices: no frame is delivered after this call.
        queue.drop()
        control.stop(.dropping)
        return await end()
    }

    func finish() async -> CaptureEnd {
        control.stop(.delivering)
        let end = await end()
        // A thread that hangs in closing has queued everything that it read.
        queue.close(nil)
        return end
    }

    private func end() async -> CaptureEnd {
        // One wait for the deadline is enough.
        let limit = held.contains(control.closing) ? .zero : closingTime
        let isClosed = await control.closed(within: limit)
        if !isClosed { held.hold(device.text, until: control.closing) }
        return CaptureEnd(captured: control.captured, isClosed: isClosed)
    }
}

/// Devices that did not close in time: libasound has no timeout, and a driver or a sound server can hang. Nothing reads them,
/// but only their own closing or the end of the process releases them.
public final class HeldDevices: Sendable {
    private let held = Mutex<[ObjectIdentifier: String]>([:])
    private let onChange: @Sendable (Set<String>) -> Void

    /// - Parameter onChange: called with the names of all that are held, in order; must not block.
    public init(onChange: @escaping @Sendable (Set<String>) -> Void = { _ in }) { self.onChange = onChange }

    func contains(_ device: String) -> Bool { held.withLock { $0.values.contains(device) } }

    func contains(_ closing: Latch<Void>) -> Bool { held.withLock { $0[ObjectIdentifier(closing)] != nil } }

    /// - Parameter closing: of one capture; a second call for it has no effect.
    func hold(_ device: String, until closing: Latch<Void>) {
        guard change({ $0.updateValue(device, forKey: ObjectIdentifier(closing)) == nil }) else { return }
        closing.onSet { [weak self, weak closing] in
            guard let self, let closing else { return }
            change { $0.removeValue(forKey: ObjectIdentifier(closing)) != nil }
        }
    }

    /// - Parameter body: returns whether it has changed anything.
    @discardableResult
    private func change(_ body: (inout [ObjectIdentifier: String]) -> Bool) -> Bool {
        // Within the lock, so that no handler sees an older state after a newer one.
        held.withLock { held in
            guard body(&held) else { return false }
            onChange(Set(held.values))
            return true
        }
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

    /// Nothing is delivered after this call, not even what was queued.
    func drop() { events.replace(nil) }

    /// Drops what is queued; only `last` is delivered after this call.
    func fail(_ last: CaptureEvent) { events.close(last, droppingUnread: true) }

    /// Queued audio is still delivered, and then `last`.
    func close(_ last: CaptureEvent?) { events.close(last) }

    func next() async -> CaptureEvent? {
        let event = await events.next()
        if case .frames(let frames)? = event { waitingFrames.subtract(frames.samples.count, ordering: .relaxed) }
        return event
    }
}

/// What a stream and its thread signal to each other: stop, and closed.
final class CaptureControl: Sendable {
    enum Stop: Sendable {
        /// Captured audio is still delivered.
        case delivering
        case dropping
    }

    /// Set when the thread has closed the device.
    let closing = Latch<Void>()
    let wake: WakePipe
    private let stopping = Latch<Stop>()
    private let position = Atomic<Int64>(0)

    init(wake: WakePipe) { self.wake = wake }

    /// The first request; `nil`: none yet.
    var requestedStop: Stop? { stopping.reason }

    /// Index of the next frame, including lost frames. Set by the thread alone.
    var captured: Int64 {
        get { position.load(ordering: .acquiring) }
        set { position.store(newValue, ordering: .releasing) }
    }

    func stop(_ stop: Stop) {
        stopping.set(stop)
        wake.wake()
    }

    /// Returns when the thread has closed the device, or after the limit, also in a cancelled task.
    ///
    /// - Returns: whether it is closed.
    func closed(within limit: Duration) async -> Bool {
        await Task { await closing.value(within: limit) != nil }.value
    }
}
