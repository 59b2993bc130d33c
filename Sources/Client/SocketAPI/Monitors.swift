import Authorization
import Foundation

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

extension MonitorEvent {
    public init(
        _ type: Kind, of monitor: MonitorRegistration, reason: String? = nil,
        event: String = UUID().uuidString.lowercased(), time: Date = Date()
    ) {
        self.init(
            event: event, type: type, time: time, monitor: monitor.identifier, kind: monitor.kind.name,
            phrase: monitor.kind.phrase, reason: reason)
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
        return Dictionary(uniqueKeysWithValues: values.compactMap { name, value in value.map { (name.rawValue, $0) } })
    }
}
