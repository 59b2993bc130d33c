import AuditExport
import Consent
import Foundation

/// Checks the records of a bundle against its checkpoint.
struct RecordCheck {
    private let folder: BundleFolder
    private let head: ExportTrust
    private let scope: ExportScope
    private(set) var derived: DerivedCheck
    /// Sizes of smaller trees whose roots are wanted.
    private let earlier: Set<UInt64>
    private(set) var roots: [UInt64: MerkleHash] = [:]
    private(set) var history = KeyChanges()
    private var tree = Frontier()
    /// The lowest index that the next record may have.
    private var next: UInt64 = 0
    /// Records without fields, and records whose erasure is recorded.
    private var incomplete = IndexSet()
    private var declared = IndexSet()

    private(set) var count: UInt64 = 0
    private(set) var times: ClosedRange<Timestamp>?
    var erased: UInt64 { UInt64(incomplete.intersection(declared).count) }
    var withheld: UInt64 { UInt64(incomplete.subtracting(declared).count) }
    var isWhole: Bool { scope.isWhole }
    /// Whether the log itself made the bundle, and so signed its list of files and had all fields.
    var isSigned: Bool { scope.collector == nil }

    init(
        folder: BundleFolder, head: ExportTrust, scope: ExportScope, derived: DerivedCheck, earlier: Set<UInt64>
    ) {
        (self.folder, self.head, self.scope, self.derived, self.earlier) = (folder, head, scope, derived, earlier)
    }

    /// - Parameter present: the number of files in each folder.
    /// - Throws: `BundleProblem` for the first mismatch.
    mutating func run(proofs present: [BundleLayout.Folder: UInt64]) throws(BundleProblem) {
        if isWhole, let extra = [BundleLayout.Folder.proofs, .consistency].first(where: { present[$0] != nil }) {
            throw BundleProblem(.proofs, file: extra.rawValue, "a bundle of the whole log has no such files")
        }
        var lines = BundleLines(
            file: try folder.open(BundleLayout.records), limit: BundleLayout.maximumLine, rule: .line)
        keepRoot()
        while let line = try lines.next() {
            guard let entry = AuditEntry(line: line, limit: BundleLayout.maximumLine) else {
                throw problem(.line, next, "line \(count + 1) is not a record")
            }
            try check(entry)
        }
        if isWhole {
            try checkWhole()
        } else if present[.proofs] ?? 0 != count {
            throw BundleProblem(.proofs, file: BundleLayout.Folder.proofs.rawValue, "it has proofs of other records")
        }
        try require(
            history.admits(head.signers, at: head.checkpoint.size, knowsAll: isWhole), .currentKey,
            file: BundleLayout.checkpoint,
            "the records say that its key had been replaced before the log had \(head.checkpoint.size) records")
    }

    private func checkWhole() throws(BundleProblem) {
        let checkpoint = head.checkpoint
        guard tree.size == checkpoint.size else {
            throw problem(.complete, tree.size, "it is missing; the signed checkpoint has \(checkpoint.size) records")
        }
        guard tree.head == checkpoint.head else {
            throw problem(.root, nil, "the records do not match the signed checkpoint; at least one was changed")
        }
        if isSigned, let index = incomplete.subtracting(declared).first {
            throw problem(.erasure, UInt64(index), "its fields are missing, and no record states that they were erased")
        }
    }

    private mutating func check(_ entry: AuditEntry) throws(BundleProblem) {
        let record = try ConsentRecord(checked: entry, after: next)
        if isWhole {
            guard record.index == next, next < head.checkpoint.size else {
                throw problem(.complete, next, "it is missing; record \(record.index) follows")
            }
            tree.append(entry.leafHash)
        } else {
            guard record.index >= next, record.index < head.checkpoint.size else {
                throw problem(.order, record.index, "it is out of order, or not below the checkpoint's size")
            }
        }
        try record.checkGenesis(of: head.checkpoint.origin)
        if !isWhole { try checkProof(of: record.index, entry.leafHash) }
        if record.isErased { incomplete.insert(Int(record.index)) }
        for range in record.erasedRecords { declared.insert(integersIn: range) }
        history.add(record)
        derived.add(record)
        // A clock may have been set back, so the first record need not be the earliest.
        let known = times ?? record.time...record.time
        times = min(known.lowerBound, record.time)...max(known.upperBound, record.time)
        count += 1
        next = record.index + 1
        keepRoot()
    }

    private mutating func keepRoot() {
        if isWhole, earlier.contains(tree.size) { roots[tree.size] = tree.root }
    }

    private func checkProof(of index: UInt64, _ leaf: MerkleHash) throws(BundleProblem) {
        let path = BundleLayout.proof(of: index)
        let data: Data
        do throws(BundleProblem) {
            data = try folder.open(path).contents()
        } catch {
            throw error.rule == .required ? BundleProblem(.proofs, file: path, "the proof is missing") : error
        }
        guard let proof = OfflineProof(data), proof.inclusion.index == index, proof.extra == nil,
            proof.note == head.note
        else {
            throw BundleProblem(
                .proof, file: path, record: index, "it is not a proof of this record in the bundle's checkpoint")
        }
        try require(
            proof.inclusion.proves(leaf, in: head.checkpoint.head), .proven, file: path, record: index,
            "it does not prove the record in \(BundleLayout.records)")
    }

    private func problem(_ rule: BundleRule, _ record: UInt64?, _ reason: String) -> BundleProblem {
        BundleProblem(rule, file: BundleLayout.records, record: record, reason)
    }
}

extension ConsentRecord {
    /// - Parameter next: the index that is named if the record has none.
    init(checked entry: AuditEntry, after next: UInt64) throws(BundleProblem) {
        do throws(RecordProblem) {
            try self.init(entry)
        } catch {
            throw BundleProblem(
                error.kind == .disclosureAltered ? .fields : .leaf, file: BundleLayout.records,
                record: error.index.flatMap { UInt64(exactly: $0) } ?? next, error.reason)
        }
    }

    /// A log begins with its only genesis, which gives the log its name and is never erased.
    func checkGenesis(of origin: String) throws(BundleProblem) {
        let isFirst = index == 0
        try require(
            (kind == .genesis) == isFirst
                && (!isFirst || self[.log].map({ Checkpoint.origin(of: $0).utf8.elementsEqual(origin.utf8) }) == true),
            .genesis, file: BundleLayout.records, record: index,
            "a log begins with its only \(RecordKind.genesis.rawValue), which names the log \(origin)")
    }
}
