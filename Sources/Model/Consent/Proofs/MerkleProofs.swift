/// A proof that a leaf is in a tree at an index: the audit path of RFC 6962, section 2.1.1.
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
        var hash = leafHash
        var climb = TreeClimb(node: index, last: size - 1)
        for sibling in hashes {
            guard let isLeft = climb.passSibling() else { return nil }
            hash = isLeft ? .node(sibling, hash) : .node(hash, sibling)
        }
        return climb.isAtRoot ? hash : nil
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

/// A proof that a tree is the beginning of a larger one: RFC 6962, section 2.1.2.
public struct ConsistencyProof: Sendable, Hashable {
    /// No tree that a size can name needs more; what is longer is refused before it is looked at.
    public static let maximumLength = 65

    /// Size of the earlier tree.
    public let from: UInt64
    /// Size of the later tree.
    public let to: UInt64
    public let hashes: [MerkleHash]

    /// - Returns: `nil` when the sizes are the wrong way round or there are more hashes than any proof has.
    public init?(from: UInt64, to: UInt64, hashes: [MerkleHash]) {
        guard from <= to, hashes.count <= Self.maximumLength else { return nil }
        self.from = from
        self.to = to
        self.hashes = hashes
    }

    /// Whether the later tree begins with the earlier one (RFC 9162, section 2.1.4.2). The tree without leaves is the
    /// beginning of every tree; that, and that a tree is its own beginning, needs no hashes and bears none.
    public func proves(_ earlier: TreeHead, isBeginningOf later: TreeHead) -> Bool {
        guard earlier.size == from, later.size == to else { return false }
        if from == 0 { return hashes.isEmpty && earlier.root == .empty }
        if from == to { return hashes.isEmpty && earlier.root == later.root }
        guard !hashes.isEmpty else { return false }
        var path = hashes[...]
        // A complete subtree is a node of the later tree itself, so that its root is left away.
        if from.nonzeroBitCount == 1 { path = [earlier.root] + path }
        var climb = TreeClimb(node: from - 1, last: to - 1)
        while climb.node & 1 == 1 { climb.rise() }
        guard let start = path.popFirst() else { return false }
        var (old, new) = (start, start)
        for hash in path {
            guard let isLeft = climb.passSibling() else { return false }
            if isLeft { old = .node(hash, old) }
            new = isLeft ? .node(hash, new) : .node(new, hash)
        }
        return climb.isAtRoot && old == earlier.root && new == later.root
    }
}

/// The path from a node up to the root, by positions in each level (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
private struct TreeClimb {
    private(set) var node: UInt64
    /// The last position in the node's level.
    private(set) var last: UInt64

    var isAtRoot: Bool { last == 0 }

    mutating func rise() {
        node >>= 1
        last >>= 1
    }

    /// Rises above the next sibling.
    ///
    /// - Returns: whether the sibling is on the left; `nil` at the root, which has none.
    mutating func passSibling() -> Bool? {
        guard !isAtRoot else { return nil }
        let isLeft = node & 1 == 1 || node == last
        // A node at the right edge has no sibling on the right: it is its own parent.
        if isLeft { while node & 1 == 0 && node != 0 { rise() } }
        rise()
        return isLeft
    }
}

/// The parts of a tree that a proof is made of.
///
/// Each range is one hash of the proof: RFC 6962's root of a tree of just these leaves. All ranges but those that
/// end where the tree ends are complete subtrees: a power of two long, at a multiple of their length.
public enum ProofPlan {
    /// RFC 6962, section 2.1.1: PATH(index, D[size]).
    ///
    /// - Returns: from the leaf's sibling up; `nil` when the tree has no such leaf.
    public static func inclusion(of index: UInt64, in size: UInt64) -> [Range<UInt64>]? {
        guard index < size else { return nil }
        var tree = 0..<size
        var siblings: [Range<UInt64>] = []
        while tree.upperBound - tree.lowerBound > 1 {
            let (left, right) = halves(of: tree)
            let isLeft = index < left.upperBound
            siblings.append(isLeft ? right : left)
            tree = isLeft ? left : right
        }
        return siblings.reversed()
    }

    /// RFC 6962, section 2.1.2: PROOF(from, D[to]).
    ///
    /// - Returns: in the order of the proof, empty where it needs no hashes; `nil` when the sizes are the wrong way round.
    public static func consistency(from: UInt64, to: UInt64) -> [Range<UInt64>]? {
        guard from <= to else { return nil }
        guard from > 0, from < to else { return [] }
        var tree = 0..<to
        var parts: [Range<UInt64>] = []
        while tree.upperBound != from {
            let (left, right) = halves(of: tree)
            let isLeft = from <= left.upperBound
            parts.append(isLeft ? right : left)
            tree = isLeft ? left : right
        }
        // The verifier knows the earlier tree's own root, but not a part of it.
        if tree.lowerBound != 0 { parts.append(tree) }
        return parts.reversed()
    }

    /// The left half has the greatest power of two that is less than the whole.
    static func halves(of tree: Range<UInt64>) -> (left: Range<UInt64>, right: Range<UInt64>) {
        let count = tree.upperBound - tree.lowerBound
        let half: UInt64 = 1 << UInt64(UInt64.bitWidth - 1 - (count - 1).leadingZeroBitCount)
        let middle = tree.lowerBound + half
        return (tree.lowerBound..<middle, middle..<tree.upperBound)
    }
}
