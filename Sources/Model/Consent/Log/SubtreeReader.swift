/// Hashes of any range of leaves of a tree that is stored in tiles: the leaves, and the roots of every 256 hashes of the tiles below.
///
/// Keeps what it read, so that the proofs of neighbours cost little; for one task.
public struct SubtreeReader: Sendable {
    /// A tile's hashes, at most 256 and as many as are there. Level 0 has the leaves.
    public typealias Tiles = @Sendable (_ level: Int, _ position: UInt64) async throws -> [MerkleHash]

    static let width = UInt64(1) << UInt64(TreeNode.spacing)
    private static let mostTiles = 256

    private let size: UInt64
    private let read: Tiles
    private let missing: @Sendable (_ level: Int, _ position: UInt64) -> any Error
    private var tiles: [Place: [MerkleHash]] = [:]

    private struct Place: Hashable {
        let level: Int
        let position: UInt64
    }

    /// - Parameters:
    ///   - size: the tree's; no range may go beyond it.
    ///   - missing: what is thrown if a tile does not have what the tree of this size has.
    public init(
        size: UInt64, _ read: @escaping Tiles,
        missing: @escaping @Sendable (_ level: Int, _ position: UInt64) -> any Error
    ) {
        (self.size, self.read, self.missing) = (size, read, missing)
    }

    /// - Returns: `nil` when the tree has no such leaf.
    public mutating func inclusionProof(of index: UInt64) async throws -> InclusionProof? {
        guard let plan = ProofPlan.inclusion(of: index, in: size) else { return nil }
        return InclusionProof(index: index, size: size, hashes: try await hashes(of: plan))
    }

    /// - Parameter plan: see `hash(of:)`.
    public mutating func hashes(of plan: [Range<UInt64>]) async throws -> [MerkleHash] {
        var hashes: [MerkleHash] = []
        for range in plan { hashes.append(try await hash(of: range)) }
        return hashes
    }

    /// The root of the RFC 6962 tree over the leaves of the range, which must begin where a subtree of its size may.
    mutating func hash(of range: Range<UInt64>) async throws -> MerkleHash {
        var subtrees: [MerkleHash] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let fitting = (range.upperBound - start).bitWidth - 1 - (range.upperBound - start).leadingZeroBitCount
            let level = min(start == 0 ? fitting : start.trailingZeroBitCount, fitting)
            subtrees.append(try await subtree(level: level, position: start >> UInt64(level)))
            start += 1 << UInt64(level)
        }
        guard var root = subtrees.popLast() else { return .empty }
        while let left = subtrees.popLast() { root = .node(left, root) }
        return root
    }

    private mutating func subtree(level: Int, position: UInt64) async throws -> MerkleHash {
        let (base, inTile) = level.quotientAndRemainder(dividingBy: TreeNode.spacing)
        let first = position << UInt64(inTile)
        let place = Place(level: base, position: first / Self.width)
        let tile: [MerkleHash]
        if let known = tiles[place] {
            tile = known
        } else {
            tile = try await read(place.level, place.position)
            if tiles.count >= Self.mostTiles { tiles = [:] }
            tiles[place] = tile
        }
        let start = Int(first % Self.width)
        let end = start + (1 << inTile)
        guard end <= tile.count else { throw missing(place.level, place.position) }
        return .root(ofComplete: tile[start..<end])
    }
}
