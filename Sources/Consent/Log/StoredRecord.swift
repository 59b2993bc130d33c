import Foundation

/// A record as its rows hold it, not yet checked.
public struct StoredRecord: Sendable, Hashable {
    public let index: Int64
    /// Canonical JSON; see `RecordLeaf`.
    public let leaf: Data
    /// RFC 6962's hash of the leaf.
    public let leafHash: Data
    /// Encoded disclosures, in any order; erased ones are not there.
    public let disclosures: [Data]

    public init(index: Int64, leaf: Data, leafHash: Data, disclosures: [Data]) {
        self.index = index
        self.leaf = leaf
        self.leafHash = leafHash
        self.disclosures = disclosures
    }
}
