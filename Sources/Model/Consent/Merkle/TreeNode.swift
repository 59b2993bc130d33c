/// A node of the tree that is stored, so that a proof needs no more than a few hundred leaves of any log: the root of
/// the complete subtree over the leaves `position << level ..< (position + 1) << level`.
///
/// Only each eighth level is stored (8, 16, …); what is between is computed from at most 256 hashes below it.
public struct TreeNode: Sendable, Hashable {
    public static let spacing = 8

    public let level: Int
    public let position: UInt64
    public let hash: MerkleHash

    public init(level: Int, position: UInt64, hash: MerkleHash) {
        self.level = level
        self.position = position
        self.hash = hash
    }
}
