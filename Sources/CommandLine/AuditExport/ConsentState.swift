import Consent

/// DPV's states of consent, for the records that have one.
enum ConsentState: String, Sendable, Hashable {
    case requested = "ConsentRequested"
    case given = "ConsentGiven"
    case renewed = "RenewedConsentGiven"
    case refused = "ConsentRefused"
    case deferred = "ConsentRequestDeferred"
    case withdrawn = "ConsentWithdrawn"
    case expired = "ConsentExpired"
    /// By somebody else than the person.
    case revoked = "ConsentRevoked"

    private static let byKind: [String: ConsentState] = [
        "notice.shown": .requested, "decision.asked": .requested, "decision.upgradeRequested": .requested,
        "decision.granted": .given, "identity.carriedOver": .given, "decision.renewed": .renewed,
        "decision.denied": .refused, "decision.deferred": .deferred, "decision.withdrawn": .withdrawn,
        "decision.expired": .expired, "restricted.by_policy": .revoked, "revoked.by_admin": .revoked,
    ]

    init?(_ record: AuditRecord) {
        guard let state = Self.byKind[record.kind] else { return nil }
        self = state
    }
}
