/// What a record is about. Other words may be in a log that a later version wrote; they are kept as they are.
public struct RecordKind: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first record of every log.
    public static let genesis = RecordKind(rawValue: "log.genesis")
    public static let noticeShown = RecordKind(rawValue: "notice.shown")
    public static let granted = RecordKind(rawValue: "decision.granted")
    public static let denied = RecordKind(rawValue: "decision.denied")
    public static let deferred = RecordKind(rawValue: "decision.deferred")
    public static let withdrawn = RecordKind(rawValue: "decision.withdrawn")
    /// A yes was used for the first time in a while.
    public static let used = RecordKind(rawValue: "decision.used")
    public static let expired = RecordKind(rawValue: "decision.expired")
    public static let upgradeRequested = RecordKind(rawValue: "decision.upgradeRequested")
    /// The package manager replaced the program, and the yes stayed.
    public static let carriedOver = RecordKind(rawValue: "identity.carriedOver")
    public static let muted = RecordKind(rawValue: "service.muted")
    public static let unmuted = RecordKind(rawValue: "service.unmuted")
    public static let accessBlocked = RecordKind(rawValue: "access.blocked")
    public static let policyChanged = RecordKind(rawValue: "policy.changed")
    public static let sessionStarted = RecordKind(rawValue: "session.started")
    public static let sessionStopped = RecordKind(rawValue: "session.stopped")
    public static let recognizerFailed = RecordKind(rawValue: "recognizer.failed")
    public static let monitorRegistered = RecordKind(rawValue: "monitor.registered")
    public static let monitorRemoved = RecordKind(rawValue: "monitor.removed")
    public static let monitorPaused = RecordKind(rawValue: "monitor.paused")
    public static let monitorResumed = RecordKind(rawValue: "monitor.resumed")
    public static let monitorTriggered = RecordKind(rawValue: "monitor.triggered")
    public static let monitorFailed = RecordKind(rawValue: "monitor.failed")
    public static let monitorExited = RecordKind(rawValue: "monitor.exited")
    /// Others received what a session's client got, as that declares.
    public static let dataShared = RecordKind(rawValue: "data.shared")
    /// Fields of earlier records were erased; its field `records` lists their indexes.
    public static let dataErased = RecordKind(rawValue: "data.erased")
}
