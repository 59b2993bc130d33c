import Synchronization

/// Remembers that a session was given up from outside, for the stages in which nobody listens to its queue.
final class Abandonment: Sendable {
    private enum State {
        case goingOn(handler: (@Sendable () -> Void)?)
        case abandoned(DictationEnding)
    }

    private let state = Mutex(State.goingOn(handler: nil))

    /// Why it was given up, or `nil`.
    var ending: DictationEnding? {
        state.withLock { if case .abandoned(let ending) = $0 { ending } else { nil } }
    }

    /// The first reason is the one that counts.
    func abandon(_ ending: DictationEnding) {
        let handler: (@Sendable () -> Void)? = state.withLock {
            guard case .goingOn(let handler) = $0 else { return nil }
            $0 = .abandoned(ending)
            return handler
        }
        handler?()
    }

    /// Runs the handler when it is given up, or at once when it was.
    func onAbandon(_ handler: @escaping @Sendable () -> Void) {
        let wasAbandoned = state.withLock {
            if case .abandoned = $0 { return true }
            $0 = .goingOn(handler: handler)
            return false
        }
        if wasAbandoned { handler() }
    }
}
