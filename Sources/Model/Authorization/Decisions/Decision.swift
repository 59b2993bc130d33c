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
    /// Index of the record that made it. `nil` while that is being written: the ledger then stores the index of the record
    /// that the decision comes with. Also `nil` where an earlier version made it.
    public var record: UInt64?

    public init(
        key: DecisionKey, verdict: Verdict, program: AllowedProgram?, terms: Terms?, indication: Indication,
        decidedAt: Date, record: UInt64? = nil
    ) {
        self.key = key
        self.verdict = verdict
        self.program = program
        self.terms = terms
        self.indication = indication
        self.decidedAt = decidedAt
        self.record = record
    }

    /// The same with the record that made it, where the ledger remembers one that it does not know itself.
    func knowing(_ record: UInt64?) -> Decision {
        var decision = self
        decision.record = self.record ?? record
        return decision
    }

    /// The same with its moments told by the clock of this boot, so that setting the wall's clock changes nothing any
    /// more.
    func anchored(to now: Moment) -> Decision {
        var decision = self
        if let terms {
            decision.terms?.usedAt = terms.usedAt.anchored(to: now)
            decision.terms?.reviewedAt = terms.reviewedAt.anchored(to: now)
        }
        return decision
    }
}
