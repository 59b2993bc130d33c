/// Why the key that signs checkpoints is another.
enum KeyRotation: String, Sendable {
    /// The log had none.
    case created
    case rotated
    /// The former one was lost.
    case lost
}
