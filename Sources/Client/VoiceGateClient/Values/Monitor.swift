import Foundation
import VoiceGateWire

/// What a monitor waits for.
public struct MonitorKind: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Any sound.
    public static let soundBegan = MonitorKind(rawValue: "soundBegan")
    /// A phrase.
    public static let keyPhrase = MonitorKind(rawValue: "keyPhrase")
}

/// What a monitor does when it is triggered.
public struct MonitorAction: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sends the event to the program if it runs, and starts it if it does not.
    public static let start = MonitorAction(rawValue: "start")
    /// Notifies the user, who may start the program. Only the user registers it (`voicegate monitor add --notify`), and a program
    /// sees nothing of it.
    public static let notify = MonitorAction(rawValue: "notify")
}

/// Registers a monitor: the service listens for this program, and reports what it heard.
public struct MonitorRequest: Sendable, Hashable, Encodable {
    /// What it waits for.
    public var kind: MonitorKind
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// What happens then.
    public var action: MonitorAction
    /// `false`: for one time only.
    public var repeats: Bool?

    /// - Parameters:
    ///   - kind: what it waits for.
    ///   - phrase: of a `keyPhrase`.
    ///   - action: what happens then.
    ///   - repeats: whether it stays.
    public init(_ kind: MonitorKind, phrase: String? = nil, action: MonitorAction, repeats: Bool? = nil) {
        self.kind = kind
        self.phrase = phrase
        self.action = action
        self.repeats = repeats
    }
}

/// A registered monitor of this program.
public struct Monitor: Sendable, Hashable, Decodable {
    /// Whether it listens.
    public struct State: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It listens.
        public static let listening = State(rawValue: "listening")
        /// The program that it started is running, or it waits for the program's acknowledgement.
        public static let running = State(rawValue: "running")
        /// Waits after a failure.
        public static let waiting = State(rawValue: "waiting")
        /// The permission does not include it now; `reason` is the refusal's.
        public static let paused = State(rawValue: "paused")
        /// A session of the program runs, or the monitor is about to listen.
        public static let off = State(rawValue: "off")
    }

    /// Its identifier.
    public var identifier: String
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
    /// What failed last, as a sentence; `nil` after a success.
    public var failure: String?

    private enum CodingKeys: String, CodingKey {
        case kind, phrase, action, repeats, state, reason, failure
        case identifier = "monitor"
    }
}

/// What happened to a monitor of this program.
public struct MonitorEvent: Sendable, Hashable, Decodable {
    /// What happened.
    public struct Kind: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It heard what it waits for. Acknowledge it within 10 seconds.
        public static let triggered = Kind(rawValue: "triggered")
        /// It could not listen, or not reach the program; `reason` is a sentence.
        public static let failed = Kind(rawValue: "failed")
        /// It may not listen now; `reason` is the refusal's.
        public static let paused = Kind(rawValue: "paused")
        /// It may listen again.
        public static let resumed = Kind(rawValue: "resumed")
        /// It is gone. `reason`: `removed`, `revoked`, `reset` or `once`.
        public static let removed = Kind(rawValue: "removed")
    }

    /// For the acknowledgement.
    public var identifier: String
    /// What happened.
    public var type: Kind
    /// When.
    public var time: Date
    /// The monitor's identifier.
    public var monitor: String
    /// What the monitor waits for.
    public var kind: MonitorKind
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// See `type`.
    public var reason: String?

    private enum CodingKeys: String, CodingKey {
        case type, time, monitor, kind, phrase, reason
        case identifier = "event"
    }

    /// The events for which a monitor started this process, oldest first; empty if no monitor did.
    ///
    /// - Parameter environment: of the process.
    public static func launching(environment: [String: String] = ProcessInfo.processInfo.environment) -> [MonitorEvent]
    {
        let decoder = JSONCoding.decoder()
        return (environment["VOICEGATE_EVENTS"] ?? "").split(separator: "\n").compactMap {
            try? decoder.decode(MonitorEvent.self, from: Data($0.utf8))
        }
    }
}
