import Foundation

/// A record as stored in its row, not yet checked.
public struct StoredRecord: Sendable, Hashable {
    public let index: Int64
    /// A copy of the leaf's kind, to find the records of one kind by.
    public let kind: String
    /// Canonical JSON; see `RecordLeaf`.
    public let leaf: Data
    /// The text of the disclosure; `nil`: erased.
    public let disclosed: Data?

    public init(index: Int64, kind: String, leaf: Data, disclosed: Data?) {
        self.index = index
        self.kind = kind
        self.leaf = leaf
        self.disclosed = disclosed
    }
}

/// A record as stored in its row, not yet checked, where the storage has its bytes: valid during one call of a scan's body.
public struct RecordBytes {
    public let index: Int64
    public let kind: UnsafeRawBufferPointer
    public let leaf: UnsafeRawBufferPointer
    public let disclosed: UnsafeRawBufferPointer?

    public init(
        index: Int64, kind: UnsafeRawBufferPointer, leaf: UnsafeRawBufferPointer, disclosed: UnsafeRawBufferPointer?
    ) {
        self.index = index
        self.kind = kind
        self.leaf = leaf
        self.disclosed = disclosed
    }

    /// A copy that stays.
    public var record: StoredRecord {
        StoredRecord(
            index: index, kind: String(decoding: kind, as: UTF8.self), leaf: Data(leaf),
            disclosed: disclosed.map { Data($0) })
    }
}

/// Consecutive records that are written in one transaction, and all that changes with them.
public struct StoredBatch: Sendable, Hashable {
    public let records: [StoredRecord]
    /// Nodes that the records completed.
    public let nodes: [TreeNode]
    /// In order.
    public let changes: [StoredChange]
    /// Records whose disclosures are deleted, so that their bytes are nowhere in the storage when the write returns.
    public let erased: [Int64]
    /// After the last of the records.
    public let tree: StoredTree
}

/// What a log keeps besides its records.
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

/// What is known of a stored log without reading its records.
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

/// The tree after the last record, as stored in its row, not yet checked.
public struct StoredTree: Sendable, Hashable {
    public let size: Int64
    public let root: Data
    /// The hashes of `Frontier`, one after the other.
    public let frontier: Data

    public init(size: Int64, root: Data, frontier: Data) {
        self.size = size
        self.root = root
        self.frontier = frontier
    }

    init(_ tree: Frontier) {
        self.init(size: Int64(clamping: tree.size), root: tree.root.bytes, frontier: tree.bytes)
    }

    /// - Returns: `nil` when size, root and frontier do not belong together.
    var tree: Frontier? {
        guard let size = UInt64(exactly: size), let tree = Frontier(size: size, bytes: frontier),
            tree.root.bytes == root
        else { return nil }
        return tree
    }
}

/// A signed checkpoint that is kept, not yet checked.
public struct StoredCheckpoint: Sendable, Hashable {
    public let size: Int64
    /// The signed note.
    public let note: Data

    public init(size: Int64, note: Data) {
        self.size = size
        self.note = note
    }
}
