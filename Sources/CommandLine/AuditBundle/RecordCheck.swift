import Consent
import Foundation

/// Reads the records of a bundle and checks them against its checkpoint.
struct RecordCheck {
    private let folder: BundleFolder
    private let checkpoint: Checkpoint
    private let note: SignedNote
    private let keys: [NoteVerifier]
    private let isWhole: Bool
    private var tree = Frontier()
    /// Where in the log the next record may be.
    private var next: UInt64 = 0
    /// Records without their fields, and those of which a record says that their fields were erased.
    private var incomplete = IndexSet()
    private var declared = IndexSet()

    private(set) var count: UInt64 = 0
    var erased: UInt64 { UInt64(incomplete.count) }
    private(set) var times: ClosedRange<Timestamp>?

    init(folder: BundleFolder, checkpoint: Checkpoint, note: SignedNote, keys: [NoteVerifier], isWhole: Bool) {
        self.folder = folder
        self.checkpoint = checkpoint
        self.note = note
        self.keys = keys
        self.isWhole = isWhole
    }

    /// - Throws: `BundleProblem` at the first record that does not fit.
    mutating func run() throws(BundleProblem) {
        var lines = BundleLines(try folder.open(BundleLayout.records), limit: BundleLayout.maximumLine)
        let decoder = JSONDecoder()
        while let line = try lines.next() {
            guard let entry = try? decoder.decode(AuditEntry.self, from: line) else {
                throw problem(.malformed, next, "line \(count + 1) is no record")
            }
            try check(entry)
        }
        guard isWhole else { return }
        guard tree.size == checkpoint.size else {
            throw problem(
                .recordMissing, tree.size,
                "it is not there, but the signed checkpoint counts \(checkpoint.size) records")
        }
        guard tree.head == checkpoint.head else {
            throw problem(
                .rootWrong, nil, "these are not the records of the signed checkpoint; one or more were altered")
        }
        if let index = incomplete.subtracting(declared).first {
            throw problem(
                .fieldsMissing, UInt64(index), "its fields are not there, and no record says that they were erased")
        }
    }

    private mutating func check(_ entry: AuditEntry) throws(BundleProblem) {
        let record: ConsentRecord
        do throws(RecordProblem) {
            record = try ConsentRecord(entry)
        } catch {
            throw problem(.recordAltered, error.index.flatMap { UInt64(exactly: $0) } ?? next, error.reason)
        }
        guard record.index >= next else {
            throw problem(.recordsOutOfOrder, record.index, "it comes after record \(next - 1)")
        }
        guard record.index < checkpoint.size else {
            throw problem(.recordAltered, record.index, "the signed checkpoint counts only \(checkpoint.size) records")
        }
        let leaf = entry.leafHash
        if isWhole {
            guard record.index == next else {
                throw problem(.recordMissing, next, "it is not there, but record \(record.index) is")
            }
            tree.append(leaf)
        } else {
            try checkProof(of: record.index, leaf)
        }
        if record.isErased { incomplete.insert(Int(record.index)) }
        for range in record.erasedRecords { declared.insert(integersIn: range) }
        // Clocks are set back at times, so the first record need not have the earliest time.
        let known = times ?? record.time...record.time
        times = min(known.lowerBound, record.time)...max(known.upperBound, record.time)
        count += 1
        next = record.index + 1
    }

    private func checkProof(of index: UInt64, _ leaf: MerkleHash) throws(BundleProblem) {
        let path = BundleLayout.proof(of: index)
        let data = try folder.open(path).contents(limit: OfflineProof.maximumSize)
        guard let proof = OfflineProof(data), proof.inclusion.index == index else {
            throw BundleProblem(.malformed, file: path, record: index, "it is no proof of this record")
        }
        // The signature of the very same note was checked already; a million times would take minutes.
        guard proof.note == note || Checkpoint(proof.note, signedBy: keys) == checkpoint else {
            throw BundleProblem(.proofWrong, file: path, record: index, "it is of another checkpoint than the bundle's")
        }
        guard proof.inclusion.proves(leaf, in: checkpoint.head) else {
            throw BundleProblem(
                .proofWrong, file: path, record: index,
                "the record of this place in the log is another one than in \(BundleLayout.records)")
        }
    }

    private func problem(_ code: BundleProblem.Code, _ record: UInt64?, _ reason: String) -> BundleProblem {
        BundleProblem(code, file: BundleLayout.records, record: record, reason)
    }
}
