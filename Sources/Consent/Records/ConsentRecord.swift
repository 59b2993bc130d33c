import Foundation

/// A thing that happened, with its place in the log.
public struct ConsentRecord: Sendable, Hashable {
    public let index: UInt64
    public let kind: RecordKind
    public let time: Timestamp
    /// Root of the tree before this record: the link to everything that came before it.
    public let previous: MerkleHash
    /// The fields that were not erased.
    public let fields: [String: JSONValue]
    /// How many fields are committed to but not there any more.
    public let missingFields: Int
}

extension ConsentRecord {
    /// Puts a stored record together again.
    ///
    /// This checks everything that can be told of a record alone: its leaf against the leaf's hash, its index, and each
    /// disclosure against the digests in the leaf.
    init(_ stored: StoredRecord) throws(RecordProblem) {
        let index = stored.index
        guard MerkleHash.leaf(stored.leaf).bytes == stored.leafHash else {
            throw RecordProblem(.leafAltered, index, "its leaf does not have the hash that was stored with it")
        }
        guard let leaf = RecordLeaf(data: stored.leaf), let position = UInt64(exactly: leaf.index) else {
            throw RecordProblem(.leafAltered, index, "its leaf is no record that this version can read")
        }
        guard leaf.index == index else {
            throw RecordProblem(.indexWrong, index, "its leaf was written for place \(leaf.index)")
        }
        var open = Set(leaf.digests)
        guard open.count == leaf.digests.count, leaf.digests == leaf.digests.sorted() else {
            throw RecordProblem(.leafAltered, index, "the digests in its leaf are not sorted, or one is there twice")
        }
        var fields: [String: JSONValue] = [:]
        for encoded in stored.disclosures {
            guard open.remove(Disclosure.digest(of: encoded)) != nil,
                let disclosure = Disclosure(encoded: String(decoding: encoded, as: UTF8.self)),
                fields.updateValue(disclosure.value, forKey: disclosure.name) == nil
            else {
                throw RecordProblem(.disclosureAltered, index, "it has a field that its leaf does not vouch for")
            }
        }
        self.init(
            index: position, kind: leaf.kind, time: leaf.time, previous: leaf.previous, fields: fields,
            missingFields: open.count)
    }
}
