import Authorization
import Foundation

/// `GET /v1/monitors`: the caller's own; for VoiceGate's own command all of the user's.
public struct MonitorsReply: Sendable, Hashable, Codable {
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

    public struct Monitor: Sendable, Hashable, Codable {
        /// UUID.
        public var monitor: String
        public var client: String
        public var kind: String
        public var phrase: String?
        public var action: MonitorAction
        /// `false`: it is removed when it has been triggered.
        public var repeats: Bool
        public var state: State
        public var reason: String?
        /// In a row until now.
        public var failures: Int
        /// What failed last, as a sentence; absent after a success.
        public var failure: String?
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
        failure: String?, nextAttempt: Date?
    ) {
        self.init(
            monitor: registration.identifier, client: registration.client.rawValue, kind: registration.kind.name,
            phrase: registration.kind.phrase, action: registration.action, repeats: !registration.isOnce, state: state,
            reason: reason?.rawValue, failures: failures, failure: failure, nextAttempt: nextAttempt)
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
    /// `false`: for one time only.
    public var repeats: Bool?

    public init(
        client: String? = nil, kind: String, phrase: String? = nil, action: MonitorAction, repeats: Bool? = nil
    ) {
        self.client = client
        self.kind = kind
        self.phrase = phrase
        self.action = action
        self.repeats = repeats
    }
}

/// A line of `GET /v1/monitors/events`, and of `VOICEGATE_EVENTS` in the environment of a client that a monitor started.
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

    /// UUID, for the acknowledgement.
    public var event: String
    public var type: Kind
    public var time: Date
    public var monitor: String
    /// What it waits for: `soundBegan` or `keyPhrase`.
    public var kind: String
    public var phrase: String?
    public var reason: String?

    public init(
        _ type: Kind, of monitor: MonitorRegistration, reason: String? = nil,
        event: String = UUID().uuidString.lowercased(), time: Date = Date()
    ) {
        self.event = event
        self.type = type
        self.time = time
        self.monitor = monitor.identifier
        kind = monitor.kind.name
        phrase = monitor.kind.phrase
        self.reason = reason
    }
}

/// Why a monitor started this process.
public struct MonitorLaunch: Sendable, Hashable {
    /// The variables of a started client, beside those of the user's session.
    public enum Variable: String, Sendable, CaseIterable {
        /// What the newest event's monitor waits for: `soundBegan` or `keyPhrase`.
        case reason = "VOICEGATE_LAUNCH_REASON"
        case phrase = "VOICEGATE_PHRASE"
        case monitor = "VOICEGATE_MONITOR"
        /// The newest event's time (RFC 3339, in UTC, with milliseconds).
        case time = "VOICEGATE_TIME"
        /// The events since the client was last started or told, a `MonitorEvent` as JSON in each line, newest last.
        case events = "VOICEGATE_EVENTS"
        case socket = "VOICEGATE_SOCKET"
    }

    /// Newest last; never empty.
    public let events: [MonitorEvent]

    public init(events: [MonitorEvent]) { self.events = events }

    /// The variables that describe it, except the socket.
    public var environment: [String: String] {
        guard let newest = events.last else { return [:] }
        let encoder = JSONCoding.encoder()
        let lines = events.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        let values: [Variable: String?] = [
            .reason: newest.kind, .phrase: newest.phrase, .monitor: newest.monitor, .time: JSONCoding.text(newest.time),
            .events: lines.joined(separator: "\n"),
        ]
        return Dictionary(
            uniqueKeysWithValues: values.compactMap { name, value in value.map { (name.rawValue, $0) } })
    }
}
