// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

/// `GET /v1/monitors`: the caller's own; for VoiceGate's own command all of the user's.
public struct MonitorsReply: Sendable, Hashable, Codable {
    public struct Monitor: Sendable, Hashable, Codable {
        /// UUID.
        public var monitor: String
        public var client: String
        public var kind: String
        public var phrase: String?
        public var action: MonitorAction
        /// `false`: it is removed when it has been triggered.
        public var repeats: Bool
        public var state: MonitorsReply.State
        public var reason: String?
        /// In a row until now.
        public var failures: Int
        /// What failed last, as a sentence; absent after a success.
        public var failure: String?
        /// UTC, with milliseconds.
        public var nextAttempt: Date?
    }

    public enum State: String, Sendable, Codable, Hashable, CaseIterable {
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

/// `POST /v1/monitors`; answered with 201 and a `MonitorsReply.Monitor`.
public struct MonitorRequest: Sendable, Hashable, Codable {
    /// Only for VoiceGate's own command.
    public var client: String?
    /// `soundBegan` or `keyPhrase`.
    public var kind: String
    /// Of a `keyPhrase`.
    public var phrase: String?
    public var action: MonitorAction
    /// `false`: for one time only.
    public var repeats: Bool?

    public init(
        client: String? = nil, kind: String, phrase: String? = nil, action: MonitorAction, repeats: Bool? = nil
    ) {
        (self.client, self.kind, self.phrase, self.action, self.repeats) = (client, kind, phrase, action, repeats)
    }
}

/// A line of `GET /v1/monitors/events`, and of `VOICEGATE_EVENTS` in the environment of a client that a monitor
/// started.
public struct MonitorEvent: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        /// It heard what it waits for. Acknowledge it within 10 seconds.
        case triggered
        /// It could not listen, or not reach the client; `reason` is a sentence.
        case failed
        /// It may not listen now; `reason` is the refusal's code.
        case paused
        case resumed
        /// `reason`: `removed`, `revoked`, `reset` or `once`.
        case removed
    }

    /// For the acknowledgement.
    public var event: String
    public var type: Kind
    /// UTC, with milliseconds.
    public var time: Date
    public var monitor: String
    /// What it waits for: `soundBegan` or `keyPhrase`.
    public var kind: String
    public var phrase: String?
    public var reason: String?
}
