import Authorization
import Consent
import Foundation

/// Checks a bundle that `voicegate audit export` made, without the service that made it.
///
/// What is checked, in this order, so that the first problem found is the one that says most: the checkpoint's
/// signatures; what the bundle says it covers; each record against its leaf, and the leaves against the checkpoint; then
/// that each file is the one that was signed. Works in bounded memory; blocks.
public struct BundleVerifier: Sendable {
    /// Keys of the log that were got by another way than the bundle; `nil`: those of the bundle itself are taken.
    public let keys: [NoteVerifier]?
    /// Witnesses that must have cosigned the checkpoint.
    public let witnesses: [NoteVerifier]

    public init(keys: [NoteVerifier]? = nil, witnesses: [NoteVerifier] = []) {
        self.keys = keys
        self.witnesses = witnesses
    }

    /// - Returns: what it is, when everything fits.
    /// - Throws: `BundleProblem`: the first thing that does not.
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
            origin: checkpoint.origin, size: checkpoint.size, root: checkpoint.root, isWhole: scope.whole,
            records: records.count, erased: records.erased, times: records.times, files: files,
            signers: note.signers(among: keys), trustsOwnKeys: self.keys == nil, cosignatures: cosignatures)
    }

    private func ownKeys(_ folder: BundleFolder) throws(BundleProblem) -> [NoteVerifier] {
        let data = try folder.open(BundleLayout.keys).contents(limit: BundleLayout.maximumKeys)
        guard let keys = NoteVerifier.list(data), !keys.isEmpty else {
            throw BundleProblem(.malformed, file: BundleLayout.keys, "it is not a list of verifier keys, one a line")
        }
        return keys
    }

    private func signedCheckpoint(_ folder: BundleFolder, _ keys: [NoteVerifier])
        throws(BundleProblem) -> (Checkpoint, SignedNote)
    {
        let path = BundleLayout.checkpoint
        let data = try folder.open(path).contents(limit: SignedNote.maximumSize)
        guard let note = SignedNote(data), let claimed = Checkpoint(text: note.text) else {
            throw BundleProblem(.malformed, file: path, "it is no signed checkpoint")
        }
        guard let checkpoint = Checkpoint(note, signedBy: keys) else {
            throw BundleProblem(
                .signatureWrong, file: path,
                keys.contains { $0.name == claimed.origin }
                    ? "no key of the log \(claimed.origin) signed it as it is here"
                    : "it is of the log \(claimed.origin), and the keys are of another one")
        }
        return (checkpoint, note)
    }

    private func cosignatures(of note: SignedNote) throws(BundleProblem) -> [WitnessedTime] {
        var times: [WitnessedTime] = []
        for witness in witnesses {
            guard witness.algorithm == .cosignature, note.signers(among: [witness]) == [witness],
                let time = note.signature(of: witness).flatMap(Cosignature.init)?.time
            else {
                throw BundleProblem(
                    .cosignatureMissing, file: BundleLayout.checkpoint, "it has no cosignature of \(witness.name)")
            }
            times.append(WitnessedTime(witness: witness, seconds: time))
        }
        return times
    }

    private func scope(_ folder: BundleFolder, of checkpoint: Checkpoint) throws(BundleProblem) -> BundleScope {
        let path = BundleLayout.scope
        let data = try folder.open(path).contents(limit: BundleLayout.maximumScope)
        guard let scope = try? JSONDecoder().decode(BundleScope.self, from: data) else {
            throw BundleProblem(.malformed, file: path, "it does not say what the bundle covers")
        }
        guard scope.log == checkpoint.origin, scope.size == checkpoint.size else {
            throw BundleProblem(.scopeWrong, file: path, "it is about another log or size than the signed checkpoint")
        }
        return scope
    }
}

/// What a bundle that fits was found to be.
public struct BundleReport: Sendable, Hashable {
    /// Which log.
    public let origin: String
    /// Of the signed checkpoint: records of the log.
    public let size: UInt64
    public let root: MerkleHash
    /// Whether all of the log's records are in the bundle.
    public let isWhole: Bool
    /// Records in the bundle.
    public let records: UInt64
    /// Records in the bundle whose fields were erased.
    public let erased: UInt64
    /// Times of the bundle's first and last record; `nil` when it has none.
    public let times: ClosedRange<Timestamp>?
    /// Files that the signed list of files covers.
    public let files: Int
    /// The keys that signed the checkpoint.
    public let signers: [NoteVerifier]
    /// Whether the keys came from the bundle itself: then whoever could make a bundle could make the keys, too.
    public let trustsOwnKeys: Bool
    /// Of the witnesses that were asked for.
    public let cosignatures: [WitnessedTime]
}

/// Why a bundle is not what it says it is. `code` tells how to react; the message is for people.
public struct BundleProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder or a file in it cannot be read at all; says nothing about the records.
        case unreadable
        /// A file that every bundle has is not there, or one that the list of files names.
        case fileMissing
        /// A file that no list of files vouches for.
        case fileUnexpected
        /// A link, a device, a folder within a folder, or a name that leads elsewhere.
        case unsafeFile
        case tooLarge
        /// A file does not have the form it must have.
        case malformed
        /// None of the keys signed it, or a key's signature does not verify.
        case signatureWrong
        /// A file does not have the hash that the list of files names.
        case fileAltered
        case recordMissing
        /// A record's leaf or its fields are not those that were logged.
        case recordAltered
        case recordsOutOfOrder
        /// Fields are gone and no record says that they were erased.
        case fieldsMissing
        /// The records are not those of the signed checkpoint.
        case rootWrong
        /// A record's proof does not lead to the signed checkpoint.
        case proofWrong
        /// What the bundle says it covers is not what it holds.
        case scopeWrong
        /// A witness that was asked for has not cosigned the checkpoint.
        case cosignatureMissing
    }

    public let code: Code
    /// Path in the bundle; `nil` when it is about the folder.
    public let file: String?
    /// Index of the record that it is about.
    public let record: UInt64?
    /// What is wrong, as the end of a sentence.
    public let reason: String

    public init(_ code: Code, file: String? = nil, record: UInt64? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.record = record
        self.reason = reason
    }

    /// One line that is safe to show: names and origins are whatever the bundle's maker wrote.
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

/// When a witness found the checkpoint consistent with all that it had seen of the log before.
public struct WitnessedTime: Sendable, Hashable {
    public let witness: NoteVerifier
    /// Seconds since 1970, by the witness's clock.
    public let seconds: UInt64
}
