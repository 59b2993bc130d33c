// Written by Tests/Support/Tools/write-records from Documentation/consent-record.schema.json.

/// Every kind that this version writes.
extension RecordKind {
    public static let asked: RecordKind = "decision.asked"
    public static let noticeChanged: RecordKind = "notice.changed"
    public static let noticeShown: RecordKind = "notice.shown"
    public static let granted: RecordKind = "decision.granted"
    public static let renewed: RecordKind = "decision.renewed"
    public static let denied: RecordKind = "decision.denied"
    public static let deferred: RecordKind = "decision.deferred"
    public static let withdrawn: RecordKind = "decision.withdrawn"
    public static let expired: RecordKind = "decision.expired"
    public static let used: RecordKind = "decision.used"
    public static let upgradeRequested: RecordKind = "decision.upgradeRequested"
    public static let carriedOver: RecordKind = "identity.carriedOver"
    public static let muted: RecordKind = "service.muted"
    public static let unmuted: RecordKind = "service.unmuted"
    public static let policyChanged: RecordKind = "policy.changed"
    public static let restrictedByPolicy: RecordKind = "restricted.by_policy"
    public static let revokedByAdministrator: RecordKind = "revoked.by_admin"
    public static let accessBlocked: RecordKind = "access.blocked"
    public static let refusalsCounted: RecordKind = "access.counted"
    public static let sessionStarted: RecordKind = "session.started"
    public static let sessionStopped: RecordKind = "session.stopped"
    public static let sessionPaused: RecordKind = "session.paused"
    public static let sessionResumed: RecordKind = "session.resumed"
    public static let recognizerFailed: RecordKind = "recognizer.failed"
    public static let engineChanged: RecordKind = "engine.changed"
    public static let collectorChanged: RecordKind = "collector.changed"
    public static let monitorRegistered: RecordKind = "monitor.registered"
    public static let monitorRemoved: RecordKind = "monitor.removed"
    public static let monitorPaused: RecordKind = "monitor.paused"
    public static let monitorResumed: RecordKind = "monitor.resumed"
    public static let monitorTriggered: RecordKind = "monitor.triggered"
    public static let monitorFailed: RecordKind = "monitor.failed"
    public static let monitorStarted: RecordKind = "monitor.started"
    public static let monitorExited: RecordKind = "monitor.exited"
    public static let dataRetained: RecordKind = "data.retained"
    public static let dataNotKept: RecordKind = "data.notKept"
    public static let dataShared: RecordKind = "data.shared"
    public static let dataErased: RecordKind = "data.erased"
    public static let requestReceived: RecordKind = "request.received"
    public static let requestAnswered: RecordKind = "request.answered"
    public static let exportMade: RecordKind = "export.made"
    public static let genesis: RecordKind = "log.genesis"
    public static let keyRotated: RecordKind = "key.rotated"
    public static let checkpointPublished: RecordKind = "checkpoint.published"
    public static let recovery: RecordKind = "recovery"
    public static let clockJump: RecordKind = "clock.jump"

    public static let all: [RecordKind] = [
        .asked, .noticeChanged, .noticeShown, .granted, .renewed, .denied, .deferred, .withdrawn, .expired, .used,
        .upgradeRequested, .carriedOver, .muted, .unmuted, .policyChanged, .restrictedByPolicy, .revokedByAdministrator,
        .accessBlocked, .refusalsCounted, .sessionStarted, .sessionStopped, .sessionPaused, .sessionResumed,
        .recognizerFailed, .engineChanged, .collectorChanged, .monitorRegistered, .monitorRemoved, .monitorPaused,
        .monitorResumed, .monitorTriggered, .monitorFailed, .monitorStarted, .monitorExited, .dataRetained,
        .dataNotKept, .dataShared, .dataErased, .requestReceived, .requestAnswered, .exportMade, .genesis, .keyRotated,
        .checkpointPublished, .recovery, .clockJump,
    ]
}
