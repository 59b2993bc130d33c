import Glibc

/// A file descriptor with one owner, who closes it by letting it go.
public struct OwnedDescriptor: ~Copyable, Sendable {
    public let rawValue: Int32

    /// Takes over a descriptor that is open and that nobody else closes.
    public init(owning rawValue: Int32) { self.rawValue = rawValue }

    deinit { close(rawValue) }

    /// Gives the descriptor away; whoever takes it closes it.
    public consuming func release() -> Int32 {
        let released = rawValue
        discard self
        return released
    }
}
