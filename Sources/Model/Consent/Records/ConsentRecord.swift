import Foundation

/// A thing that happened, with its place in the log.
public struct ConsentRecord: Sendable, Hashable {
    public let index: UInt64
    public let kind: RecordKind
    public let time: Timestamp
    /// Root of the tree before this record, which records of schema 1 name.
    let previous: MerkleHash?
    /// The fields that were not erased.
    public let fields: [String: JSONValue]
    /// How many disclosures are committed to but not there any more; since schema 2 a record has one for all fields.
    public let missingDisclosures: Int

    public var isErased: Bool { missingDisclosures > 0 }
}

extension ConsentRecord {
    /// Puts a stored record together again.
    ///
    /// This checks everything that can be told of a record alone: its index, its kind, and each disclosure against the
    /// digests in the leaf.
    init(_ stored: StoredRecord) throws(RecordProblem) {
        try self.init(leaf: stored.leaf, disclosures: stored.disclosures, expected: stored.index)
        guard kind.rawValue == stored.kind else {
            throw RecordProblem(.leafAltered, stored.index, "it is filed as another kind than its leaf names")
        }
    }

    /// - Throws: `RecordProblem` when leaf and disclosures do not fit.
    public init(_ entry: AuditEntry) throws(RecordProblem) {
        try self.init(
            leaf: Data(entry.leaf.utf8), disclosures: entry.disclosures.map { Data($0.utf8) }, expected: nil)
    }

    private init(leaf data: Data, disclosures: [Data], expected: Int64?) throws(RecordProblem) {
        guard let leaf = RecordLeaf(data: data), let position = UInt64(exactly: leaf.index) else {
            throw RecordProblem(.leafAltered, expected, "its leaf is no record that this version can read")
        }
        let index = expected ?? leaf.index
        guard leaf.index == index else {
            throw RecordProblem(.indexWrong, index, "its leaf was written for place \(leaf.index)")
        }
        var open = Set(leaf.digests)
        var fields: [String: JSONValue] = [:]
        for text in disclosures {
            guard open.remove(Disclosure.digest(of: text)) != nil, let disclosure = Disclosure(text: text) else {
                throw RecordProblem(.disclosureAltered, index, "it has a field that its leaf does not vouch for")
            }
            if fields.isEmpty {
                fields = disclosure.fields
            } else {
                fields.merge(disclosure.fields) { $1 }
            }
        }
        self.init(
            index: position, kind: leaf.kind, time: leaf.time, previous: leaf.previous, fields: fields,
            missingDisclosures: open.count)
    }
}
