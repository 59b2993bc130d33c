import Authorization
import Speech
import Synchronization

/// Carries events from the capture thread to one reader.
///
/// `AsyncStream`'s own buffer would hand on what was queued before a permission ended; here each run of frames is held
/// against the lease when it leaves the queue.
final class EventQueue: Sendable {
    private struct State {
        var events: [CaptureEvent] = []
        /// Index of the next event; the ones before it are gone.
        var head = 0
        var framesWaiting = 0
        var isFinished = false
        var reader: CheckedContinuation<CaptureEvent?, Never>?
    }

    private let state = Mutex(State())
    private let lease: Lease
    private let capacity: Int

    /// - Parameter capacity: frames that may wait; those that come while it is full are counted as an overrun.
    init(lease: Lease, capacity: Int) {
        self.lease = lease
        self.capacity = capacity
    }

    func append(_ event: CaptureEvent) {
        state.withLock { state in
            guard !state.isFinished else { return }
            switch event {
            case .frames(let frames):
                guard lease.isLive else { return }
                if state.framesWaiting + frames.samples.count > capacity {
                    Self.append(&state, .overrun(lostFrames: Int64(frames.samples.count)))
                } else {
                    state.framesWaiting += frames.samples.count
                    Self.append(&state, event)
                }
            default: Self.append(&state, event)
            }
            deliver(&state)
        }
    }

    /// Nothing leaves the queue after this call but `last`, and then the stream ends.
    func finish(_ last: CaptureEvent?) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            Self.dropAllButFailure(&state)
            if let last { Self.append(&state, last) }
            deliver(&state)
        }
    }

    /// As `finish`, but what was captured before the device failed is still handed on.
    func finishAfterFrames(_ last: CaptureEvent) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            Self.append(&state, last)
            deliver(&state)
        }
    }

    /// - Returns: `nil` when the stream has ended. For one reader at a time; a second one gets `nil`.
    func next() async -> CaptureEvent? {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                guard state.reader == nil else { return continuation.resume(returning: nil) }
                state.reader = continuation
                deliver(&state)
            }
        }
    }

    private func deliver(_ state: inout State) {
        guard let reader = state.reader else { return }
        if !lease.isLive { Self.dropAllButFailure(&state) }
        if state.head < state.events.count {
            let event = state.events[state.head]
            state.head += 1
            if case .frames(let frames) = event { state.framesWaiting -= frames.samples.count }
            if state.head == state.events.count {
                state.events.removeAll(keepingCapacity: true)
                state.head = 0
            } else if state.head == 1024 {
                state.events.removeFirst(state.head)
                state.head = 0
            }
            state.reader = nil
            reader.resume(returning: event)
        } else if state.isFinished {
            state.reader = nil
            reader.resume(returning: nil)
        }
    }

    private static func append(_ state: inout State, _ event: CaptureEvent) {
        if case .overrun(let lost) = event, state.head < state.events.count,
            case .overrun(let before) = state.events[state.events.count - 1]
        {
            state.events[state.events.count - 1] = .overrun(lostFrames: before + lost)
        } else {
            state.events.append(event)
        }
    }

    private static func dropAllButFailure(_ state: inout State) {
        state.events = state.events[state.head...].filter {
            if case .failed = $0 { true } else { false }
        }
        state.head = 0
        state.framesWaiting = 0
    }
}
