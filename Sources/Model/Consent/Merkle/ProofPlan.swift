/// Which parts of a tree a proof is made of, for whoever keeps the leaves.
///
/// Each range stands for one hash of the proof: RFC 6962's root of a tree of just these leaves. All ranges but those that
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
        // The earlier tree's own root is known to whoever checks; a part of it is not.
        if tree.lowerBound != 0 { parts.append(tree) }
        return parts.reversed()
    }

    /// The left half holds the greatest power of two that is less than the whole.
    private static func halves(of tree: Range<UInt64>) -> (left: Range<UInt64>, right: Range<UInt64>) {
        let count = tree.upperBound - tree.lowerBound
        let half: UInt64 = 1 << UInt64(UInt64.bitWidth - 1 - (count - 1).leadingZeroBitCount)
        let middle = tree.lowerBound + half
        return (tree.lowerBound..<middle, middle..<tree.upperBound)
    }
}
