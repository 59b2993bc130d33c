import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM, turned from the process's end into calls.
final class SignalWatch: Sendable {
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        var last: Int32?
        /// One that came while nobody handled it.
        var missed: Int32?
    }

    private let state = Mutex(State())
    // Safe: never changed, and only kept so that they live as long as this does.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        let numbers = [SIGINT, SIGTERM]
        sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(numbers, sources) {
            signal(number, SIG_IGN)
            source.setEventHandler { @Sendable [weak self] in self?.received(number) }
            source.activate()
        }
    }

    /// The signal that came last.
    var last: Int32? { state.withLock(\.last) }

    /// Calls the handler for each signal from now on, and for one that was missed.
    func handle(_ handler: @escaping @Sendable (Int32) -> Void) {
        let missed = state.withLock { state in
            state.handler = handler
            defer { state.missed = nil }
            return state.missed
        }
        if let missed { handler(missed) }
    }

    /// Runs an operation that a signal cancels.
    ///
    /// - Throws: `CommandError.interrupted` after a signal.
    func cancelling<Result: Sendable>(_ operation: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        let task = Task { try await operation() }
        handle { _ in task.cancel() }
        defer { state.withLock { $0.handler = nil } }
        let result = await task.result
        // One that came too late to cancel it still means that the person wants to stop.
        if last != nil { throw CommandError.interrupted }
        return try result.get()
    }

    private func received(_ number: Int32) {
        let handler = state.withLock { state in
            state.last = number
            if state.handler == nil { state.missed = number }
            return state.handler
        }
        handler?(number)
    }
}

/// Runs what blocks away from the threads that all tasks share.
enum Blocking {
    private static let queue = DispatchQueue(label: "io.voicegate.cli.blocking", attributes: .concurrent)

    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}
