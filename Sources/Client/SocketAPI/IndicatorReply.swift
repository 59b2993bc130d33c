import Authorization
import Foundation

/// `GET /v1/indicator`: what listens now and what listened a moment ago, of all clients of the user who asks. Every
/// process of that user may read it.
public struct IndicatorReply: Sendable, Hashable, Codable {
    public struct Session: Sendable, Hashable, Codable {
        public var session: String
        public var client: String
        /// Safe to show on one line.
        public var name: String
        public var resources: [Resource]
        /// `nil` for a file.
        public var device: String?
        public var processIdentifier: Int32
        /// Whether the person has the client before them now.
        public var presence: Presence
        /// It hears nothing while its client is in the background, and goes on when that comes back.
        public var paused: Bool
        public var phase: IndicatorPhase
        public var startedAt: Date
        /// `nil` while it runs.
        public var endedAt: Date?
        /// Whether what is heard can leave the machine, as it was found when the session began; absent in the words of an
        /// older service.
        public var sharing: Sharing?

        public init(
            session: String, client: String, name: String, resources: [Resource] = [.speechRecognition, .microphone],
            device: String?, processIdentifier: Int32, presence: Presence = .foreground, paused: Bool = false,
            phase: IndicatorPhase = .now, startedAt: Date, endedAt: Date? = nil, sharing: Sharing? = nil
        ) {
            self.session = session
            self.client = client
            self.name = name
            self.resources = resources
            self.device = device
            self.processIdentifier = processIdentifier
            self.presence = presence
            self.paused = paused
            self.phase = phase
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.sharing = sharing
        }

        public init(_ entry: IndicatorEntry) {
            self.init(
                session: entry.use.identifier, client: entry.use.client.rawValue, name: entry.use.name,
                resources: entry.use.resources, device: entry.use.device,
                processIdentifier: entry.use.processIdentifier, presence: entry.use.presence,
                paused: entry.use.isPaused,
                phase: entry.phase, startedAt: entry.use.startedAt, endedAt: entry.endedAt,
                sharing: entry.use.sharing)
        }

        public var isRunning: Bool { endedAt == nil }

        /// It hears while the person does not have its client before them.
        public var goesOnInBackground: Bool { isRunning && presence == .background && !paused }
    }

    /// What runs first, then what ended under 15 seconds ago.
    public var sessions: [Session]
    /// Whether the person has muted everything.
    public var muted: Bool

    public init(sessions: [Session], muted: Bool = false) {
        self.sessions = sessions
        self.muted = muted
    }
}
