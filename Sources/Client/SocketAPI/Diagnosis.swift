import Authorization
import Foundation

extension DiagnosisReply.Policy {
    public init(folder: String, _ policy: Authorization.Policy, _ provenance: PolicyProvenance?, at now: Date) {
        self.init(
            folder: folder, files: provenance?.files.keys.sorted() ?? [], broken: provenance?.broken ?? [:],
            rules: policy.rules.count, rulesInForce: policy.rulesInForce(at: now).count,
            nextChange: policy.nextChange(after: now), timeZone: policy.timeZone.identifier)
    }
}

extension DiagnosisReply.Anchors {
    /// The newest records that no checkpoint on this machine covers.
    public var unsigned: UInt64 { size - min(size, signed) }

    /// The newest records that no checkpoint outside the service's power covers.
    public var uncovered: UInt64 { size - min(size, max(published, witnessed, journal ?? 0)) }
}

/// The version of all programs of this package; they are built and installed together.
public enum ServiceVersion {
    public static let current = "0.1.0"
}
