import AuditExport
import Consent
import Foundation

extension BundleVerifier {
    /// Verifies a receipt: its proof, and that the key that it names as the log's is the one that signed it.
    ///
    /// - Throws: `BundleProblem`.
    public func verify(
        receipt: ConsentReceipt
    ) throws(BundleProblem) -> (report: ProofReport, record: ConsentRecord) {
        var (report, record) = try verify(proof: receipt.proof.data)
        guard let key = receipt.keys.last, report.signers.contains(key) else {
            throw BundleProblem(
                .keys, "the key that the receipt names did not sign its checkpoint, or is not among yours")
        }
        let known = Set((keys ?? []).map(\.text))
        report.notChecked += receipt.keys.filter { !known.contains($0) }.map {
            "the receipt's key \($0), which is not among yours"
        }
        return (report, record)
    }

    /// Verifies a record that was proven alone, in a file of `voicegate audit prove`.
    ///
    /// - Throws: `BundleProblem`: the first broken rule. The bundle's own keys are not there, so `keys` must be given.
    public func verify(proof data: Data) throws(BundleProblem) -> (report: ProofReport, record: ConsentRecord) {
        guard let proof = OfflineProof(data), let extra = proof.extra else {
            throw BundleProblem(.proof, "it is not a proof with its record")
        }
        guard let head = ExportTrust(note: proof.note, keys: keys ?? []) else {
            throw BundleProblem(.checkpointSigned, "its checkpoint has no valid signature by a key of the log")
        }
        let checkpoint = head.checkpoint
        _ = try cosignatures(of: proof.note)
        let entry = try require(
            AuditEntry(line: extra + [0x0A], limit: BundleLayout.maximumLine), .line, "what is proven is not a record")
        let record = try ConsentRecord(checked: entry, after: proof.inclusion.index)
        guard record.index == proof.inclusion.index else {
            throw BundleProblem(.order, record: record.index, "the proof is of record \(proof.inclusion.index)")
        }
        try record.checkGenesis(of: checkpoint.origin)
        guard proof.inclusion.proves(entry.leafHash, in: checkpoint.head) else {
            throw BundleProblem(.proven, record: record.index, "it is not in the log of the signed checkpoint")
        }
        var larger: [String] = []
        var proven: [UInt64] = []
        for note in held {
            let held = try head.held(note)
            if held.size > checkpoint.size {
                larger.append("a checkpoint of \(held.size) records: the proof ends at \(checkpoint.size)")
            } else if held.size < checkpoint.size {
                throw BundleProblem(
                    .comparable, "a proof of one record cannot be compared with the checkpoint of \(held.size) records")
            } else if held.head.root != checkpoint.root {
                throw BundleProblem(
                    .contradicts, "the checkpoint that you supplied is of another log with as many records")
            } else {
                proven.append(held.size)
            }
        }
        let report = ProofReport(
            log: checkpoint.origin, size: checkpoint.size, root: checkpoint.root.base64, record: record.index,
            kind: record.kind.rawValue, time: record.time.text, hasFields: !record.isErased,
            signers: head.signers.map(\.text), heldSizes: proven,
            notChecked: ["whether the key had been replaced"] + larger)
        return (report, record)
    }
}

/// A verified proof of one record, as `voicegate audit verify --json` shows it.
public struct ProofReport: Sendable, Hashable, Encodable {
    public let verdict = "verified"
    /// The log's origin.
    public let log: String
    /// The number of records in the log at the signed checkpoint.
    public let size: UInt64
    /// base64
    public let root: String
    /// The record's index.
    public let record: UInt64
    public let kind: String
    /// RFC 3339
    public let time: String
    public let hasFields: Bool
    /// The keys that signed the checkpoint.
    public let signers: [String]
    public let heldSizes: [UInt64]
    public fileprivate(set) var notChecked: [String]
}
