import Consent
import Foundation

/// Checks the records of a bundle against its checkpoint.
struct RecordCheck {
    let folder: BundleFolder
    let checkpoint: Checkpoint
    let note: SignedNote
    let keys: [NoteVerifier]
    let isWhole: Bool
    private(set) var tree = Frontier()
    /// The lowest index that the next record may have.
    private(set) var next: UInt64 = 0
    /// Records without fields, and records whose erasure is recorded.
    private(set) var incomplete = IndexSet()
    private(set) var declared = IndexSet()

    private(set) var count: UInt64 = 0
    var erased: UInt64 { UInt64(incomplete.count) }
    private(set) var times: ClosedRange<Timestamp>?

    /// - Throws: `BundleProblem` for the first mismatch.
    mutating func run() throws(BundleProblem) {
        var lines = BundleLines(file: try folder.open(BundleLayout.records), limit: BundleLayout.maximumLine)
        let decoder = JSONDecoder()
        while let line = try lines.next() {
            guard let entry = try? decoder.decode(AuditEntry.self, from: line) else {
                throw problem(.malformed, next, "line \(count + 1) is not a record")
            }
            try check(entry)
        }
        guard isWhole else { return }
        guard tree.size == checkpoint.size else {
            throw problem(
                .recordMissing, tree.size, "it is missing; the signed checkpoint has \(checkpoint.size) records")
        }
        guard tree.head == checkpoint.head else {
            throw problem(
                .rootWrong, nil, "the records do not match the signed checkpoint; at least one was changed")
        }
        if let index = incomplete.subtracting(declared).first {
            throw problem(
                .fieldsMissing, UInt64(index), "its fields are missing, and no record states that they were erased")
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
            throw problem(.recordAltered, record.index, "the signed checkpoint has only \(checkpoint.size) records")
        }
        let leaf = entry.leafHash
        if isWhole {
            guard record.index == next else {
                throw problem(.recordMissing, next, "it is missing; record \(record.index) follows")
            }
            tree.append(leaf)
        } else {
            try checkProof(of: record.index, leaf)
        }
        if record.isErased { incomplete.insert(Int(record.index)) }
        for range in record.erasedRecords { declared.insert(integersIn: range) }
        // A clock may have been set back, so the first record need not be the earliest.
        let known = times ?? record.time...record.time
        times = min(known.lowerBound, record.time)...max(known.upperBound, record.time)
        count += 1
        next = record.index + 1
    }

    private func checkProof(of index: UInt64, _ leaf: MerkleHash) throws(BundleProblem) {
        let path = BundleLayout.proof(of: index)
        let data = try folder.open(path).contents(limit: OfflineProof.maximumSize)
        guard let proof = OfflineProof(data), proof.inclusion.index == index else {
            throw BundleProblem(.malformed, file: path, record: index, "it is not a proof of this record")
        }
        // The signature of the same note was checked before; checking it for each of a million records would take minutes.
        guard proof.note == note || Checkpoint(proof.note, signedBy: keys) == checkpoint else {
            throw BundleProblem(
                .proofWrong, file: path, record: index, "its checkpoint differs from that of the bundle")
        }
        guard proof.inclusion.proves(leaf, in: checkpoint.head) else {
            throw BundleProblem(
                .proofWrong, file: path, record: index, "it does not prove the record in \(BundleLayout.records)")
        }
    }

    private func problem(_ code: BundleProblem.Code, _ record: UInt64?, _ reason: String) -> BundleProblem {
        BundleProblem(code, file: BundleLayout.records, record: record, reason)
    }
}
