import Synchronization

/// A condition that becomes true once, for a reason, and stays true: a lease has ended, a session was abandoned.
public final class Latch<Reason: Sendable>: Sendable {
    public typealias Handler = @Sendable (Reason) -> Void

    private enum State {
        case open(handlers: [(identifier: UInt64, handler: Handler)], next: UInt64)
        case set(Reason)
    }

    private let state = Mutex(State.open(handlers: [], next: 0))

    public init() {}

    /// Why it was set; `nil` before.
    public var reason: Reason? {
        state.withLock { if case .set(let reason) = $0 { reason } else { nil } }
    }

    /// The number of handlers that wait for it.
    package var handlerCount: Int {
        state.withLock { if case .open(let handlers, _) = $0 { handlers.count } else { 0 } }
    }

    /// Waits until it is set, also in a cancelled task.
    public nonisolated(nonsending) var value: Reason {
        get async {
            await withCheckedContinuation { continuation in onSet { continuation.resume(returning: $0) } }
        }
    }

    /// Waits until it is set, at most this long.
    ///
    /// - Parameter limit: `nil`: without end.
    /// - Returns: `nil` after that time, and when the task is cancelled.
    public nonisolated(nonsending) func value(within limit: Duration?) async -> Reason? {
        if let reason { return reason }
        let outcome = Latch<Reason?>()
        let registration = onSet { outcome.set($0) }
        let timer = limit.map { limit in
            Task {
                try? await Task.sleep(for: limit)
                outcome.set(nil)
            }
        }
        defer {
            timer?.cancel()
            registration.cancel()
        }
        return await withTaskCancellationHandler {
            await outcome.value
        } onCancel: {
            outcome.set(nil)
        }
    }

    /// Sets it and runs the handlers in the order of their registration on this thread. Only the first call has an effect.
    public func set(_ reason: Reason) {
        let handlers = state.withLock {
            guard case .open(let handlers, _) = $0 else { return [] as [(identifier: UInt64, handler: Handler)] }
            $0 = .set(reason)
            return handlers
        }
        for (_, handler) in handlers { handler(reason) }
    }

    /// Runs the handler when the latch is set, on the thread that sets it, or at once if it is set already. The handler
    /// must be short and must not block.
    ///
    /// - Returns: cancel it when the handler's work is done before the latch is set; otherwise the latch keeps the handler,
    ///   and all that it captures, as long as the latch itself exists.
    @discardableResult
    public func onSet(_ handler: @escaping Handler) -> Registration {
        let (reason, identifier): (Reason?, UInt64) = state.withLock {
            switch $0 {
            case .open(let handlers, let next):
                $0 = .open(handlers: handlers + [(next, handler)], next: next + 1)
                return (nil, next)
            case .set(let reason):
                return (reason, 0)
            }
        }
        if let reason {
            handler(reason)
            return Registration {}
        }
        return Registration { [weak self] in self?.remove(identifier) }
    }

    private func remove(_ identifier: UInt64) {
        // Released after the lock: what the handler captured may use this latch when it is released.
        let removed: Handler? = state.withLock {
            guard case .open(var handlers, let next) = $0,
                let place = handlers.firstIndex(where: { $0.identifier == identifier })
            else { return nil }
            let handler = handlers.remove(at: place).handler
            $0 = .open(handlers: handlers, next: next)
            return handler
        }
        withExtendedLifetime(removed) {}
    }
}

extension Latch<Void> {
    public func set() { set(()) }
}

/// A handler that was registered somewhere and can be removed there.
public struct Registration: Sendable {
    private let remove: @Sendable () -> Void

    /// - Parameter remove: removes the handler; harmless when called more than once.
    public init(_ remove: @escaping @Sendable () -> Void) { self.remove = remove }

    /// Removes the handler and releases what it captures. A call of it that has begun goes on.
    public func cancel() { remove() }
}
