/// How much of what is said a client may get (`CLAccuracyAuthorization`, for speech).
public enum Fidelity: String, Sendable, Codable, Hashable, CaseIterable {
    /// Free dictation, word times, audio where declared.
    case full
    /// Only the phrases that the client's manifest declares; no other text, no score and no audio leaves the service.
    case reduced
}
