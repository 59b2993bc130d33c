import Foundation

/// A client's wish to be started, or its person to be told, when something is heard.
public struct MonitorRegistration: Sendable, Hashable {
    /// UUID.
    public let identifier: String
    public let user: UInt32
    public let client: ClientIdentifier
    public let kind: MonitorKind
    public let action: MonitorAction

    public init(identifier: String, user: UInt32, client: ClientIdentifier, kind: MonitorKind, action: MonitorAction) {
        self.identifier = identifier
        self.user = user
        self.client = client
        self.kind = kind
        self.action = action
    }
}

/// What a monitor waits for.
public enum MonitorKind: Sendable, Hashable {
    /// Somebody speaks, or something else is louder than the room.
    case soundBegan
    case keyPhrase(String)

    /// What the service needs to listen for it.
    public var resources: [Resource] {
        switch self {
        case .soundBegan: [.microphone]
        case .keyPhrase: [.speechRecognition, .microphone]
        }
    }

    /// `soundBegan` or `keyPhrase`.
    public var name: String {
        switch self {
        case .soundBegan: "soundBegan"
        case .keyPhrase: "keyPhrase"
        }
    }

    public var phrase: String? { if case .keyPhrase(let phrase) = self { phrase } else { nil } }

    /// - Returns: `nil` when the two do not fit together.
    public init?(name: String, phrase: String?) {
        switch (name, phrase) {
        case ("soundBegan", nil): self = .soundBegan
        case ("keyPhrase", let phrase?): self = .keyPhrase(phrase)
        default: return nil
        }
    }
}

/// The client of one user that monitors belong to; they listen together and start one program.
public struct MonitorOwner: Sendable, Hashable {
    public let user: UInt32
    public let client: ClientIdentifier

    public init(user: UInt32, client: ClientIdentifier) {
        self.user = user
        self.client = client
    }

    public init(_ monitor: MonitorRegistration) { self.init(user: monitor.user, client: monitor.client) }
}

/// Whether a monitor may listen now.
public enum MonitorPermission: Sendable, Hashable {
    case allowed
    /// Not now; it stays registered.
    case paused(RefusalCode)
    /// Not any more.
    case ended(MonitorRemoval)
}

/// What happens to a monitor, as it is written down.
public enum MonitorOccurrence: Sendable, Hashable {
    case registered(by: Caller)
    /// By its client, by the person, or because the permission has ended.
    case removed(MonitorRemoval)
    /// It does not listen as long as the permission does not reach so far.
    case paused(RefusalCode)
    case resumed
    /// It was heard; what it is for is about to happen.
    case triggered
    /// It could not listen, or what it is for could not be done. `reason`: a sentence.
    case failed(reason: String)
    /// The client that it started has ended. `status` is the exit status, or 128 and the signal, as a shell says it.
    case exited(status: Int32)
}

/// Why a monitor is no more.
public enum MonitorRemoval: String, Sendable, Codable, Hashable {
    /// The client or the person took it away.
    case removed
    /// The person said no.
    case revoked
    /// The answer was taken back, or has expired.
    case reset
}

/// What happens when a monitor's time has come.
public enum MonitorAction: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client is started, with the reason in its environment. Needs `always`.
    case start
    /// The person is told, and starts the client themselves. A yes while in use is enough.
    case notify
}

/// Why a monitor cannot be registered or found.
public struct MonitorError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case tooMany
        /// The same is registered already.
        case alreadyRegistered
        case unknown
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
