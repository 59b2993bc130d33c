/// What a tree is as a whole: how many leaves it has and the one hash that stands for all of them.
public struct TreeHead: Sendable, Hashable {
    public let size: UInt64
    public let root: MerkleHash

    public init(size: UInt64, root: MerkleHash) {
        self.size = size
        self.root = root
    }
}
