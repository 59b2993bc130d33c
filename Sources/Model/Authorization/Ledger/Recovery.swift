/// What the service found when it opened a log that was not closed in order.
public struct Recovery: Sendable, Hashable {
    public enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
        /// The service ended without its sessions, which have a start and no end.
        case restarted
    }

    public let reason: Reason
    /// UUIDs of sessions that have no end. None of them listens: their devices were closed with the process.
    public let sessions: [String]

    public init(reason: Reason, sessions: [String]) {
        self.reason = reason
        self.sessions = sessions
    }
}
