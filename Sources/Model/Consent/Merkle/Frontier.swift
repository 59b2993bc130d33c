import Foundation

/// The roots of the complete subtrees that a tree consists of, largest first; one for each bit set in its size.
///
/// This is all that is needed to append a leaf and to know the root, both in O(log n), without the leaves.
public struct Frontier: Sendable, Hashable {
    public private(set) var size: UInt64
    public private(set) var subtrees: [MerkleHash]

    public init() {
        size = 0
        subtrees = []
    }

    /// - Returns: `nil` when the bytes are not the hashes that a tree of this size has.
    public init?(size: UInt64, bytes: Data) {
        guard bytes.count == size.nonzeroBitCount * MerkleHash.size else { return nil }
        self.size = size
        self.subtrees = stride(from: 0, to: bytes.count, by: MerkleHash.size).compactMap {
            MerkleHash(bytes: bytes.dropFirst($0).prefix(MerkleHash.size))
        }
    }

    /// The subtrees' hashes one after the other.
    public var bytes: Data { subtrees.reduce(into: Data()) { $0.append($1.bytes) } }

    public var root: MerkleHash {
        guard var root = subtrees.last else { return .empty }
        for subtree in subtrees.dropLast().reversed() { root = .node(subtree, root) }
        return root
    }

    public var head: TreeHead { TreeHead(size: size, root: root) }

    public mutating func append(leaf: Data) { append(.leaf(leaf)) }

    public mutating func append(_ leafHash: MerkleHash) { _ = append(leafHash, level: 0) }

    /// Appends a complete subtree of 2^`level` leaves; the size must be a multiple of that.
    ///
    /// - Returns: the nodes to keep (see `TreeNode`) that became complete with it, lowest first.
    @discardableResult
    public mutating func append(_ subtree: MerkleHash, level: Int) -> [TreeNode] {
        precondition(size.trailingZeroBitCount >= level, "a subtree begins at a multiple of its size")
        var hash = subtree
        var height = level
        var kept: [TreeNode] = []
        func keep() {
            if height > 0, height.isMultiple(of: TreeNode.spacing) {
                kept.append(TreeNode(level: height, position: size >> UInt64(height), hash: hash))
            }
        }
        keep()
        // Adding to the size carries over its ones; each carry joins two subtrees of equal size.
        while size >> UInt64(height) & 1 == 1, let left = subtrees.popLast() {
            hash = .node(left, hash)
            height += 1
            keep()
        }
        subtrees.append(hash)
        size += 1 << UInt64(level)
        return kept
    }
}
