import Foundation

/// A record as it leaves the log for whoever checks it: the very bytes that were hashed. One line of `records.jsonl`.
public struct AuditEntry: Sendable, Hashable, Codable {
    /// The leaf's canonical JSON; its RFC 6962 leaf hash is SHA-256(00 ‖ UTF-8 of this text).
    public let leaf: String
    /// The texts whose SHA-256 the leaf's `_sd` holds in base64url; erased ones are not there.
    public let disclosures: [String]
    /// The inclusion proof's hashes in base64, from the leaf to the root; where it was asked for.
    public let proof: [String]?

    public init(leaf: String, disclosures: [String], proof: [String]? = nil) {
        self.leaf = leaf
        self.disclosures = disclosures
        self.proof = proof
    }

    init(_ stored: StoredRecord, proof: [String]? = nil) {
        self.init(
            leaf: String(decoding: stored.leaf, as: UTF8.self),
            disclosures: stored.disclosures.map { String(decoding: $0, as: UTF8.self) }, proof: proof)
    }

    /// RFC 6962's hash of the leaf.
    public var leafHash: MerkleHash { .leaf(Data(leaf.utf8)) }
}
