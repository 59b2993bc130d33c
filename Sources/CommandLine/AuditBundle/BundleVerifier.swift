import AuditExport
import Consent
import Foundation

/// Verifies a bundle of `voicegate audit export` without the service, by the rules of Documentation/Bundle.md.
///
/// Works in memory that does not grow with the log; blocks.
public struct BundleVerifier: Sendable {
    /// Keys of the log from another source than the bundle; `nil`: the keys in the bundle.
    public let keys: [NoteVerifier]?
    /// Which witnesses must have cosigned the checkpoint; `nil`: none.
    public let policy: WitnessPolicy?
    /// Checkpoints from another source than the bundle, which its log must continue.
    public let held: [SignedNote]
    /// Of this program. A bundle of another version may word its report in another way.
    public let version: String

    public init(
        keys: [NoteVerifier]? = nil, policy: WitnessPolicy? = nil, held: [SignedNote] = [], version: String
    ) {
        (self.keys, self.policy, self.held, self.version) = (keys, policy, held, version)
    }

    /// - Throws: `BundleProblem`: the first broken rule.
    public func verify(folder path: String) throws(BundleProblem) -> BundleReport {
        let folder = try BundleFolder(path: path)
        let present = try checkNames(folder)
        let own = try ownKeys(folder)
        let note = try Self.note(folder, BundleLayout.checkpoint, .checkpoint)
        let ownTrust = try trust(in: note, by: own)
        var head = ownTrust
        if let keys { head = try trust(in: note, by: keys) }
        let checkpoint = head.checkpoint
        let cosignatures = try cosignatures(of: note, in: BundleLayout.checkpoint)
        let scope = try scope(folder, of: checkpoint, isSigned: present.isSigned)
        let heldCheckpoints = try held.map { note throws(BundleProblem) in try head.held(note) }
        var records = RecordCheck(
            folder: folder, head: head, scope: scope, derived: DerivedCheck(scope, trust: ownTrust),
            earlier: Set(heldCheckpoints.map(\.size)))
        try records.run(proofs: present.folders)
        var files = FileCheck(folder: folder, head: head, records: records)
        try files.run()
        var notChecked: [String] = []
        if let collector = scope.collector {
            notChecked.append("who made the export: the collector \(collector) does not have the log's key")
        }
        if let problem = files.derivedProblem {
            guard scope.version != version else { throw problem }
            notChecked.append("report, tables and JSON-LD: version \(scope.version) of VoiceGate made them")
        }
        let comparison = HeldCheck(folder: folder, head: head, records: records)
        var heldSizes: [UInt64] = []
        for held in heldCheckpoints {
            if try comparison.continues(held) {
                heldSizes.append(held.size)
            } else {
                notChecked.append("a checkpoint of \(held.size) records: the bundle ends at \(checkpoint.size)")
            }
        }
        return BundleReport(
            log: checkpoint.origin, size: checkpoint.size, root: checkpoint.root.base64, whole: scope.isWhole,
            records: records.count, erasedRecords: records.erased, recordsWithoutFields: records.withheld,
            from: records.times?.lowerBound.text, until: records.times?.upperBound.text, files: files.count,
            signers: head.signers.map(\.text), trustsOwnKeys: keys == nil, cosignatures: cosignatures,
            heldSizes: heldSizes, notChecked: notChecked)
    }

    /// - Returns: the number of files in each folder that has some, and whether the list of files has a signature.
    private func checkNames(
        _ folder: BundleFolder
    ) throws(BundleProblem) -> (folders: [BundleLayout.Folder: UInt64], isSigned: Bool) {
        var missing = BundleLayout.required
        var present: [BundleLayout.Folder: UInt64] = [:]
        try folder.forEachFile { path throws(BundleProblem) in
            missing.remove(path)
            if let kind = BundleLayout.folder(of: path) { present[kind, default: 0] += 1 }
        }
        let isSigned = missing.remove(BundleLayout.sumsNote) == nil
        if let first = missing.min() { throw BundleProblem(.required, file: first, "the file is missing") }
        return (present, isSigned)
    }

    private func ownKeys(_ folder: BundleFolder) throws(BundleProblem) -> [NoteVerifier] {
        let data = try folder.open(BundleLayout.keys).contents()
        guard let keys = NoteVerifier.list(data), !keys.isEmpty else {
            throw BundleProblem(.keys, file: BundleLayout.keys, "it is not a list of verifier keys, one per line")
        }
        return keys
    }

    static func note(_ folder: BundleFolder, _ path: String, _ rule: BundleRule) throws(BundleProblem) -> SignedNote {
        let note = try require(SignedNote(folder.open(path).contents()), rule, file: path, "it is not a signed note")
        return note
    }

    private func trust(in note: SignedNote, by keys: [NoteVerifier]) throws(BundleProblem) -> ExportTrust {
        let path = BundleLayout.checkpoint
        let claimed = try require(Checkpoint(text: note.text), .checkpoint, file: path, "it is not a checkpoint")
        let trust = try require(
            ExportTrust(note: note, keys: keys), .checkpointSigned, file: path,
            keys.contains { $0.name == claimed.origin }
                ? "it has no valid signature by a key of the log \(claimed.origin)"
                : "it belongs to the log \(claimed.origin), but the keys belong to another log")
        return trust
    }

    /// - Throws: unless they are those that the policy needs.
    func cosignatures(of note: SignedNote, in file: String? = nil) throws(BundleProblem) -> [BundleReport.Cosignature] {
        guard let policy else { return [] }
        try require(policy.isMet(by: note), .cosigned, file: file, "it has not been cosigned by \(policy.summary)")
        return note.signers(among: policy.witnesses).compactMap { witness in
            note.signature(of: witness).flatMap(Cosignature.init).map {
                BundleReport.Cosignature(
                    witness: witness.name, time: Date(timeIntervalSince1970: TimeInterval($0.time)))
            }
        }
    }

    private func scope(
        _ folder: BundleFolder, of checkpoint: Checkpoint, isSigned: Bool
    ) throws(BundleProblem) -> ExportScope {
        let path = BundleLayout.scope
        guard let scope = ExportScope(document: try folder.open(path).contents()) else {
            throw BundleProblem(.scope, file: path, "it is not a scope that this version can read")
        }
        guard scope.log.utf8.elementsEqual(checkpoint.origin.utf8), scope.size == checkpoint.size else {
            throw BundleProblem(.scopeFits, file: path, "its log or size differs from the signed checkpoint")
        }
        try require(
            isSigned == (scope.collector == nil), .required, file: BundleLayout.sumsNote,
            isSigned ? "a collector's copy has no such file" : "the file is missing")
        return scope
    }
}

extension ExportTrust {
    /// A checkpoint that the auditor holds.
    func held(_ note: SignedNote) throws(BundleProblem) -> HeldCheckpoint {
        let held = try require(Checkpoint(text: note.text), .held, "the file you supplied is not a checkpoint")
        try require(
            held.origin == checkpoint.origin, .held,
            "a checkpoint that you supplied is of another log, \(held.origin), not of \(checkpoint.origin)")
        let signers = note.signers(among: logKeys)
        try require(
            !signers.isEmpty, .held, "a checkpoint that you supplied has no valid signature by a key of the log")
        return HeldCheckpoint(head: held.head, signers: signers)
    }
}

struct HeldCheckpoint {
    let head: TreeHead
    let signers: [NoteVerifier]

    var size: UInt64 { head.size }
}

/// A verified bundle, as `voicegate audit verify --json` shows it.
public struct BundleReport: Sendable, Hashable, Encodable {
    public struct Cosignature: Sendable, Hashable, Encodable {
        /// The name of the witness's key.
        public let witness: String
        /// When it cosigned the checkpoint, by its own clock.
        public let time: Date
    }

    public let verdict = "verified"
    /// The log's origin.
    public let log: String
    /// The number of records in the log at the signed checkpoint.
    public let size: UInt64
    /// base64
    public let root: String
    /// Whether the bundle has all records of the log.
    public let whole: Bool
    /// Records in the bundle.
    public let records: UInt64
    /// Records in the bundle whose fields were erased, by a later record in it.
    public let erasedRecords: UInt64
    /// Other records in the bundle, which is a part of the log, whose fields are not included.
    public let recordsWithoutFields: UInt64
    /// Earliest time of the records in RFC 3339; `nil` without records.
    public let from: String?
    /// Latest time of the records in RFC 3339; `nil` without records.
    public let until: String?
    /// The number of files in the signed list.
    public let files: Int
    /// The keys that signed the checkpoint, as `log.vkey` has them.
    public let signers: [String]
    /// Whether the keys came from the bundle: then its author may have made them too.
    public let trustsOwnKeys: Bool
    /// The cosignatures of the required witnesses.
    public let cosignatures: [Cosignature]
    /// The sizes of the held checkpoints that the log continues.
    public let heldSizes: [UInt64]
    public let notChecked: [String]
}
