/// A proof that a part of a log, alone, is the part of a larger tree that it claims to be:
/// draft-ietf-plants-merkle-tree-certs, "Subtree Consistency Proofs".
///
/// A subtree is a range of leaves that begins at a multiple of the smallest power of two that is not less than its length.
/// One that begins at 0 is a whole tree, whose proof is RFC 6962's consistency proof.
public struct SubtreeProof: Sendable, Hashable {
    /// More than any tree that a size of 2⁶³ can name needs (C2SP tlog-mirror).
    public static let maximumLength = 63

    /// The leaves of the subtree.
    public let subtree: Range<UInt64>
    /// Of the tree.
    public let size: UInt64
    public let hashes: [MerkleHash]

    /// - Returns: `nil` unless the tree has such a subtree and a proof of this length.
    public init?(of subtree: Range<UInt64>, in size: UInt64, hashes: [MerkleHash]) {
        guard let plan = ProofPlan.subtree(subtree, in: size), plan.count == hashes.count else { return nil }
        self.subtree = subtree
        self.size = size
        self.hashes = hashes
    }

    /// Whether the tree has, at these leaves, the subtree with this root (the draft's "Verifying a Subtree Consistency Proof").
    ///
    /// - Parameter root: RFC 6962's root of a tree of just the subtree's leaves.
    public func proves(_ root: MerkleHash, in head: TreeHead) -> Bool {
        guard head.size == size else { return false }
        var climb = SubtreeClimb(first: subtree.lowerBound, last: subtree.upperBound - 1, end: size - 1)
        climb.riseToStart()
        var path = hashes[...]
        guard let start = climb.isComplete ? root : path.popFirst() else { return false }
        var (part, whole) = (start, start)
        for hash in path {
            guard !climb.isAtRoot else { return false }
            if climb.isRightNode {
                if !climb.isComplete { part = .node(hash, part) }
                whole = .node(hash, whole)
                climb.riseToRight()
            } else {
                whole = .node(whole, hash)
            }
            climb.rise()
        }
        return climb.isAtRoot && part == root && whole == head.root
    }
}

/// The path from the last complete node of a subtree up to the tree's root, by positions in each level.
private struct SubtreeClimb {
    /// The subtree's first node, its last one, and the tree's last one.
    private(set) var first: UInt64
    private(set) var last: UInt64
    private(set) var end: UInt64

    var isAtRoot: Bool { end == 0 }
    /// Whether the subtree is one node here.
    var isComplete: Bool { first == last }
    /// Whether the node's sibling is on the left; the last node of a level counts as one also without a sibling.
    var isRightNode: Bool { last & 1 == 1 || last == end }

    init(first: UInt64, last: UInt64, end: UInt64) {
        self.first = first
        self.last = last
        self.end = end
    }

    mutating func rise() {
        first >>= 1
        last >>= 1
        end >>= 1
    }

    /// To the greatest node that the subtree ends with.
    mutating func riseToStart() { while !isComplete && isRightNode { rise() } }

    /// To the node that has a sibling on the left: a node at the right edge without a sibling is its own parent.
    mutating func riseToRight() { while last & 1 == 0 && last != 0 { rise() } }
}

extension ProofPlan {
    /// Whether the draft has such a subtree ("Definition of a Subtree"): not empty, and beginning at a multiple of the
    /// smallest power of two that is not less than its length.
    public static func isSubtree(_ range: Range<UInt64>) -> Bool {
        guard let last = range.last else { return false }
        let height = UInt64.bitWidth - (last - range.lowerBound).leadingZeroBitCount
        return range.lowerBound.trailingZeroBitCount >= height
    }

    /// The draft's SUBTREE_PROOF(start, end, D[size]).
    ///
    /// - Returns: in the order of the proof, empty where it needs no hashes; `nil` when the range is not a subtree, or goes
    ///   beyond the tree.
    public static func subtree(_ subtree: Range<UInt64>, in size: UInt64) -> [Range<UInt64>]? {
        guard isSubtree(subtree), subtree.upperBound <= size else { return nil }
        var tree = 0..<size
        var parts: [Range<UInt64>] = []
        // Once the subtree's left part is passed, what is left of it begins where the tree does, and its root is unknown
        // to the verifier.
        var rest = subtree
        while tree != rest {
            let (left, right) = halves(of: tree)
            if rest.upperBound <= left.upperBound {
                parts.append(right)
                tree = left
            } else {
                parts.append(left)
                tree = right
                rest = max(rest.lowerBound, right.lowerBound)..<rest.upperBound
            }
        }
        if rest != subtree { parts.append(rest) }
        return parts.reversed()
    }
}
