import Dispatch
import Foundation
import LinuxSystem
import Synchronization

/// Signals as calls instead of their default effect.
final class SignalSources: Sendable {
    // Safe: never changed; kept so that the sources live as long as this object.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let registered = DispatchSemaphore(value: 0)
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // Dispatch reports signals, and does not prevent their default effect.
            signal(number, SIG_IGN)
            source.setEventHandler { @Sendable in handler(number) }
            source.setRegistrationHandler { @Sendable in registered.signal() }
            source.activate()
            return source
        }
        // Dispatch registers them on its own thread; until then signals are ignored.
        for _ in numbers { registered.wait() }
    }
}

/// SIGINT and SIGTERM as calls; a signal without a handler waits for the next one.
final class SignalWatch: Sendable {
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        var isSignalled = false
        var missed: Int32?
    }

    private final class Received: Sendable {
        let state = Mutex(State())
    }

    private let received = Received()
    private let sources: SignalSources

    /// - Parameter output: of a command that asks nothing; the terminal's ^C is removed from it.
    init(removingEchoFrom output: Output? = nil) {
        sources = SignalSources([SIGINT, SIGTERM]) { [received] number in
            if number == SIGINT { output?.removeEcho() }
            let handler = received.state.withLock { state in
                state.isSignalled = true
                if state.handler == nil { state.missed = number }
                return state.handler
            }
            handler?(number)
        }
    }

    /// Calls the handler for each signal from now on, and for a missed one.
    func handle(_ handler: @escaping @Sendable (Int32) -> Void) {
        let missed = received.state.withLock { state in
            state.handler = handler
            defer { state.missed = nil }
            return state.missed
        }
        if let missed { handler(missed) }
    }

    /// - Throws: `CommandError.interrupted` if there was a signal.
    func check() throws {
        if received.state.withLock(\.isSignalled) { throw CommandError.interrupted }
    }

    /// Runs an operation that a signal cancels.
    ///
    /// - Throws: `CommandError.interrupted` after a signal.
    func cancelling<Result: Sendable>(_ operation: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        let task = Task { try await operation() }
        handle { _ in task.cancel() }
        defer { received.state.withLock { $0.handler = nil } }
        let result = await task.result
        // A signal that came too late to cancel still means that the user wants to stop.
        try check()
        return try result.get()
    }
}

extension AsyncThrowingStream.Continuation where Failure == any Error, Element: Sendable {
    /// Passes on what the events are, and ends with them, until the task is cancelled.
    func forward<Events: AsyncSequence & Sendable>(
        _ events: Events, as element: @escaping @Sendable (Events.Element) -> Element
    ) -> Task<Void, Never> {
        Task {
            do {
                for try await event in events { yield(element(event)) }
                finish()
            } catch {
                finish(throwing: error)
            }
        }
    }
}

/// Runs blocking calls outside the shared thread pool.
enum Blocking {
    private static let queue = BlockingQueues(label: "io.voicegate.cli.blocking", width: 8)

    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await queue.run(body)
    }
}
