import Authorization

/// The policy in force at one moment, and where it came from.
public struct PolicySnapshot: Sendable, Hashable {
    public let policy: Policy
    public let provenance: PolicyProvenance

    public init(policy: Policy, provenance: PolicyProvenance) {
        self.policy = policy
        self.provenance = provenance
    }
}
