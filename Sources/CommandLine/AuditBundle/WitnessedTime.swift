import Consent

/// When a witness found the checkpoint consistent with all that it had seen of the log before.
public struct WitnessedTime: Sendable, Hashable {
    public let witness: NoteVerifier
    /// Seconds since 1970, by the witness's clock.
    public let seconds: UInt64
}
