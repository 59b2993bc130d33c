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

extension MerkleHash {
    /// The hashes of a tile as it is stored.
    public static func list(_ bytes: Data) -> [MerkleHash] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: size).compactMap {
            MerkleHash(bytes: bytes[$0..<min($0 + size, bytes.endIndex)])
        }
    }
}

extension SubtreeReader {
    /// Of a host's copy.
    ///
    /// - Parameter read: also the incomplete tile of level 0, from the records.
    public init(ofCopy size: UInt64, _ read: @escaping Tiles) {
        self.init(size: size, read) { CopyProblem(nil, "A tile of the tree is missing: level \($0), \($1)") }
    }
}
