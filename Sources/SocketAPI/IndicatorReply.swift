import Authorization
import Foundation

/// `GET /v1/indicator`: what listens now, in the whole service for this user.
public struct IndicatorReply: Sendable, Hashable, Codable {
    public struct Session: Sendable, Hashable, Codable {
        public var session: String
        public var client: String
        public var name: String
        public var processIdentifier: Int32
        /// `nil` for a file.
        public var device: String?
        public var startedAt: Date
        /// Whether the person has the client before them now. One in the background listens only with `always` or a declared
        /// background mode.
        public var presence: Presence

        public init(
            session: String, client: String, name: String, processIdentifier: Int32, device: String?, startedAt: Date,
            presence: Presence
        ) {
            self.session = session
            self.client = client
            self.name = name
            self.processIdentifier = processIdentifier
            self.device = device
            self.startedAt = startedAt
            self.presence = presence
        }
    }

    public var sessions: [Session]

    public init(sessions: [Session]) {
        self.sessions = sessions
    }
}
