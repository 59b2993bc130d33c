/// `GET /v1/health`
public struct HealthReply: Sendable, Hashable, Codable {
    public enum Mode: String, Sendable, Codable, Hashable, CaseIterable {
        /// The service runs as the user; other programs of that user could open the microphone themselves.
        case advisory
        /// The service has a user of its own, and polkit confirms what is decided.
        case enforced
    }

    public var version: String
    public var mode: Mode
    public var processIdentifier: Int32
    /// Whether the person has muted everything.
    public var muted: Bool

    public init(version: String, mode: Mode, processIdentifier: Int32, muted: Bool) {
        self.version = version
        self.mode = mode
        self.processIdentifier = processIdentifier
        self.muted = muted
    }
}
