import Crypto
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

    private init(_ digest: SHA256Digest) {
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
    public static func leaf(_ data: Data) -> MerkleHash {
        var hash = SHA256()
        withUnsafeBytes(of: UInt8(0)) { hash.update(bufferPointer: $0) }
        data.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return MerkleHash(hash.finalize())
    }

    /// SHA-256(01 ‖ left ‖ right)
    public static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        var hash = SHA256()
        withUnsafeBytes(of: UInt8(1)) { hash.update(bufferPointer: $0) }
        withUnsafeBytes(of: (left.words, right.words)) { hash.update(bufferPointer: $0) }
        return MerkleHash(hash.finalize())
    }

    public var base64: String { bytes.base64EncodedString() }
}
