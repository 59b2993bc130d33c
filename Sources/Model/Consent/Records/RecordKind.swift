/// What a record is about. A log that a later version wrote may have other kinds; they are kept as they are.
///
/// Documentation/consent-record.schema.json lists their fields.
public struct RecordKind: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral word: String) { rawValue = word }

    // MARK: Questions and answers

    /// A request begins to wait for the person: ConsentRequested.
    public static let asked: RecordKind = "decision.asked"
    /// The text about a client and a resource is not the one that was shown last: NoticeUpdated.
    public static let noticeChanged: RecordKind = "notice.changed"
    /// A prompt with its notice word for word; `askedRecord` is the request: ConsentRequested.
    public static let noticeShown: RecordKind = "notice.shown"
    /// ConsentGiven; `noticeRecord` is the notice, absent if it was decided in settings.
    public static let granted: RecordKind = "decision.granted"
    /// A review, or the question about always, kept the grant: RenewedConsentGiven.
    public static let renewed: RecordKind = "decision.renewed"
    /// ConsentRefused
    public static let denied: RecordKind = "decision.denied"
    /// ConsentRequestDeferred
    public static let deferred: RecordKind = "decision.deferred"
    /// ConsentWithdrawn
    public static let withdrawn: RecordKind = "decision.withdrawn"
    /// A grant expired: ConsentExpired.
    public static let expired: RecordKind = "decision.expired"
    /// A grant was used for the first time in a day.
    public static let used: RecordKind = "decision.used"
    public static let upgradeRequested: RecordKind = "decision.upgradeRequested"
    /// The package manager replaced the program, and the grant stayed.
    public static let carriedOver: RecordKind = "identity.carriedOver"
    public static let muted: RecordKind = "service.muted"
    public static let unmuted: RecordKind = "service.unmuted"

    // MARK: What an administrator does

    public static let policyChanged: RecordKind = "policy.changed"
    /// A policy refused a request, or began to restrict a client that has a grant: ConsentRevoked.
    public static let restrictedByPolicy: RecordKind = "restricted.by_policy"
    /// A policy ended a grant in use: ConsentRevoked. Never the user's own choice.
    public static let revokedByAdministrator: RecordKind = "revoked.by_admin"

    // MARK: What is used, kept and shared

    public static let accessBlocked: RecordKind = "access.blocked"
    /// Refusals of a user that were not recorded one by one, because the log had too many records of the user.
    public static let refusalsCounted: RecordKind = "access.counted"
    /// Its field `decisionRecords` names the grants that permit it.
    public static let sessionStarted: RecordKind = "session.started"
    public static let sessionStopped: RecordKind = "session.stopped"
    public static let recognizerFailed: RecordKind = "recognizer.failed"
    /// Another engine recognises speech: by the user's choice, or because the chosen one failed or works again.
    public static let engineChanged: RecordKind = "engine.changed"
    /// Consent records are sent to another recipient, for another purpose, with more or less, or no longer.
    public static let collectorChanged: RecordKind = "collector.changed"
    public static let monitorRegistered: RecordKind = "monitor.registered"
    public static let monitorRemoved: RecordKind = "monitor.removed"
    public static let monitorPaused: RecordKind = "monitor.paused"
    public static let monitorResumed: RecordKind = "monitor.resumed"
    public static let monitorTriggered: RecordKind = "monitor.triggered"
    public static let monitorFailed: RecordKind = "monitor.failed"
    /// A monitor started its client: `process`, and its start in clock ticks since the boot.
    public static let monitorStarted: RecordKind = "monitor.started"
    public static let monitorExited: RecordKind = "monitor.exited"
    /// Something of a session is kept; `item` is its identifier.
    public static let dataRetained: RecordKind = "data.retained"
    /// Something was to be kept and could not be.
    public static let dataNotKept: RecordKind = "data.notKept"
    /// Kept items were erased (`items`), or the fields of earlier records (`records`: their indexes).
    public static let dataErased: RecordKind = "data.erased"
    public static let dataShared: RecordKind = "data.shared"

    // MARK: What the person asks of the log

    /// The person asks for what is recorded, or for its erasure: RightExerciseRecord.
    public static let requestReceived: RecordKind = "request.received"
    /// RightExerciseRecord
    public static let requestAnswered: RecordKind = "request.answered"
    public static let exportMade: RecordKind = "export.made"

    // MARK: What the log does itself

    /// The first record of every log.
    public static let genesis: RecordKind = "log.genesis"
    public static let keyRotated: RecordKind = "key.rotated"
    public static let checkpointPublished: RecordKind = "checkpoint.published"
    /// The log was not closed in order, or was put back from a backup.
    public static let recovery: RecordKind = "recovery"
    /// The wall's clock was set since the record before.
    public static let clockJump: RecordKind = "clock.jump"
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
