import Synchronization

/// Passes values from one task to another, one at a time: the giver waits until its value is taken.
final class Handoff<Element: Sendable>: Sendable {
    private struct State {
        var offered: Element?
        var giver: CheckedContinuation<Bool, Never>?
        var takers: [CheckedContinuation<Element?, Never>] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    /// - Returns: whether it was taken; `false` when it is over.
    func give(_ element: Element) async -> Bool {
        await withCheckedContinuation { continuation in
            let (taker, isFinished) = state.withLock { state -> (CheckedContinuation<Element?, Never>?, Bool) in
                if state.isFinished { return (nil, true) }
                if !state.takers.isEmpty { return (state.takers.removeFirst(), false) }
                state.offered = element
                state.giver = continuation
                return (nil, false)
            }
            if isFinished { continuation.resume(returning: false) }
            if let taker {
                taker.resume(returning: element)
                continuation.resume(returning: true)
            }
        }
    }

    /// - Returns: `nil` when it is over.
    func take() async -> Element? {
        await withCheckedContinuation { continuation in
            let (element, giver, isOver) = state.withLock {
                state -> (Element?, CheckedContinuation<Bool, Never>?, Bool) in
                if let element = state.offered {
                    defer { (state.offered, state.giver) = (nil, nil) }
                    return (element, state.giver, false)
                }
                if !state.isFinished { state.takers.append(continuation) }
                return (nil, nil, state.isFinished)
            }
            giver?.resume(returning: true)
            if element != nil || isOver { continuation.resume(returning: element) }
        }
    }

    /// Ends it for both sides; what is offered and not taken is dropped.
    func finish() {
        let (giver, takers) = state.withLock { state in
            state.isFinished = true
            defer { (state.offered, state.giver, state.takers) = (nil, nil, []) }
            return (state.giver, state.takers)
        }
        giver?.resume(returning: false)
        for taker in takers { taker.resume(returning: nil) }
    }
}
