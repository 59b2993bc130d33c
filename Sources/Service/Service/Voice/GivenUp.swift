import Synchronization

/// Something was given up, perhaps before anybody could be told.
final class GivenUp: Sendable {
    private let state = Mutex((isGivenUp: false, handler: (@Sendable () -> Void)?.none))

    func giveUp() {
        let handler = state.withLock { state in
            state.isGivenUp = true
            return state.handler
        }
        handler?()
    }

    /// Calls the handler when it is given up, or at once when it was.
    func onGivingUp(_ handler: @escaping @Sendable () -> Void) {
        let wasGivenUp = state.withLock { state in
            state.handler = handler
            return state.isGivenUp
        }
        if wasGivenUp { handler() }
    }
}
