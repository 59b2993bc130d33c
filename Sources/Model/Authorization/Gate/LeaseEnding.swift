/// Why a lease ended. The raw values are the `reason` of a session's `ended` event.
public enum LeaseEnding: String, Sendable, Codable, Hashable {
    /// The person took the permission back.
    case revoked
    /// A policy came into force.
    case restricted
    /// The person muted everything.
    case muted
    /// A yes for one session ended because its client stayed in the background.
    case background
    /// The session gave it back.
    case finished
}
