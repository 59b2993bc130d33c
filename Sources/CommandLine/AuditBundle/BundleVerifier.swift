import Authorization
import Consent
import Foundation

/// Verifies a bundle of `voicegate audit export` without the service.
///
/// Checks, in this order: the signatures of the checkpoint; the scope; each record against its leaf, and the leaves against
/// the checkpoint; each file against the signed list of files. Works in bounded memory; blocks.
public struct BundleVerifier: Sendable {
    /// Keys of the log from another source than the bundle; `nil`: the keys in the bundle.
    public let keys: [NoteVerifier]?
    /// Witnesses that must have cosigned the checkpoint.
    public let witnesses: [NoteVerifier]

    public init(keys: [NoteVerifier]? = nil, witnesses: [NoteVerifier] = []) {
        self.keys = keys
        self.witnesses = witnesses
    }

    /// - Throws: `BundleProblem`: the first mismatch.
    public func verify(folder path: String) throws(BundleProblem) -> BundleReport {
        let folder = try BundleFolder(path: path)
        let keys = if let keys = self.keys { keys } else { try ownKeys(folder) }
        let (checkpoint, note) = try signedCheckpoint(folder, keys)
        let cosignatures = try cosignatures(of: note)
        let scope = try scope(folder, of: checkpoint)
        var records = RecordCheck(folder: folder, checkpoint: checkpoint, note: note, keys: keys, isWhole: scope.whole)
        try records.run()
        let files = try FileCheck(folder: folder, origin: checkpoint.origin, keys: keys).run()
        return BundleReport(
            log: checkpoint.origin, size: checkpoint.size, root: checkpoint.root.base64, whole: scope.whole,
            records: records.count, erasedRecords: records.erased, from: records.times?.lowerBound.text,
            until: records.times?.upperBound.text, files: files, signers: note.signers(among: keys).map(\.text),
            trustsOwnKeys: self.keys == nil, cosignatures: cosignatures)
    }

    private func ownKeys(_ folder: BundleFolder) throws(BundleProblem) -> [NoteVerifier] {
        let data = try folder.open(BundleLayout.keys).contents(limit: BundleLayout.maximumKeys)
        guard let keys = NoteVerifier.list(data), !keys.isEmpty else {
            throw BundleProblem(.malformed, file: BundleLayout.keys, "it is not a list of verifier keys, one per line")
        }
        return keys
    }

    private func signedCheckpoint(_ folder: BundleFolder, _ keys: [NoteVerifier])
        throws(BundleProblem) -> (Checkpoint, SignedNote)
    {
        let path = BundleLayout.checkpoint
        let data = try folder.open(path).contents(limit: SignedNote.maximumSize)
        guard let note = SignedNote(data), let claimed = Checkpoint(text: note.text) else {
            throw BundleProblem(.malformed, file: path, "it is not a signed checkpoint")
        }
        guard let checkpoint = Checkpoint(note, signedBy: keys) else {
            throw BundleProblem(
                .signatureWrong, file: path,
                keys.contains { $0.name == claimed.origin }
                    ? "it has no valid signature by a key of the log \(claimed.origin)"
                    : "it belongs to the log \(claimed.origin), but the keys belong to another log")
        }
        return (checkpoint, note)
    }

    private func cosignatures(of note: SignedNote) throws(BundleProblem) -> [BundleReport.Cosignature] {
        var times: [BundleReport.Cosignature] = []
        for witness in witnesses {
            guard witness.algorithm == .cosignature, note.signers(among: [witness]) == [witness],
                let time = note.signature(of: witness).flatMap(Cosignature.init)?.time
            else {
                throw BundleProblem(
                    .cosignatureMissing, file: BundleLayout.checkpoint, "it has no cosignature by \(witness.name)")
            }
            times.append(
                BundleReport.Cosignature(
                    witness: witness.name, time: Date(timeIntervalSince1970: TimeInterval(time))))
        }
        return times
    }

    private func scope(_ folder: BundleFolder, of checkpoint: Checkpoint) throws(BundleProblem) -> BundleScope {
        let path = BundleLayout.scope
        let data = try folder.open(path).contents(limit: BundleLayout.maximumScope)
        guard let scope = try? JSONDecoder().decode(BundleScope.self, from: data) else {
            throw BundleProblem(.malformed, file: path, "it is not a valid scope")
        }
        guard scope.log == checkpoint.origin, scope.size == checkpoint.size else {
            throw BundleProblem(.scopeWrong, file: path, "its log or size differs from the signed checkpoint")
        }
        return scope
    }
}

/// A verified bundle, as `voicegate audit verify --json` shows it.
public struct BundleReport: Sendable, Hashable, Encodable {
    public struct Cosignature: Sendable, Hashable, Encodable {
        /// The name of the witness's key.
        public let witness: String
        /// When it cosigned the checkpoint, by its own clock.
        public let time: Date
    }

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
    /// Records in the bundle whose fields were erased.
    public let erasedRecords: UInt64
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
}

/// Why a bundle does not verify.
public struct BundleProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder or a file cannot be read.
        case unreadable
        /// A required or listed file is missing.
        case fileMissing
        /// A file is not in the list of files.
        case fileUnexpected
        /// A link, a device, a nested folder, or a path outside the bundle.
        case unsafeFile
        case tooLarge
        /// A file has an invalid format.
        case malformed
        /// No valid signature by any of the keys.
        case signatureWrong
        /// A file does not match its hash in the list of files.
        case fileAltered
        case recordMissing
        /// A record's leaf or fields were changed.
        case recordAltered
        case recordsOutOfOrder
        /// Fields are missing without a record of their erasure.
        case fieldsMissing
        /// The records do not yield the root of the signed checkpoint.
        case rootWrong
        /// A proof does not yield the root of the signed checkpoint.
        case proofWrong
        /// The scope does not match the checkpoint.
        case scopeWrong
        /// A required witness has not cosigned the checkpoint.
        case cosignatureMissing
    }

    public let code: Code
    /// Path in the bundle; `nil` for the folder itself.
    public let file: String?
    public let record: UInt64?
    /// The end of a sentence.
    public let reason: String

    public init(_ code: Code, file: String? = nil, record: UInt64? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.record = record
        self.reason = reason
    }

    /// One line that is safe to display: names and origins come from the author of the bundle.
    public var description: String {
        let file = file.map { DisplayText.cleaned($0, limit: 200) }
        let reason = DisplayText.cleaned(reason, limit: 1_000)
        return switch (file, record) {
        case (let file?, let record?): "\(file), record \(record): \(reason)."
        case (let file?, nil): "\(file): \(reason)."
        case (nil, let record?): "Record \(record): \(reason)."
        case (nil, nil): "The bundle: \(reason)."
        }
    }
}
