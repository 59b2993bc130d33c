import Foundation

/// A person's stored answer.
public struct Decision: Sendable, Hashable, Codable {
    public let key: DecisionKey
    public let verdict: Verdict
    /// SHA-256 of the program the person said yes to, hexadecimal; a yes is good for these bytes only, and a yes without
    /// them for nothing. A no holds whatever the program has become.
    public let executableSHA256: String?
    public let indication: Indication
    public let decidedAt: Date

    public init(
        key: DecisionKey, verdict: Verdict, executableSHA256: String?, indication: Indication, decidedAt: Date
    ) {
        self.key = key
        self.verdict = verdict
        self.executableSHA256 = executableSHA256
        self.indication = indication
        self.decidedAt = decidedAt
    }
}
