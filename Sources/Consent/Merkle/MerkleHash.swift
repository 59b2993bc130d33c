import Crypto
import Foundation

/// A SHA-256 of a Merkle tree as RFC 6962, section 2.1 builds it; 32 bytes.
public struct MerkleHash: Sendable, Hashable {
    public static let size = 32

    public let bytes: Data

    /// - Returns: `nil` unless there are exactly 32 bytes.
    public init?(bytes: Data) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    private init(_ digest: SHA256Digest) { bytes = Data(digest) }

    /// Root of the tree without leaves: SHA-256 of nothing.
    public static let empty = MerkleHash(SHA256.hash(data: Data()))

    /// SHA-256(00 ‖ data)
    public static func leaf(_ data: Data) -> MerkleHash {
        var hash = SHA256()
        hash.update(data: [0])
        hash.update(data: data)
        return MerkleHash(hash.finalize())
    }

    /// SHA-256(01 ‖ left ‖ right)
    public static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        var hash = SHA256()
        hash.update(data: [1])
        hash.update(data: left.bytes)
        hash.update(data: right.bytes)
        return MerkleHash(hash.finalize())
    }

    public var base64: String { bytes.base64EncodedString() }
}
