import Synchronization

/// Tells the gate that the person is busy with a prompt right now: the time to answer does not run out meanwhile.
public final class Attention: Sendable {
    private let count = Mutex(0)

    public init() {}

    /// A key was pressed, the notification is pointed at, and the like.
    public func renew() { count.withLock { $0 += 1 } }

    /// How often it was renewed so far.
    var renewals: Int { count.withLock { $0 } }
}
