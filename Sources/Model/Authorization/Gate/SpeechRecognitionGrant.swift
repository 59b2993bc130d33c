/// Proof that the gate allowed speech recognition. Only the gate can make one, and a recogniser cannot be started
/// without it.
public struct SpeechRecognitionGrant: ~Copyable, Sendable {
    /// Tells whether the permission still holds; ask before handing on each result.
    public let lease: Lease

    internal init(lease: Lease) { self.lease = lease }
}
