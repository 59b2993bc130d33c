import Foundation

/// A record as its row holds it, not yet checked.
public struct StoredRecord: Sendable, Hashable {
    public let index: Int64
    /// The leaf's kind once more, to find the records of one kind by.
    public let kind: String
    /// Canonical JSON; see `RecordLeaf`.
    public let leaf: Data
    /// The text of the disclosure; those of schema 1, of which a record had several, with `~` between. `nil`: erased.
    public let disclosed: Data?

    public init(index: Int64, kind: String, leaf: Data, disclosed: Data?) {
        self.index = index
        self.kind = kind
        self.leaf = leaf
        self.disclosed = disclosed
    }

    /// The disclosures' texts, in any order.
    var disclosures: [Data] {
        guard let disclosed else { return [] }
        if disclosed.first == UInt8(ascii: "[") { return [disclosed] }
        return disclosed.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).map { Data($0) }
    }
}
