import Authorization
import Foundation

/// The policy in force at one moment, and where it came from.
public struct PolicySnapshot: Sendable, Hashable {
    public let policy: Policy
    public let provenance: PolicyProvenance

    public init(policy: Policy, provenance: PolicyProvenance) {
        self.policy = policy
        self.provenance = provenance
    }

    /// The same rules by other clocks on the wall.
    public func inTimeZone(_ timeZone: TimeZone) -> PolicySnapshot {
        PolicySnapshot(policy: Policy(rules: policy.rules, timeZone: timeZone), provenance: provenance)
    }
}
