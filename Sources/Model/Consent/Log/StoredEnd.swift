/// What a log keeps besides its records, as of the moment when the last of them was read.
public struct StoredEnd: Sendable, Hashable {
    public let tree: StoredTree?
    public let decisions: [StoredDecision]
    /// By level, then position.
    public let nodes: [TreeNode]

    public init(tree: StoredTree?, decisions: [StoredDecision], nodes: [TreeNode]) {
        self.tree = tree
        self.decisions = decisions
        self.nodes = nodes
    }
}
