extension RecordKind {
    /// The term of the Data Privacy Vocabulary (https://w3id.org/dpv#) that a record of this kind brings about, without
    /// its prefix; `nil` for records that are about no consent.
    public var consentStatus: String? {
        switch self {
        case .asked, .noticeShown: "ConsentRequested"
        case .granted: "ConsentGiven"
        case .renewed: "RenewedConsentGiven"
        case .denied: "ConsentRefused"
        case .deferred: "ConsentRequestDeferred"
        case .withdrawn: "ConsentWithdrawn"
        case .expired: "ConsentExpired"
        case .restrictedByPolicy, .revokedByAdministrator: "ConsentRevoked"
        case .policyChanged, .noticeChanged: "NoticeUpdated"
        case .requestReceived, .requestAnswered: "RightExerciseRecord"
        default: nil
        }
    }

    /// Every kind that this version writes.
    public static let all: [RecordKind] = [
        .asked, .noticeChanged, .noticeShown, .granted, .renewed, .denied, .deferred, .withdrawn, .expired, .used,
        .upgradeRequested, .carriedOver, .muted, .unmuted, .policyChanged, .restrictedByPolicy,
        .revokedByAdministrator, .accessBlocked, .sessionStarted, .sessionStopped, .recognizerFailed,
        .monitorRegistered, .monitorRemoved, .monitorPaused, .monitorResumed, .monitorTriggered, .monitorFailed,
        .monitorExited, .dataRetained, .dataNotKept, .dataErased, .dataShared, .requestReceived, .requestAnswered,
        .exportMade,
        .genesis, .keyRotated, .checkpointPublished, .recovery, .clockJump,
    ]
}
