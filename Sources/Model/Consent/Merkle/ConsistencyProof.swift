/// That a tree is the beginning of another one: the proof of RFC 6962, section 2.1.2.
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
        var node = from - 1
        var last = to - 1
        while node & 1 == 1 {
            node >>= 1
            last >>= 1
        }
        guard let start = path.popFirst() else { return false }
        var (old, new) = (start, start)
        for hash in path {
            guard last != 0 else { return false }
            if node & 1 == 1 || node == last {
                old = .node(hash, old)
                new = .node(hash, new)
                while node & 1 == 0 && node != 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                new = .node(new, hash)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && old == earlier.root && new == later.root
    }
}
