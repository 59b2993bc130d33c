import Base

/// A client's request to be started, or to notify its person, when something is heard.
public struct MonitorRegistration: Sendable, Hashable {
    /// UUID.
    public let identifier: String
    public let user: UInt32
    public let client: ClientIdentifier
    public let kind: MonitorKind
    public let action: MonitorAction
    /// Whether it is removed when it has been triggered.
    public let isOnce: Bool

    public init(
        identifier: String, user: UInt32, client: ClientIdentifier, kind: MonitorKind, action: MonitorAction,
        isOnce: Bool = false
    ) {
        self.identifier = identifier
        self.user = user
        self.client = client
        self.kind = kind
        self.action = action
        self.isOnce = isOnce
    }
}

/// What a monitor waits for.
public enum MonitorKind: Sendable, Hashable {
    /// Speech, or another sound above the background noise.
    case soundBegan
    case keyPhrase(String)

    /// The resources that listening for it needs.
    public var resources: [Resource] { self == .soundBegan ? [.microphone] : [.speechRecognition, .microphone] }

    /// `soundBegan` or `keyPhrase`.
    public var name: String { self == .soundBegan ? "soundBegan" : "keyPhrase" }

    /// Whether it waits for the same as the other: phrases by their words, without case, hyphens and punctuation.
    func isSame(as other: MonitorKind) -> Bool { name == other.name && words == other.words }

    private var words: [Substring] {
        (phrase ?? "").lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }
    }

    public var phrase: String? { if case .keyPhrase(let phrase) = self { phrase } else { nil } }

    /// - Returns: `nil` for an unknown name, or if the phrase does not fit it.
    public init?(name: String, phrase: String?) {
        switch (name, phrase) {
        case ("soundBegan", nil): self = .soundBegan
        case ("keyPhrase", let phrase?): self = .keyPhrase(phrase)
        default: return nil
        }
    }
}

/// What a monitor does when it is triggered.
public enum MonitorAction: String, Sendable, Codable, Hashable, CaseIterable {
    /// Tells the client over its connection if it runs, and starts it if it does not. With a grant while in use only the
    /// first, while it is in the foreground.
    case start
    /// Notifies the person, who may start the client. Needs a grant while in use. Only the person registers it, and only the
    /// person sees what becomes of it: neither the client nor another program learns what was heard.
    case notify
}

/// The user and client that monitors belong to. Their monitors of one action listen together: those that notify the person
/// have no effect on those of the client.
public struct MonitorOwner: Sendable, Hashable {
    public let user: UInt32
    public let client: ClientIdentifier
    public let action: MonitorAction

    public init(user: UInt32, client: ClientIdentifier, action: MonitorAction = .start) {
        self.user = user
        self.client = client
        self.action = action
    }

    public init(_ monitor: MonitorRegistration) {
        self.init(user: monitor.user, client: monitor.client, action: monitor.action)
    }
}

/// Whether a monitor may listen now.
public enum MonitorPermission: Sendable, Hashable {
    case allowed
    /// It may not listen now and stays registered.
    case paused(RefusalCode)
    case ended(MonitorRemoval)
}

/// An event of a monitor, for the log.
public enum MonitorOccurrence: Sendable, Hashable {
    case registered(by: Caller)
    case removed(MonitorRemoval)
    case paused(RefusalCode)
    case resumed
    /// It heard what it waits for, and is about to act.
    case triggered
    /// It could not listen or act: the reason, as a sentence.
    case failed(String)
    /// It has started its client, in this boot of the kernel.
    case started(ProcessIdentity, boot: String)
    /// The client that it started has ended.
    case exited(MonitorExit)
}

/// How the client ended that a monitor had started.
public enum MonitorExit: Sendable, Hashable {
    /// The exit status, or 128 plus the signal's number.
    case status(Int32)
    /// After a restart of the service, whose child it was no more.
    case unknownStatus
    /// While the service did not run; when, is unknown.
    case whileStopped

    /// A sentence, if it counts as a failure.
    public var failure: String? {
        guard case .status(let status) = self, status != 0 else { return nil }
        return "Its program ended with status \(status)."
    }
}

/// Why a monitor was removed.
public enum MonitorRemoval: String, Sendable, Codable, Hashable {
    /// By the client or the person.
    case removed
    /// The person denied the permission.
    case revoked
    /// The permission was withdrawn or has expired.
    case reset
    /// It was for one time only, and was triggered.
    case once
}

/// Why a monitor cannot be registered.
public typealias MonitorError = CodedError<MonitorErrorCode>

public enum MonitorErrorCode: String, Sendable, Hashable, CaseIterable {
    case tooMany
    case alreadyRegistered
}
