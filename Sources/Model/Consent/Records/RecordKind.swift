/// What a record is about. A log that a later version wrote may have other kinds; they are kept as they are.
///
/// Documentation/consent-record.schema.json lists their fields.
public struct RecordKind: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Questions and answers

    /// A request begins to wait for the person: ConsentRequested.
    public static let asked = RecordKind(rawValue: "decision.asked")
    /// The text about a client and a resource is not the one that was shown last: NoticeUpdated.
    public static let noticeChanged = RecordKind(rawValue: "notice.changed")
    /// A prompt with its notice word for word; `askedRecord` is the request: ConsentRequested.
    public static let noticeShown = RecordKind(rawValue: "notice.shown")
    /// ConsentGiven; `noticeRecord` is the notice, absent if it was decided in settings.
    public static let granted = RecordKind(rawValue: "decision.granted")
    /// A review, or the question about always, kept the grant: RenewedConsentGiven.
    public static let renewed = RecordKind(rawValue: "decision.renewed")
    /// ConsentRefused
    public static let denied = RecordKind(rawValue: "decision.denied")
    /// ConsentRequestDeferred
    public static let deferred = RecordKind(rawValue: "decision.deferred")
    /// ConsentWithdrawn
    public static let withdrawn = RecordKind(rawValue: "decision.withdrawn")
    /// A grant expired: ConsentExpired.
    public static let expired = RecordKind(rawValue: "decision.expired")
    /// A grant was used for the first time in a day.
    public static let used = RecordKind(rawValue: "decision.used")
    public static let upgradeRequested = RecordKind(rawValue: "decision.upgradeRequested")
    /// The package manager replaced the program, and the grant stayed.
    public static let carriedOver = RecordKind(rawValue: "identity.carriedOver")
    public static let muted = RecordKind(rawValue: "service.muted")
    public static let unmuted = RecordKind(rawValue: "service.unmuted")

    // MARK: What an administrator does

    public static let policyChanged = RecordKind(rawValue: "policy.changed")
    /// A policy refused a request, or began to restrict a client that has a grant: ConsentRevoked.
    public static let restrictedByPolicy = RecordKind(rawValue: "restricted.by_policy")
    /// A policy ended a grant in use: ConsentRevoked. Never the user's own choice.
    public static let revokedByAdministrator = RecordKind(rawValue: "revoked.by_admin")

    // MARK: What is used, kept and shared

    public static let accessBlocked = RecordKind(rawValue: "access.blocked")
    /// Refusals of a user that were not recorded one by one, because the log had too many records of the user.
    public static let refusalsCounted = RecordKind(rawValue: "access.counted")
    /// Its field `decisionRecords` names the grants that permit it.
    public static let sessionStarted = RecordKind(rawValue: "session.started")
    public static let sessionStopped = RecordKind(rawValue: "session.stopped")
    public static let recognizerFailed = RecordKind(rawValue: "recognizer.failed")
    /// Another engine recognises speech: by the user's choice, or because the chosen one failed or works again.
    public static let engineChanged = RecordKind(rawValue: "engine.changed")
    /// Consent records are sent to another recipient, for another purpose, with more or less, or no longer.
    public static let collectorChanged = RecordKind(rawValue: "collector.changed")
    public static let monitorRegistered = RecordKind(rawValue: "monitor.registered")
    public static let monitorRemoved = RecordKind(rawValue: "monitor.removed")
    public static let monitorPaused = RecordKind(rawValue: "monitor.paused")
    public static let monitorResumed = RecordKind(rawValue: "monitor.resumed")
    public static let monitorTriggered = RecordKind(rawValue: "monitor.triggered")
    public static let monitorFailed = RecordKind(rawValue: "monitor.failed")
    /// A monitor started its client: `process`, and its start in clock ticks since the boot.
    public static let monitorStarted = RecordKind(rawValue: "monitor.started")
    public static let monitorExited = RecordKind(rawValue: "monitor.exited")
    /// Something of a session is kept; `item` is its identifier.
    public static let dataRetained = RecordKind(rawValue: "data.retained")
    /// Something was to be kept and could not be.
    public static let dataNotKept = RecordKind(rawValue: "data.notKept")
    /// Kept items were erased (`items`), or the fields of earlier records (`records`: their indexes).
    public static let dataErased = RecordKind(rawValue: "data.erased")
    public static let dataShared = RecordKind(rawValue: "data.shared")

    // MARK: What the person asks of the log

    /// The person asks for what is recorded, or for its erasure: RightExerciseRecord.
    public static let requestReceived = RecordKind(rawValue: "request.received")
    /// RightExerciseRecord
    public static let requestAnswered = RecordKind(rawValue: "request.answered")
    public static let exportMade = RecordKind(rawValue: "export.made")

    // MARK: What the log does itself

    /// The first record of every log.
    public static let genesis = RecordKind(rawValue: "log.genesis")
    public static let keyRotated = RecordKind(rawValue: "key.rotated")
    public static let checkpointPublished = RecordKind(rawValue: "checkpoint.published")
    /// The log was not closed in order, or was put back from a backup.
    public static let recovery = RecordKind(rawValue: "recovery")
    /// The wall's clock was set since the record before.
    public static let clockJump = RecordKind(rawValue: "clock.jump")
}

extension RecordKind {
    /// Whose fields stay, whatever is erased: the log itself depends on them.
    public static let neverErased: Set<RecordKind> = [
        .genesis, .keyRotated, .checkpointPublished, .recovery, .dataErased,
        .requestReceived, .requestAnswered, .exportMade,
    ]

    /// Every kind that this version writes.
    public static let all: [RecordKind] = [
        .asked, .noticeChanged, .noticeShown, .granted, .renewed, .denied, .deferred, .withdrawn, .expired, .used,
        .upgradeRequested, .carriedOver, .muted, .unmuted, .policyChanged, .restrictedByPolicy,
        .revokedByAdministrator, .accessBlocked, .refusalsCounted, .sessionStarted, .sessionStopped, .recognizerFailed,
        .engineChanged, .collectorChanged,
        .monitorRegistered, .monitorRemoved, .monitorPaused, .monitorResumed, .monitorTriggered, .monitorFailed,
        .monitorStarted, .monitorExited, .dataRetained, .dataNotKept, .dataErased, .dataShared, .requestReceived,
        .requestAnswered,
        .exportMade,
        .genesis, .keyRotated, .checkpointPublished, .recovery, .clockJump,
    ]
}
