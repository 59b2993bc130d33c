import Authorization
import Speech
import Synchronization
import TestSupport

/// A device whose every frame the test hands out itself. Notes `open DEVICE` and `close`.
final class StandInMicrophone: MicrophoneSource, CaptureStream {
    let events: AsyncStream<CaptureEvent>

    private let queue: EventQueue<CaptureEvent>
    private let notes: Recorder<String>
    private let failure = Mutex<CaptureError?>(nil)
    private let isOpen = Mutex(false)
    private let hangs = Mutex(false)
    private let captured = Mutex<Int64>(0)

    init(notes: Recorder<String>) {
        self.notes = notes
        let queue = EventQueue<CaptureEvent>()
        self.queue = queue
        events = AsyncStream { await queue.next() }
    }

    /// It does not close from now on.
    func hangInClosing() { hangs.withLock { $0 = true } }

    /// Every opening fails with this from now on.
    func fail(with error: CaptureError) { failure.withLock { $0 = error } }

    func send(_ event: CaptureEvent) {
        if case .frames(let frames) = event {
            captured.withLock { $0 = max($0, frames.position + Int64(frames.samples.count)) }
        }
        queue.append(event)
    }

    /// A hundredth of a second, or as many samples as given.
    func speak(at position: Int64, _ samples: [Int16] = Array(repeating: 1, count: 160)) {
        send(.frames(Frames(samples: samples, position: position)))
    }

    func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream {
        if let error = failure.withLock({ $0 }) { throw error }
        guard grant.lease.isLive else {
            throw CaptureError(code: .permissionEnded, device: device, message: "The permission ended.")
        }
        notes.add("open \(device) \(onLoss)")
        isOpen.withLock { $0 = true }
        return self
    }

    func devices() async -> [CaptureDevice] { [] }

    func stop() async -> CaptureEnd {
        queue.replace(nil)
        return close()
    }

    func finish() async -> CaptureEnd {
        queue.close(nil)
        return close()
    }

    private func close() -> CaptureEnd {
        if isOpen.withLock({ exchangeWithFalse(&$0) }) { notes.add("close") }
        return CaptureEnd(captured: captured.withLock { $0 }, isClosed: !hangs.withLock { $0 })
    }

    private func exchangeWithFalse(_ value: inout Bool) -> Bool {
        defer { value = false }
        return value
    }
}
