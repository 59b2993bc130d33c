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
            MerkleHash(bytes: Data(bytes.dropFirst($0).prefix(MerkleHash.size)))
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

    public mutating func append(_ leafHash: MerkleHash) {
        var hash = leafHash
        var carry = size
        // Adding one to the size carries over its trailing ones; each carry joins two subtrees of equal size.
        while carry & 1 == 1, let left = subtrees.popLast() {
            hash = .node(left, hash)
            carry >>= 1
        }
        subtrees.append(hash)
        size += 1
    }
}
