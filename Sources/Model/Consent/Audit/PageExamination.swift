import Foundation

/// What can be told of consecutive records without those before them, so that pages are examined side by side.
struct PageExamination: Sendable {
    /// Index of the first record.
    let first: Int64
    /// Of the records that fit, in order.
    private(set) var leafHashes: [MerkleHash] = []
    /// Roots of the records' complete subtrees of `TreeNode.spacing` levels; there when the page begins with one.
    private(set) var subtrees: [MerkleHash] = []
    /// By place in the page; records of schema 1 alone.
    private(set) var previous: [Int: MerkleHash] = [:]
    /// Records without their disclosures.
    private(set) var missing: [Int64] = []
    /// Records that say something about other records or about decisions.
    private(set) var telling: [ConsentRecord] = []
    private(set) var problem: RecordProblem?

    init(_ records: [StoredRecord], first: Int64) {
        self.first = first
        leafHashes.reserveCapacity(records.count)
        do throws(RecordProblem) {
            for record in records { try examine(record) }
        } catch {
            problem = error
        }
        let width = 1 << TreeNode.spacing
        guard first.isMultiple(of: Int64(width)) else { return }
        for start in stride(from: 0, through: leafHashes.count - width, by: width) {
            var subtree = Frontier()
            for hash in leafHashes[start..<(start + width)] { subtree.append(hash, level: 0) }
            subtrees.append(subtree.root)
        }
    }

    private mutating func examine(_ stored: StoredRecord) throws(RecordProblem) {
        let expected = first + Int64(leafHashes.count)
        if stored.index < expected {
            throw RecordProblem(.recordUnexpected, stored.index, "a log has no such place")
        }
        if stored.index > expected {
            throw RecordProblem(.recordMissing, expected, "it is not there, but record \(stored.index) is")
        }
        if let disclosed = stored.disclosed,
            RecordLeaf.isLeaf(stored.leaf, index: expected, kind: stored.kind, disclosure: disclosed),
            (stored.kind == RecordKind.genesis.rawValue) == (expected == 0)
        {
            if Self.tells(stored.kind, disclosed) { telling.append(try ConsentRecord(stored)) }
            leafHashes.append(.leaf(stored.leaf))
            return
        }
        try examineFully(stored, expected)
    }

    /// What is erased, of schema 1, or does not fit.
    private mutating func examineFully(_ stored: StoredRecord, _ expected: Int64) throws(RecordProblem) {
        guard let leaf = RecordLeaf(data: stored.leaf) else {
            throw RecordProblem(.leafAltered, expected, "its leaf is no record that this version can read")
        }
        guard leaf.index == expected else {
            throw RecordProblem(.indexWrong, expected, "its leaf was written for place \(leaf.index)")
        }
        guard leaf.kind.rawValue == stored.kind else {
            throw RecordProblem(.leafAltered, expected, "it is filed as another kind than its leaf names")
        }
        guard (leaf.kind == .genesis) == (expected == 0) else {
            throw RecordProblem(.leafAltered, expected, "a log begins with its only \(RecordKind.genesis.rawValue)")
        }
        let disclosures = stored.disclosures
        // What has the right digest is what was written; only what tells of other things is read.
        var open = leaf.digests
        for text in disclosures {
            let digest = Disclosure.digest(of: text)
            guard let place = open.firstIndex(of: digest) else {
                throw RecordProblem(.disclosureAltered, expected, "it has a field that its leaf does not vouch for")
            }
            open.remove(at: place)
        }
        if !open.isEmpty { missing.append(expected) }
        if leaf.previous != nil || disclosures.contains(where: { Self.tells(stored.kind, $0) }) {
            telling.append(try ConsentRecord(stored))
        }
        if let root = leaf.previous { previous[leafHashes.count] = root }
        leafHashes.append(.leaf(stored.leaf))
    }

    private static let change = Array(#""change""#.utf8)

    /// Whether the record says something of others or of a decision; most say neither, and are not read.
    private static func tells(_ kind: String, _ disclosure: Data) -> Bool {
        if kind == RecordKind.dataErased.rawValue { return true }
        return disclosure.withUnsafeBytes { text in
            text.indices.contains { place in
                text[place] == UInt8(ascii: ":") && place >= change.count
                    && text[(place - change.count)..<place].elementsEqual(change)
            }
        }
    }
}
