/// Why a monitor is no more.
public enum MonitorRemoval: String, Sendable, Codable, Hashable {
    /// The client or the person took it away.
    case removed
    /// The person said no.
    case revoked
    /// The answer was taken back, or has expired.
    case reset
}
