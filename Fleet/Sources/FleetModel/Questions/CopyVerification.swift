import Consent
import Cryptography
import Foundation

/// Recomputes the copy of one machine's log from its rows, in the order of their indexes, in memory that does not grow with
/// the log.
///
/// The leaf hashes are kept twice: rows yield them, and tiles have them. Whichever yields the root that the machine signed
/// is right, so that the first changed row can be named.
public struct CopyVerification {
    private let checkpoint: Checkpoint
    private let signers: [NoteVerifier]
    /// Roots of earlier checkpoints, to find the place of a difference that is in rows and tiles alike.
    private let earlier: [UInt64: MerkleHash]

    private var tree = Frontier()
    /// The tree of the tiles, once it differs from that of the rows, and the first record in which it does.
    private var other: (tree: Frontier, since: UInt64)?
    private var proven: UInt64 = 0
    /// By their first records. A log may have many, of which few overlap.
    private var digests: [(dropped: Tombstone.Dropped, digest: LeafDigest)] = []
    /// How many of them have begun, and the places of those that have not ended.
    private var begun = 0
    private var open: [Int] = []
    private var erased = IndexSet()
    private var declared = IndexSet()
    /// The key of the newest rotation, and its record.
    private var key: (text: String, record: UInt64)?
    /// A dropped record may have said what a later one does not: the machine's clock may have been set back before it.
    private var lastDropped: UInt64?

    /// The roots of the sizes that were asked for, as far as the copy reaches.
    public private(set) var roots: [UInt64: MerkleHash] = [:]
    private let wanted: Set<UInt64>
    /// Records whose fields the machine erased, did not send, and that retention dropped.
    public private(set) var counts = (erased: 0, withheld: 0, dropped: 0)
    public var size: UInt64 { tree.size }
    public var root: MerkleHash { tree.root }

    /// - Parameters:
    ///   - checkpoint: whose records are all stored; the keys that signed it.
    ///   - earlier: roots of checkpoints by their sizes.
    ///   - wanted: sizes whose roots are asked for.
    public init(
        _ checkpoint: Checkpoint, signers: [NoteVerifier], tombstones: [Tombstone], earlier: [UInt64: MerkleHash],
        wanted: Set<UInt64> = []
    ) {
        self.checkpoint = checkpoint
        self.signers = signers
        self.earlier = earlier
        self.wanted = wanted
        digests = tombstones.flatMap(\.dropped).sorted { $0.range.lowerBound < $1.range.lowerBound }
            .map { ($0, LeafDigest()) }
    }

    /// Takes the records of a range.
    ///
    /// - Parameters:
    ///   - rows: by index.
    ///   - range: follows the last one.
    ///   - tiles: the leaf hashes that tiles have, by index.
    /// - Throws: `CopyProblem`
    public mutating func take(
        _ rows: [RecordRow], of range: Range<UInt64>, tiles: [UInt64: MerkleHash]
    ) throws(CopyProblem) {
        var rows = rows[...]
        for index in range {
            openTombstones(at: index)
            let row = rows.first?.index == index ? rows.popFirst() : nil
            if rows.first?.index == index { throw CopyProblem(index, "it is there twice") }
            let leaf = try leaf(row, at: index, tiles[index])
            for place in open { digests[place].digest.add(leaf) }
            let tile = tiles[index] ?? leaf
            if tile != leaf, other == nil, index < checkpoint.size { other = (tree, index) }
            other?.tree.append(tile)
            tree.append(leaf)
            if let root = earlier[tree.size], other == nil, root == tree.root { proven = tree.size }
            if wanted.contains(tree.size) { roots[tree.size] = tree.root }
            if tree.size == checkpoint.size { try compare() }
        }
        if let stray = rows.first { throw CopyProblem(stray.index, "the log has no such record") }
    }

    /// Call it after the last record.
    ///
    /// - Throws: `CopyProblem`
    public mutating func finish() throws(CopyProblem) {
        guard tree.size >= checkpoint.size else {
            throw CopyProblem(tree.size, "it is missing; the machine signed \(checkpoint.size) records")
        }
        if checkpoint.size == 0 { try compare() }
        let undeclared = erased.subtracting(declared)
        if let first = undeclared.first(where: { record in lastDropped.map { $0 < UInt64(record) } ?? true }) {
            throw CopyProblem(UInt64(first), "its fields were erased, and no record of the machine says so")
        }
        counts.erased = erased.count
        for (dropped, digest) in digests where digest.value != dropped.digest {
            throw CopyProblem(
                dropped.range.lowerBound,
                "the tombstone of the records up to \(dropped.range.upperBound - 1) is of others")
        }
    }

    private mutating func openTombstones(at index: UInt64) {
        open.removeAll { digests[$0].dropped.range.upperBound <= index }
        while begun < digests.count, digests[begun].dropped.range.lowerBound <= index {
            open.append(begun)
            begun += 1
        }
    }

    private mutating func leaf(
        _ row: RecordRow?, at index: UInt64, _ tile: MerkleHash?
    ) throws(CopyProblem) -> MerkleHash {
        guard let row else {
            guard !open.isEmpty else { throw CopyProblem(index, "it is missing, and no tombstone says why") }
            guard let tile else { throw CopyProblem(index, "it was dropped, and its leaf hash is missing") }
            drop(index)
            return tile
        }
        if let text = row.disclosure {
            guard Data(SHA256.hash(data: text)) == row.digest else {
                throw CopyProblem(index, "its fields are not those of its leaf")
            }
            try note(row)
        } else if !open.isEmpty {
            drop(index)
        } else if row.isErased {
            erased.insert(Int(index))
        } else {
            counts.withheld += 1
        }
        guard (row.kind == .genesis) == (index == 0) else {
            throw CopyProblem(index, "a log begins with its only \(RecordKind.genesis.rawValue)")
        }
        return row.leafHash
    }

    private mutating func drop(_ index: UInt64) {
        counts.dropped += 1
        lastDropped = index
    }

    /// Keeps what a record says about others.
    private mutating func note(_ row: RecordRow) throws(CopyProblem) {
        guard [.genesis, .dataErased, .keyRotated].contains(row.kind) else { return }
        let record: ConsentRecord
        do throws(RecordProblem) { record = try ConsentRecord(row.entry()) } catch {
            throw CopyProblem(row.index, error.reason)
        }
        for range in record.erasedRecords { declared.insert(integersIn: range) }
        if row.kind == .keyRotated, row.index < checkpoint.size, let text = record.fields["key"]?.string {
            key = (text, row.index)
        }
        if row.kind == .genesis, record.fields["log"]?.string.map({ Checkpoint.origin(of: $0) }) != checkpoint.origin {
            throw CopyProblem(row.index, "it names another log than \(checkpoint.origin)")
        }
    }

    private func compare() throws(CopyProblem) {
        if tree.root == checkpoint.root {
            if let other {
                throw CopyProblem(nil, "The tile of record \(other.since) was changed; the records are right")
            }
        } else if let other, other.tree.root == checkpoint.root {
            throw CopyProblem(other.since, "it was changed")
        } else {
            throw CopyProblem(
                proven, "this or a later one was changed; the first \(proven) are those of an earlier checkpoint")
        }
        guard let key, lastDropped.map({ $0 < key.record }) ?? true, !signers.contains(where: { $0.text == key.text })
        else { return }
        throw CopyProblem(nil, "The checkpoint's key had been replaced by \(key.text)")
    }
}
