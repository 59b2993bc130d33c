import Authorization
import Speech
import Synchronization

/// A device whose every frame the test hands out itself. Notes `open DEVICE` and `close`.
final class StandInMicrophone: MicrophoneSource, CaptureStream {
    let events: AsyncStream<CaptureEvent>

    private let queue: AsyncStream<CaptureEvent>.Continuation
    private let notes: Recorder<String>
    private let failure = Mutex<CaptureError?>(nil)
    private let isOpen = Mutex(false)

    init(notes: Recorder<String>) {
        self.notes = notes
        (events, queue) = AsyncStream.makeStream()
    }

    /// Every opening fails with this from now on.
    func fail(with error: CaptureError) { failure.withLock { $0 = error } }

    func send(_ event: CaptureEvent) { queue.yield(event) }

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

    func stop() async {
        guard isOpen.withLock({ exchangeWithFalse(&$0) }) else { return }
        notes.add("close")
        queue.finish()
    }

    private func exchangeWithFalse(_ value: inout Bool) -> Bool {
        defer { value = false }
        return value
    }
}
