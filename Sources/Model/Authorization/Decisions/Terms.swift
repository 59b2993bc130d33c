/// What a yes allows, and since when it has not been used or looked at again.
public struct Terms: Sendable, Hashable, Codable {
    public var scope: Scope
    public var upgrade: Upgrade
    public var fidelity: Fidelity
    /// When a session last stood on it, or when it was given.
    public var usedAt: Moment
    /// When the person last confirmed it.
    public var reviewedAt: Moment
    /// What VoiceGate may keep: what the notice said that was answered with this yes.
    public var kept: KeepingTimes
    /// The engine outside of the service that the notice named (`SpeechEngine.recipient`); `nil`: none.
    public var engine: String?

    public init(
        scope: Scope, upgrade: Upgrade = .notRequested, fidelity: Fidelity = .full, usedAt: Moment = .unknown,
        reviewedAt: Moment = .unknown, kept: KeepingTimes = [:], engine: String? = nil
    ) {
        self.scope = scope
        self.upgrade = upgrade
        self.fidelity = fidelity
        self.usedAt = usedAt
        self.reviewedAt = reviewedAt
        self.kept = kept
        self.engine = engine
    }

    public var isProvisionalAlways: Bool { scope == .whileInUse && upgrade == .provisional }
}
