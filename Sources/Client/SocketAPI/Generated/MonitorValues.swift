// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

/// `GET /v1/monitors`: the caller's own; for VoiceGate's own command all of the user's.
public struct MonitorsReply: Sendable, Hashable, Codable {
    /// A registered monitor.
    public struct Monitor: Sendable, Hashable, Codable {
        /// UUID.
        public var monitor: String
        /// The bundle identifier of its client.
        public var client: String
        /// What it waits for.
        public var kind: String
        /// Of a `keyPhrase`.
        public var phrase: String?
        /// What happens then.
        public var action: MonitorAction
        /// `false`: it is removed when it has been triggered.
        public var repeats: Bool
        /// Whether it listens.
        public var state: MonitorsReply.State
        /// Why it is paused.
        public var reason: String?
        /// In a row until now.
        public var failures: Int
        /// What failed last, as a sentence; absent after a success.
        public var failure: String?
        /// When it listens again after a failure.
        public var nextAttempt: Date?
    }

    /// Whether it listens.
    public enum State: String, Sendable, Codable, Hashable, CaseIterable {
        /// It listens.
        case listening
        /// The client that it started is running, or it waits for the client's acknowledgement.
        case running
        /// Waits until `nextAttempt` after a failure.
        case waiting
        /// The permission does not include it now; `reason` is the refusal's code.
        case paused
        /// A session of the client runs, or the monitor is about to listen.
        case off
    }

    public var monitors: [Monitor]

    public init(monitors: [Monitor]) { self.monitors = monitors }
}

/// Registers a monitor: the service listens for the client, and reports what it heard.
public struct MonitorRequest: Sendable, Hashable, Codable {
    /// Only for VoiceGate's own command.
    public var client: String?
    /// What a monitor waits for.
    public var kind: String
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// What happens then.
    public var action: MonitorAction
    /// `false`: for one time only.
    public var repeats: Bool?

    public init(
        client: String? = nil, kind: String, phrase: String? = nil, action: MonitorAction, repeats: Bool? = nil
    ) {
        (self.client, self.kind, self.phrase, self.action, self.repeats) = (client, kind, phrase, action, repeats)
    }
}

/// What happened to a monitor: a line of `GET /v1/monitors/events`, and of `VOICEGATE_EVENTS` in the environment of
/// a client that a monitor started.
public struct MonitorEvent: Sendable, Hashable, Codable {
    /// What happened.
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        /// It heard what it waits for. Acknowledge it within 10 seconds.
        case triggered
        /// It could not listen, or not reach the client; `reason` is a sentence.
        case failed
        /// It may not listen now; `reason` is the refusal's code.
        case paused
        /// It may listen again.
        case resumed
        /// `reason`: `removed`, `revoked`, `reset` or `once`.
        case removed
    }

    /// For the acknowledgement.
    public var event: String
    /// What happened.
    public var type: Kind
    /// UTC, with milliseconds.
    public var time: Date
    /// The monitor's identifier.
    public var monitor: String
    /// What it waits for.
    public var kind: String
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// See `type`.
    public var reason: String?
}
