import Dispatch
import Synchronization

/// Runs blocking work side by side. A concurrent queue would run it on the threads of Swift's tasks, of which there are only as
/// many as processors: while that many pieces compute, no task of the program goes on. Each serial queue has its own
/// thread.
public final class BlockingQueues: Sendable {
    private let queues: [DispatchQueue]
    /// The pieces of work that each queue has.
    private let pieces: Mutex<[Int]>

    /// - Parameter width: pieces that run at a time.
    public init(label: String, width: Int) {
        queues = (0..<width).map { DispatchQueue(label: "\(label).\($0)") }
        pieces = Mutex(Array(repeating: 0, count: width))
    }

    public func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            async({ Result { () throws(Failure) in try work() } }, then: { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    /// - Parameter end: runs on the same thread, when the queue is free for other work already.
    public func async<Value>(
        _ work: @escaping @Sendable () -> Value, then end: @escaping @Sendable (Value) -> Void
    ) {
        let index = take()
        queues[index].async { [self] in
            let value = work()
            give(index)
            end(value)
        }
    }

    /// The queue with the fewest pieces.
    private func take() -> Int {
        pieces.withLock { pieces in
            let index = pieces.indices.min { pieces[$0] < pieces[$1] } ?? 0
            pieces[index] += 1
            return index
        }
    }

    private func give(_ index: Int) { pieces.withLock { $0[index] -= 1 } }
}

extension DispatchQueue {
    /// Runs blocking work on this serial queue.
    public func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }
}
