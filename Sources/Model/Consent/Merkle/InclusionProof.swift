/// That a leaf is in a tree, and where: the audit path of RFC 6962, section 2.1.1.
public struct InclusionProof: Sendable, Hashable {
    /// Of the leaf, from 0.
    public let index: UInt64
    /// Of the tree.
    public let size: UInt64
    /// From the leaf's sibling up to the root's child.
    public let hashes: [MerkleHash]

    /// - Returns: `nil` unless the tree has such a leaf and a path of this length.
    public init?(index: UInt64, size: UInt64, hashes: [MerkleHash]) {
        guard index < size, hashes.count == Self.length(index: index, size: size) else { return nil }
        self.index = index
        self.size = size
        self.hashes = hashes
    }

    /// The root that a tree with this leaf at this place has (RFC 9162, section 2.1.3.2).
    ///
    /// - Returns: `nil` when the path does not end at a root.
    public func root(of leafHash: MerkleHash) -> MerkleHash? {
        var node = index
        var last = size - 1
        var hash = leafHash
        for sibling in hashes {
            guard last != 0 else { return nil }
            if node & 1 == 1 || node == last {
                hash = .node(sibling, hash)
                while node & 1 == 0 && node != 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                hash = .node(hash, sibling)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 ? hash : nil
    }

    public func proves(_ leafHash: MerkleHash, in head: TreeHead) -> Bool {
        head.size == size && root(of: leafHash) == head.root
    }

    /// How many siblings the way to the root has: one at each level, but none where the way runs along the right edge
    /// and there is nothing beside it.
    private static func length(index: UInt64, size: UInt64) -> Int {
        let inner = UInt64.bitWidth - (index ^ (size - 1)).leadingZeroBitCount
        return inner + (inner < UInt64.bitWidth ? (index >> UInt64(inner)).nonzeroBitCount : 0)
    }
}
