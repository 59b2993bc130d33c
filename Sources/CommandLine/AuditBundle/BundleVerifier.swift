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
