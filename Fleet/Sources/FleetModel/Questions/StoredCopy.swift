import Authorization
import Consent
import Foundation

/// A record as a row of `fleet.record` keeps it: the parts of its leaf, and of its disclosure if there is one.
public struct RecordRow: Sendable, Hashable {
    public let index: UInt64
    public let kind: RecordKind
    public let time: Timestamp
    public let digest: Data
    /// The disclosure's text; `nil`: withheld, erased or dropped.
    public let disclosure: Data?
    /// Whether the row says that the machine erased the fields.
    public let isErased: Bool

    public init(index: UInt64, kind: RecordKind, time: Timestamp, digest: Data, disclosure: Data?, isErased: Bool) {
        self.index = index
        self.kind = kind
        self.time = time
        self.digest = digest
        self.disclosure = disclosure
        self.isErased = isErased
    }

    public var leafHash: MerkleHash {
        .leaf(RecordLeaf(index: Int64(clamping: index), kind: kind, time: time, digestBytes: digest).data)
    }

    /// - Parameter proof: of its inclusion.
    public func entry(proof: InclusionProof? = nil) -> AuditEntry {
        AuditEntry(
            index: index, kind: kind, time: time, digest: digest, disclosure: disclosure,
            proof: proof?.hashes.map(\.base64))
    }
}

/// What does not fit in the copy of a machine's log.
public struct CopyProblem: Error, Sendable, Hashable, Codable {
    /// The first record that is wrong; `nil`: no single record is.
    public let record: UInt64?
    /// A sentence.
    public let message: String

    public init(_ record: UInt64?, _ reason: String) {
        self.record = record
        message = record.map { "Record \($0): \(reason)." } ?? "\(reason)."
    }
}

/// The parts of a log's tree that are stored: full tiles of level 0, and all complete subtrees of the levels above.
public struct TiledTree {
    /// A tile's hashes as they are stored; empty: it is not.
    public typealias Reader = (_ level: Int, _ position: UInt64) async throws -> [MerkleHash]

    private struct Place: Hashable {
        let level: Int
        let position: UInt64
    }

    private static let mostTiles = 1024

    private let read: Reader
    private var tiles: [Place: [MerkleHash]] = [:]

    /// - Parameter read: also of the incomplete tile of level 0, from the records.
    public init(_ read: @escaping Reader) { self.read = read }

    /// The hashes of a tile as it is stored.
    public static func hashes(_ bytes: Data) -> [MerkleHash] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: MerkleHash.size).compactMap {
            MerkleHash(bytes: bytes[$0..<min($0 + MerkleHash.size, bytes.endIndex)])
        }
    }

    /// - Throws: `CopyProblem` if a tile is not there.
    public mutating func inclusionProof(of index: UInt64, in size: UInt64) async throws -> InclusionProof {
        var hashes: [MerkleHash] = []
        for range in ProofPlan.inclusion(of: index, in: size) ?? [] { hashes.append(try await hash(of: range)) }
        guard let proof = InclusionProof(index: index, size: size, hashes: hashes) else {
            throw CopyProblem(index, "it is not in a log of \(size) records")
        }
        return proof
    }

    /// The root over leaves that begin where a subtree of their number may.
    public mutating func hash(of range: Range<UInt64>) async throws -> MerkleHash {
        var subtrees: [MerkleHash] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let fitting = 63 - (range.upperBound - start).leadingZeroBitCount
            let level = min(start == 0 ? fitting : start.trailingZeroBitCount, fitting)
            subtrees.append(try await subtree(level, start >> UInt64(level)))
            start += 1 << UInt64(level)
        }
        guard var root = subtrees.popLast() else { return .empty }
        while let left = subtrees.popLast() { root = .node(left, root) }
        return root
    }

    private mutating func subtree(_ level: Int, _ position: UInt64) async throws -> MerkleHash {
        let (base, inTile) = (level / 8, level % 8)
        let first = position << UInt64(inTile)
        let place = Place(level: base, position: first / 256)
        let tile: [MerkleHash]
        if let known = tiles[place] {
            tile = known
        } else {
            tile = try await read(place.level, place.position)
            if tiles.count >= Self.mostTiles { tiles = [:] }
            tiles[place] = tile
        }
        let start = Int(first % 256)
        guard start + 1 << inTile <= tile.count else {
            throw CopyProblem(nil, "A tile of the tree is missing: level \(base), \(place.position)")
        }
        var hashes = Array(tile[start..<(start + 1 << inTile)])
        while hashes.count > 1 {
            hashes = stride(from: 0, to: hashes.count, by: 2).map { .node(hashes[$0], hashes[$0 + 1]) }
        }
        return hashes[0]
    }
}
