// Written by Sources/Client/generate-swift from openapi.json.
import Foundation

/// The caller's permission for one resource.
public struct ResourceState: Sendable, Hashable, Codable {
    /// What a grant allows.
    public struct Grant: Sendable, Hashable, Codable {
        /// `always` also while the user has not confirmed it yet.
        public var scope: Scope
        /// Of speech recognition only: the fidelity that this process has now (`accuracyAuthorization`). `full` also
        /// from a grant of temporary full fidelity to the end of the session that uses it.
        public var fidelity: Fidelity?

        /// As a test's service gives it.
        public init(scope: Scope, fidelity: Fidelity? = nil) { (self.scope, self.fidelity) = (scope, fidelity) }
    }

    /// Whether it is allowed.
    public var status: AuthorizationStatus
    /// Absent unless the status is `authorized`.
    public var grant: Grant?

    /// As a test's service gives it.
    public init(status: AuthorizationStatus, grant: Grant? = nil) { (self.status, self.grant) = (status, grant) }
}

/// A word of a transcript, with times in seconds.
public struct TranscribedWord: Sendable, Hashable, Codable {
    /// The word.
    public var word: String
    /// Seconds since the first frame.
    public var start: Double
    /// Seconds since the first frame.
    public var end: Double
    /// Probability, 0 to 1.
    public var confidence: Double

    /// As a test's service gives it.
    public init(word: String, start: Double, end: Double, confidence: Double) {
        (self.word, self.start, self.end, self.confidence) = (word, start, end, confidence)
    }
}

/// A capture device.
public struct CaptureDevice: Sendable, Hashable, Codable {
    /// ALSA's PCM name, as a request takes it.
    public var name: String
    /// For people.
    public var description: String
    /// Why it cannot be used.
    public var problem: String?
}

/// A running dictation of this program.
public struct RunningDictation: Sendable, Hashable, Codable {
    /// The session's identifier.
    public var session: String
    /// The bundle identifier of its client.
    public var client: String
    /// ALSA's PCM name.
    public var device: String
    /// When it began.
    public var startedAt: Date
    /// Why it does not listen now; empty if it listens.
    public var paused: [PauseReason]
    /// It is ending: the device is closed or about to be, and its last words are being decoded.
    public var isEnding: Bool
}

/// A registered monitor.
public struct Monitor: Sendable, Hashable, Codable {
    /// Whether it listens.
    public struct State: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It listens.
        public static let listening = State(rawValue: "listening")
        /// The client that it started is running, or it waits for the client's acknowledgement.
        public static let running = State(rawValue: "running")
        /// Waits until `nextAttempt` after a failure.
        public static let waiting = State(rawValue: "waiting")
        /// The permission does not include it now; `reason` is the refusal's code.
        public static let paused = State(rawValue: "paused")
        /// A session of the client runs, or the monitor is about to listen.
        public static let off = State(rawValue: "off")
    }

    /// UUID.
    public var identifier: String
    /// The bundle identifier of its client.
    public var client: String
    /// What it waits for.
    public var kind: MonitorKind
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// What happens then.
    public var action: MonitorAction
    /// `false`: it is removed when it has been triggered.
    public var repeats: Bool
    /// Whether it listens.
    public var state: State
    /// Why it is paused.
    public var reason: Refusal.Reason?
    /// In a row until now.
    public var failures: Int
    /// What failed last, as a sentence; absent after a success.
    public var failure: String?
    /// When it listens again after a failure.
    public var nextAttempt: Date?

    private enum CodingKeys: String, CodingKey {
        case client, kind, phrase, action, repeats, state, reason, failures, failure, nextAttempt
        case identifier = "monitor"
    }
}

/// What happened to a monitor: a line of `GET /v1/monitors/events`, and of `VOICEGATE_EVENTS` in the environment of
/// a client that a monitor started.
public struct MonitorEvent: Sendable, Hashable, Codable {
    /// What happened.
    public struct Kind: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It heard what it waits for. Acknowledge it within 10 seconds.
        public static let triggered = Kind(rawValue: "triggered")
        /// It could not listen, or not reach the client; `reason` is a sentence.
        public static let failed = Kind(rawValue: "failed")
        /// It may not listen now; `reason` is the refusal's code.
        public static let paused = Kind(rawValue: "paused")
        /// It may listen again.
        public static let resumed = Kind(rawValue: "resumed")
        /// `reason`: `removed`, `revoked`, `reset` or `once`.
        public static let removed = Kind(rawValue: "removed")
    }

    /// For the acknowledgement.
    public var identifier: String
    /// What happened.
    public var type: Kind
    /// UTC, with milliseconds.
    public var time: Date
    /// The monitor's identifier.
    public var monitor: String
    /// What it waits for.
    public var kind: MonitorKind
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// See `type`.
    public var reason: String?

    private enum CodingKeys: String, CodingKey {
        case type, time, monitor, kind, phrase, reason
        case identifier = "event"
    }
}

/// The service, as it reports itself.
public struct ServiceHealth: Sendable, Hashable, Codable {
    /// The service's version.
    public var version: String
    /// Whether everything is muted.
    public var isMuted: Bool
    /// The engine of dictations with its version. Absent: unknown.
    public var recognizer: String?

    private enum CodingKeys: String, CodingKey {
        case version, recognizer
        case isMuted = "muted"
    }
}

/// What listens or transcribes now, or did until a moment ago.
public struct IndicatorState: Sendable, Hashable, Codable {
    /// One use of the microphone or the recogniser.
    public struct Session: Sendable, Hashable, Codable {
        /// The session's identifier.
        public var session: String
        /// The bundle identifier of its client.
        public var client: String
        /// Safe to show on one line.
        public var name: String
        /// Absent for a file.
        public var device: String?
        /// Of the client.
        public var processIdentifier: Int32
        /// Whether it does not listen now; `GET /v1/dictation` has the reasons.
        public var isPaused: Bool
        /// When it began.
        public var startedAt: Date
        /// When it ended; absent while it runs.
        public var endedAt: Date?
        /// VoiceGate itself listens for these phrases for a monitor, and its client gets nothing else.
        public var phrases: [String]?
        /// What recognises its speech, with its version, or the address of an engine outside of the service. Absent
        /// before the session starts, if nothing is recognised, and if it is unknown.
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

/// An entry of the consent log.
public struct ConsentRecord: Sendable, Hashable, Codable {
    /// Of the record, counted from 0.
    public var index: UInt64
    /// What was recorded, such as `decision.granted`.
    public var kind: String
    /// When.
    public var time: Date
    /// Whether fields that it once had were erased.
    public var isErased: Bool
}
