/// What came of a person's request.
public struct RightsAnswer: Sendable, Hashable {
    public enum Outcome: String, Sendable, Codable, Hashable, CaseIterable {
        case fulfilled
        /// Some of it stays; `kept` says what and why.
        case partly
        case failed
    }

    /// Records that stay although their erasure was asked for, because something stands on them.
    public struct Kept: Sendable, Hashable {
        public let records: Int
        public let reason: KeepingReason

        public init(records: Int, reason: KeepingReason) {
            self.records = records
            self.reason = reason
        }
    }

    public let outcome: Outcome
    /// How many records lost their fields.
    public let records: Int
    /// How many kept items are gone.
    public let items: Int
    public let kept: [Kept]

    public init(outcome: Outcome, records: Int = 0, items: Int = 0, kept: [Kept] = []) {
        self.outcome = outcome
        self.records = records
        self.items = items
        self.kept = kept
    }
}
