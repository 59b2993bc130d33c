/// What can be told of a stored log without reading it.
public struct StoredSummary: Sendable, Hashable {
    /// `nil`: nothing was ever appended.
    public let tree: StoredTree?
    /// Least and greatest index of the records; `nil` when there are none.
    public let indexes: ClosedRange<Int64>?

    public init(tree: StoredTree?, indexes: ClosedRange<Int64>?) {
        self.tree = tree
        self.indexes = indexes
    }
}
