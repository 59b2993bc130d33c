import Synchronization

/// Keeps what happened, in order, and lets a test wait until something has.
public final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var values: [Element] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var values: [Element] { state.withLock { $0.values } }

    public func add(_ value: Element) {
        let met = state.withLock { state in
            state.values.append(value)
            let values = state.values
            let met = state.waiters.filter { $0.isMet(values) }
            state.waiters.removeAll { $0.isMet(values) }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// Returns as soon as the condition holds for what happened so far.
    public func until(_ isMet: @escaping @Sendable ([Element]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = state.withLock { state in
                if isMet(state.values) { return true }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
    }
}

extension Recorder where Element: Equatable {
    public func has(_ value: Element) async { await until { $0.contains(value) } }
}
