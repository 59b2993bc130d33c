import Consent
import Foundation

/// Checks that what the service sent is what the checkpoint is of, so that a bundle that cannot be proven is never made.
final class BundleEvidence {
    private let isWhole: Bool
    private let trust: ExportTrust
    private let folder: BundleFolder
    private var tree = Frontier()

    init(isWhole: Bool, trust: ExportTrust, folder: BundleFolder) throws(ExportError) {
        self.isWhole = isWhole
        self.trust = trust
        self.folder = folder
        if !isWhole { try folder.makeFolder("proofs") }
    }

    /// Of a part of the log, the record's proof is written, too.
    func check(_ entry: AuditEntry, _ index: UInt64) throws(ExportError) {
        if isWhole {
            guard index == tree.size else { throw .unproven(tree.size) }
            tree.append(entry.leafHash)
            return
        }
        let hashes = (entry.proof ?? []).compactMap { MerkleHash(base64: $0) }
        guard let proof = entry.proof, hashes.count == proof.count,
            let inclusion = InclusionProof(index: index, size: trust.checkpoint.size, hashes: hashes),
            inclusion.proves(entry.leafHash, in: trust.checkpoint.head),
            let file = OfflineProof(inclusion, in: trust.note)
        else { throw .unproven(index) }
        try folder.write(file.data, as: "proofs/\(index).tlog-proof")
    }

    func finish() throws(ExportError) {
        if isWhole, tree.head != trust.checkpoint.head { throw .unproven(tree.size) }
    }
}
