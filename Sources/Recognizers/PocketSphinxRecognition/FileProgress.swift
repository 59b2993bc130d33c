import RecognizerProtocol
import Synchronization

/// Turns the signs of life of a session that reads a file into what a client is told: how far it is, and of how much.
final class FileProgress: Sendable {
    private let isFile: Bool
    private let duration = Mutex<Double?>(nil)
    private let onward: @Sendable (WorkerReply) -> Void

    init(isFile: Bool, send: @escaping @Sendable (WorkerReply) -> Void) {
        self.isFile = isFile
        self.onward = send
    }

    func opened(duration: Double?) {
        self.duration.withLock { $0 = duration }
        onward(.recognized(.progress(seconds: 0, duration: duration)))
    }

    @Sendable func send(_ reply: WorkerReply) {
        guard isFile, case .progress(let seconds) = reply else { return onward(reply) }
        onward(.recognized(.progress(seconds: seconds, duration: duration.withLock { $0 })))
    }
}
