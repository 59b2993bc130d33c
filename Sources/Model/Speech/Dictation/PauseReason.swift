/// Why a session does not listen for a while.
public enum PauseReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client asked for it.
    case suspended
    /// The capture device is gone and is waited for.
    case deviceLost
    /// The client is in the background, where it may not listen; what is said meanwhile is dropped.
    case background
}
