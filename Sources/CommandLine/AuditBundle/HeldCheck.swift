import AuditExport
import Consent

/// Compares checkpoints that the auditor holds with the log of a bundle.
struct HeldCheck {
    let folder: BundleFolder
    let head: ExportTrust
    let records: RecordCheck

    /// - Returns: whether the bundle's log continues the held checkpoint; `false` for a larger one, which it cannot tell.
    /// - Throws: `BundleProblem`, with `contradicts` if it is another log.
    func continues(_ held: HeldCheckpoint) throws(BundleProblem) -> Bool {
        let isCovered = held.size <= head.checkpoint.size
        try require(
            records.history.admits(held.signers, at: held.size, knowsAll: records.isWhole && isCovered), .heldKey,
            "the key of the checkpoint of \(held.size) records that you supplied had been replaced")
        guard isCovered else { return false }
        try require(
            isBeginning(held.head), .contradicts,
            "the first \(held.size) records are not those of the checkpoint that you supplied: the log was "
                + "rewritten, or two of them were shown")
        return true
    }

    private func isBeginning(_ earlier: TreeHead) throws(BundleProblem) -> Bool {
        let later = head.checkpoint.head
        if earlier.size == later.size { return earlier.root == later.root }
        // A checkpoint of no records has but one root.
        if earlier.size == 0 { return true }
        if records.isWhole { return records.roots[earlier.size] == earlier.root }
        let path = BundleLayout.consistency(from: earlier.size)
        let file: BundleFile
        do throws(BundleProblem) {
            file = try folder.open(path)
        } catch {
            guard error.rule == .required else { throw error }
            throw BundleProblem(
                .comparable, file: path,
                "the bundle has no such proof, so the checkpoint of \(earlier.size) records cannot be compared with it; "
                    + "ask for an export with --checkpoint")
        }
        guard let request = WitnessRequest(try file.contents(), in: head.note) else {
            throw BundleProblem(.consistency, file: path, "it is not a consistency proof for the bundle's checkpoint")
        }
        return request.proof.proves(earlier, isBeginningOf: later)
    }
}
