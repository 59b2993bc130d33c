/// Consecutive records that are written in one transaction, and all that changes with them.
public struct StoredBatch: Sendable, Hashable {
    public let records: [StoredRecord]
    /// Nodes that the records completed.
    public let nodes: [TreeNode]
    /// The tree after the last of the records.
    public let tree: StoredTree
    /// In order.
    public let changes: [StoredChange]
    /// Records whose disclosures are deleted, so that their bytes are nowhere in the storage when the write returns.
    public let erased: [Int64]

    public init(
        records: [StoredRecord], nodes: [TreeNode], tree: StoredTree, changes: [StoredChange], erased: [Int64] = []
    ) {
        self.records = records
        self.nodes = nodes
        self.tree = tree
        self.changes = changes
        self.erased = erased
    }
}
