import Foundation
import VoiceGateWire

/// The service, as it reports itself.
public struct ServiceHealth: Sendable, Hashable, Decodable {
    /// The service's version.
    public var version: String
    /// Whether everything is muted; of a service of all users: whether it is for all of them.
    public var isMuted: Bool
    /// The engine of dictations with its version; `nil`: unknown.
    public var recognizer: String?

    private enum CodingKeys: String, CodingKey {
        case version, recognizer
        case isMuted = "muted"
    }
}

/// What listens or transcribes now, or did until a moment ago, of all programs of the user.
public struct IndicatorState: Sendable, Hashable, Decodable {
    /// One use of the microphone or the recogniser.
    public struct Session: Sendable, Hashable, Decodable {
        /// The session's identifier.
        public var session: String
        /// The program's bundle identifier.
        public var client: String
        /// The program's name; safe to show on one line.
        public var name: String
        /// ALSA's PCM name; `nil` for a file.
        public var device: String?
        /// Of the program.
        public var processIdentifier: Int32
        /// Whether it does not listen now, because its program is in the background or its device is disconnected.
        public var isPaused: Bool
        /// When it began.
        public var startedAt: Date
        /// When it ended; `nil` while it runs.
        public var endedAt: Date?
        /// VoiceGate itself listens for these phrases for a monitor, and its program gets nothing else.
        public var phrases: [String]?
        /// What recognises its speech, with its version; `nil`: unknown.
        public var recognizer: String?

        private enum CodingKeys: String, CodingKey {
            case session, client, name, device, processIdentifier, startedAt, endedAt, phrases, recognizer
            case isPaused = "paused"
        }
    }

    /// First the running sessions, then those that ended less than 15 seconds ago.
    public var sessions: [Session]
    /// Whether everything is muted.
    public var isMuted: Bool

    private enum CodingKeys: String, CodingKey {
        case sessions
        case isMuted = "muted"
    }
}

/// An entry of the consent log about this program.
public struct ConsentRecord: Sendable, Hashable, Decodable {
    /// Its number in the log.
    public var index: UInt64
    /// What was recorded, such as `decision.made`.
    public var kind: String
    /// When.
    public var time: Date
    /// Whether fields that it once had were erased.
    public var isErased: Bool
}
