/// Why a lease ended. The raw values are the `reason` of a session's `ended` event.
public enum LeaseEnding: String, Sendable, Codable, Hashable {
    /// The person took the permission back.
    case revoked
    /// A policy came into force.
    case restricted
    /// The session gave it back.
    case finished
}
