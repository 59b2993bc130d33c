import Foundation
import Speech

/// `GET /v1/dictation`: the caller's dictations that run, the newest first.
public struct DictationsReply: Sendable, Hashable, Codable {
    public struct Session: Sendable, Hashable, Codable {
        public var session: String
        public var client: String
        public var device: String
        public var startedAt: Date
        /// Why it does not listen now; empty: it listens.
        public var paused: [PauseReason]
        /// It was told to end: the device is closed, or about to be, and its last words are on their way.
        public var isEnding: Bool

        public init(
            session: String, client: String, device: String, startedAt: Date, paused: [PauseReason] = [],
            isEnding: Bool = false
        ) {
            self.session = session
            self.client = client
            self.device = device
            self.startedAt = startedAt
            self.paused = paused
            self.isEnding = isEnding
        }
    }

    public var sessions: [Session]

    public init(sessions: [Session]) { self.sessions = sessions }
}
