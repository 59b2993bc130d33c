/// Proof that the gate allowed capturing. Only the gate can make one, and a capture source cannot be opened without it.
public struct MicrophoneGrant: ~Copyable, Sendable {
    /// Tells whether the permission still holds; ask before handing on each frame.
    public let lease: Lease

    internal init(lease: Lease) { self.lease = lease }
}
