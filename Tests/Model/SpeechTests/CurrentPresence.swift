import Authorization
import Base
import Synchronization

/// Where a session's client stands, as the test says.
final class CurrentPresence: Sendable {
    private let presence = Mutex(Presence.foreground)
    private let held = Mutex(Latch<Void>?.none)
    private let reading = Latch<Void>()

    var now: Presence {
        get { presence.withLock { $0 } }
        set { presence.withLock { $0 = newValue } }
    }

    func read() async -> Presence {
        if let held = held.withLock({ $0 }) {
            reading.set()
            await held.value
        }
        return now
    }

    /// Readers wait until the returned latch is set.
    func hold() -> Latch<Void> {
        held.withLock { held in
            let latch = Latch<Void>()
            held = latch
            return latch
        }
    }

    /// Returns when a reader waits.
    func isRead() async { await reading.value }
}
