import Authorization
import Foundation

/// `GET /v1/monitors`: the caller's own; for VoiceGate's own command all of the user's.
public struct MonitorsReply: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Codable, Hashable, CaseIterable {
        case listening
        /// The client that it started is running.
        case running
        /// Waits until `nextAttempt` after a failure.
        case waiting
        /// The permission does not include it now; `reason` is the refusal's code.
        case paused
        /// A session of the client runs, or the monitor is about to listen.
        case off
    }

    public struct Monitor: Sendable, Hashable, Codable {
        /// UUID.
        public var monitor: String
        public var client: String
        public var kind: String
        public var phrase: String?
        public var action: MonitorAction
        public var state: State
        public var reason: String?
        /// In a row until now.
        public var failures: Int
        public var nextAttempt: Date?
    }

    public var monitors: [Monitor]

    public init(monitors: [Monitor]) {
        self.monitors = monitors
    }
}

extension MonitorsReply.Monitor {
    public init(
        _ registration: MonitorRegistration, state: MonitorsReply.State, reason: RefusalCode?, failures: Int,
        nextAttempt: Date?
    ) {
        self.init(
            monitor: registration.identifier, client: registration.client.rawValue, kind: registration.kind.name,
            phrase: registration.kind.phrase, action: registration.action, state: state, reason: reason?.rawValue,
            failures: failures, nextAttempt: nextAttempt)
    }
}

/// `POST /v1/monitors`; answered with 201 and a `MonitorsReply.Monitor`.
public struct MonitorRequest: Sendable, Hashable, Codable {
    /// The bundle identifier; only VoiceGate's own command may name another client than itself.
    public var client: String?
    /// `soundBegan` or `keyPhrase`.
    public var kind: String
    /// Of a `keyPhrase`.
    public var phrase: String?
    public var action: MonitorAction

    public init(client: String? = nil, kind: String, phrase: String? = nil, action: MonitorAction) {
        self.client = client
        self.kind = kind
        self.phrase = phrase
        self.action = action
    }
}
