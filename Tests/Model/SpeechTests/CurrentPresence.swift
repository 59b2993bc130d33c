import Authorization
import Synchronization

/// Where a session's client stands, as the test says.
final class CurrentPresence: Sendable {
    private let presence = Mutex(Presence.foreground)

    var now: Presence {
        get { presence.withLock { $0 } }
        set { presence.withLock { $0 = newValue } }
    }
}
