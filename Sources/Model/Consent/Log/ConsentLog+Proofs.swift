import Foundation

extension ConsentLog {
    /// The root of the first `size` records.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord` when there are fewer.
    public func root(at size: UInt64) async throws -> MerkleHash {
        guard size <= tree.size else { throw ConsentError.noSuchRecord(size, of: tree.size) }
        if size == tree.size { return tree.root }
        var reader = SubtreeReader(storage: storage, size: size)
        return try await reader.hash(of: 0..<size)
    }

    /// A proof, verifiable without the log, that a record is in it.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord`.
    public func inclusionProof(of index: UInt64) async throws -> OfflineProof {
        guard index < tree.size else { throw ConsentError.noSuchRecord(index, of: tree.size) }
        let note = try await signedCheckpoint()
        guard let checkpoint = Checkpoint(text: note.text), index < checkpoint.size else {
            throw ConsentError.noSuchRecord(index, of: tree.size)
        }
        var reader = SubtreeReader(storage: storage, size: checkpoint.size)
        let inclusion = try await reader.inclusionProof(of: index)
        guard let proof = inclusion.flatMap({ OfflineProof($0, in: note) }) else {
            throw ConsentError.noSuchRecord(index, of: checkpoint.size)
        }
        return proof
    }

    /// A proof that the log of an earlier size is the beginning of that of a later one.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord`.
    public func consistencyProof(from: UInt64, to: UInt64) async throws -> ConsistencyProof {
        guard to <= tree.size, let plan = ProofPlan.consistency(from: from, to: to) else {
            throw ConsentError.noSuchRecord(max(from, to), of: tree.size)
        }
        var reader = SubtreeReader(storage: storage, size: to)
        var hashes: [MerkleHash] = []
        for range in plan { hashes.append(try await reader.hash(of: range)) }
        guard let proof = ConsistencyProof(from: from, to: to, hashes: hashes) else {
            throw ConsentError.noSuchRecord(from, of: tree.size)
        }
        return proof
    }
}

extension SubtreeReader {
    /// - Returns: `nil` when the tree has no such leaf.
    mutating func inclusionProof(of index: UInt64) async throws -> InclusionProof? {
        guard let plan = ProofPlan.inclusion(of: index, in: size) else { return nil }
        var hashes: [MerkleHash] = []
        for range in plan { hashes.append(try await hash(of: range)) }
        return InclusionProof(index: index, size: size, hashes: hashes)
    }
}

extension ConsentError {
    static func noSuchRecord(_ index: UInt64, of size: UInt64) -> ConsentError {
        ConsentError(code: .noSuchRecord, message: "The log has \(size) records and nothing at \(index).")
    }
}

/// Hashes of any range of leaves, read from the stored nodes and at most a few hundred leaves.
///
/// Keeps what it read, so that the proofs of neighbours cost little; for one task.
struct SubtreeReader {
    private static let width = UInt64(1) << UInt64(TreeNode.spacing)
    private static let mostTiles = 256

    private let storage: any ConsentStorage
    let size: UInt64
    private var tiles: [Tile: [MerkleHash]] = [:]

    /// Up to 256 hashes of one level.
    private struct Tile: Hashable {
        let level: Int
        let position: UInt64
    }

    /// - Parameter size: the tree's; no range may go beyond it.
    init(storage: any ConsentStorage, size: UInt64) {
        self.storage = storage
        self.size = size
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
        let inTile = level % TreeNode.spacing
        let base = level - inTile
        let first = position << UInt64(inTile)
        let tile = try await tile(Tile(level: base, position: first / Self.width))
        let start = Int(first % Self.width)
        let end = start + (1 << inTile)
        guard end <= tile.count else {
            throw ConsentError(
                code: .corrupt,
                message: "A part of the log's tree is not there. Run `voicegate audit verify` to see what is missing.")
        }
        var hashes = Array(tile[start..<end])
        while hashes.count > 1 {
            hashes = stride(from: 0, to: hashes.count, by: 2).map { .node(hashes[$0], hashes[$0 + 1]) }
        }
        return hashes[0]
    }

    private mutating func tile(_ tile: Tile) async throws -> [MerkleHash] {
        if let known = tiles[tile] { return known }
        let first = Int64(clamping: tile.position * Self.width)
        let end = min(first + Int64(Self.width), Int64(clamping: size >> UInt64(tile.level)))
        let range = first..<max(first, end)
        let hashes =
            tile.level == 0
            ? try await storage.records(of: [], in: range, .forward, limit: range.count).map {
                MerkleHash.leaf($0.leaf)
            }
            : try await storage.nodes(level: tile.level, in: range).map(\.hash)
        if tiles.count >= Self.mostTiles { tiles = [:] }
        tiles[tile] = hashes
        return hashes
    }
}
