import Foundation

/// A person's stored answer.
public struct Decision: Sendable, Hashable, Codable {
    public let key: DecisionKey
    public let verdict: Verdict
    /// The program the person said yes to; a yes is good for these bytes only, and a yes without them for nothing. A no
    /// holds whatever the program has become.
    public let program: AllowedProgram?
    /// `nil` for a no.
    public var terms: Terms?
    public let indication: Indication
    public let decidedAt: Date

    public init(
        key: DecisionKey, verdict: Verdict, program: AllowedProgram?, terms: Terms?, indication: Indication,
        decidedAt: Date
    ) {
        self.key = key
        self.verdict = verdict
        self.program = program
        self.terms = terms
        self.indication = indication
        self.decidedAt = decidedAt
    }
}
