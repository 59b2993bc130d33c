import Speech
import Synchronization

/// Whether an opening still waits: the device's thread and the deadline both have a word, and the first counts.
final class Opening: Sendable {
    private let waiting: Mutex<CheckedContinuation<CaptureError?, Never>?>

    init(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting = Mutex(continuation) }

    /// - Returns: whether this word was the first.
    @discardableResult
    func end(with failure: CaptureError?) -> Bool {
        let continuation = waiting.withLock { $0.take() }
        continuation?.resume(returning: failure)
        return continuation != nil
    }
}
