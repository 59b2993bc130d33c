import Cryptography
import Foundation

/// A SHA-256 of a Merkle tree as RFC 6962, section 2.1 builds it; 32 bytes.
public struct MerkleHash: Sendable, Hashable {
    public static let size = 32

    /// The bytes in memory's order. Kept in place: a million hashes in `Data` would be a million allocations. No SIMD
    /// vector, whose alignment of 32 bytes Swift 6.3 does not keep in the frames of asynchronous functions.
    private let words: Words
    private typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// - Returns: `nil` unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        var words: Words = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        self.words = words
    }

    private init(_ digest: SHA256.Digest) {
        var words: Words = (0, 0, 0, 0)
        digest.withUnsafeBytes { source in withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: source) } }
        self.words = words
    }

    public static func == (left: MerkleHash, right: MerkleHash) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    public var bytes: Data { withUnsafeBytes(of: words) { Data($0) } }

    /// Root of the tree without leaves: SHA-256 of nothing.
    public static let empty = MerkleHash(SHA256.hash(data: Data()))

    /// SHA-256(00 ‖ data)
    public static func leaf(_ data: Data) -> MerkleHash { data.withUnsafeBytes { leaf($0) } }

    static func leaf(_ data: UnsafeRawBufferPointer) -> MerkleHash {
        var hash = SHA256()
        withUnsafeBytes(of: UInt8(0)) { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: data)
        return MerkleHash(hash.finalize())
    }

    /// SHA-256(01 ‖ left ‖ right)
    public static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        var hash = SHA256()
        withUnsafeBytes(of: UInt8(1)) { hash.update(bufferPointer: $0) }
        withUnsafeBytes(of: (left.words, right.words)) { hash.update(bufferPointer: $0) }
        return MerkleHash(hash.finalize())
    }

    /// The root over a power of two of hashes.
    static func root(ofComplete hashes: ArraySlice<MerkleHash>) -> MerkleHash {
        var level = Array(hashes)
        var count = level.count
        while count > 1 {
            count /= 2
            for place in 0..<count { level[place] = .node(level[2 * place], level[2 * place + 1]) }
        }
        return level[0]
    }

    public var base64: String { bytes.base64EncodedString() }
}

extension MerkleHash {
    /// - Returns: `nil` unless the text is what `base64` writes.
    public init?(base64: some Sequence<UInt8>) {
        guard let bytes = StrictBase64.decode(base64) else { return nil }
        self.init(bytes: bytes)
    }

    /// - Returns: `nil` unless the text is what `base64` writes.
    public init?(base64: String) { self.init(base64: base64.utf8) }
}

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
            MerkleHash(bytes: bytes.dropFirst($0).prefix(MerkleHash.size))
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

    public mutating func append(_ leafHash: MerkleHash) { _ = append(leafHash, level: 0) }

    /// Appends a complete subtree of 2^`level` leaves; the size must be a multiple of that.
    ///
    /// - Returns: the nodes to keep (see `TreeNode`) that became complete with it, lowest first.
    @discardableResult
    public mutating func append(_ subtree: MerkleHash, level: Int) -> [TreeNode] {
        precondition(size.trailingZeroBitCount >= level, "a subtree begins at a multiple of its size")
        var hash = subtree
        var height = level
        var kept: [TreeNode] = []
        func keep() {
            if height > 0, height.isMultiple(of: TreeNode.spacing) {
                kept.append(TreeNode(level: height, position: size >> UInt64(height), hash: hash))
            }
        }
        keep()
        // Adding to the size carries over its ones; each carry joins two subtrees of equal size.
        while size >> UInt64(height) & 1 == 1, let left = subtrees.popLast() {
            hash = .node(left, hash)
            height += 1
            keep()
        }
        subtrees.append(hash)
        size += 1 << UInt64(level)
        return kept
    }
}

/// A tree's size and root hash.
public struct TreeHead: Sendable, Hashable {
    public let size: UInt64
    public let root: MerkleHash

    public init(size: UInt64, root: MerkleHash) {
        self.size = size
        self.root = root
    }
}

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
