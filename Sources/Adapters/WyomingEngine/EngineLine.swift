import NIOCore
import Synchronization

/// A session's connection to an engine outside of the service, if there is one at the moment. Once closed it stays closed.
final class EngineLine: Sendable {
    private struct State {
        var channel: (any Channel)?
        var isOpen = true
        var hasSent = false
    }

    private let state = Mutex(State())
    /// Asked before each piece of audio.
    private let mayListen: @Sendable () -> Bool

    init(mayListen: @escaping @Sendable () -> Bool) { self.mayListen = mayListen }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Whether any audio was let through.
    var hasSent: Bool { state.withLock { $0.hasSent } }

    /// - Returns: `false` when it was closed meanwhile; nothing may be sent then.
    func connect(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.channel = channel
            return true
        }
    }

    /// Whether audio may go out now.
    var isAllowed: Bool { isOpen && mayListen() }

    /// Asked for every piece of audio: from now on it counts as sent.
    func mayCarryAudio() -> Bool {
        guard mayListen() else { return false }
        return state.withLock { state in
            if state.isOpen { state.hasSent = true }
            return state.isOpen
        }
    }

    /// Ends one exchange. Another may follow.
    func hangUp() { state.withLock { $0.channel.take() }?.close(promise: nil) }

    /// Ends everything at once, whatever is under way.
    func close() {
        state.withLock { $0.isOpen = false }
        hangUp()
    }
}
