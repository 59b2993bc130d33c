import Dispatch
import Floor
import Foundation
import Glibc
import Synchronization

/// A thread that writes and syncs what a task asks it for, one write at a time: the least that a durable write costs a Swift
/// task, because calls that block do not run on the threads of the tasks. The task wakes this thread, and that a thread of
/// the tasks.
final class SyncingThread: Sendable {
    private struct Write {
        let turn: Int32
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let next = Mutex<Write?>(nil)
    private let isAsked = DispatchSemaphore(value: 0)
    private let file: Int32

    /// - Parameters:
    ///   - path: of a file that is made and removed.
    ///   - size: bytes of a write.
    ///   - count: the most writes.
    init(path: String, size: Int, count: Int) throws {
        file = floor_open(path, size, Int32(count))
        guard file >= 0 else { throw POSIXError(.EIO) }
        Thread.detachNewThread { [self] in
            while true {
                isAsked.wait()
                guard let write = next.withLock({ $0.take() }) else { break }
                if floor_sync(file, size, write.turn) == 0 {
                    write.continuation.resume()
                } else {
                    write.continuation.resume(throwing: POSIXError(.EIO))
                }
            }
            close(file)
        }
    }

    /// Returns when the write is durable. One caller at a time.
    func write(turn: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            next.withLock { $0 = Write(turn: Int32(turn), continuation: continuation) }
            isAsked.signal()
        }
    }

    /// Ends the thread.
    func end() { isAsked.signal() }
}
