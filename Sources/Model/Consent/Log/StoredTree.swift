import Foundation

/// The tree after the last record, as its row holds it, not yet checked.
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
