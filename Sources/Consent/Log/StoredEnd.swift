/// What a log keeps besides its records, as of the moment when the last of them was read.
public struct StoredEnd: Sendable, Hashable {
    public let tree: StoredTree?
    public let decisions: [StoredDecision]
    /// Disclosures of all records.
    public let disclosureCount: Int

    public init(tree: StoredTree?, decisions: [StoredDecision], disclosureCount: Int) {
        self.tree = tree
        self.decisions = decisions
        self.disclosureCount = disclosureCount
    }
}
