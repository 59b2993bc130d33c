/// Why a yes ended without the person.
public enum ExpiryReason: String, Sendable, Codable, Hashable {
    /// No session stood on it for the configured time.
    case unused
    /// The clock was set back over a reboot, so its age cannot be told.
    case clockSetBack
}
