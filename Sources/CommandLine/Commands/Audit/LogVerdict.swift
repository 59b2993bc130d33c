import AuditExport
import Base
import CommandClient
import CommandText
import Consent
import Foundation
import SocketAPI

/// What is proven about this machine's log, and what is not. Encoded as one object with the service's report.
struct LogVerdict: Encodable {
    private struct Proof: Encodable {
        /// Records in the present checkpoint, and those of them that a checkpoint kept elsewhere proves.
        var signedSize: UInt64?
        var provenSize: UInt64?
        /// Newest last.
        var keys: [String] = []
        /// Whether the keys are the service's own.
        let trustsOwnKeys: Bool
        var lastPublication: PublicationsReply.Publication?
        var lastCosignature: PublicationsReply.Cosignature?
        /// A sentence.
        var checkpointProblem: String?
        /// Whether the records differ from those of a checkpoint kept elsewhere, or are fewer.
        var contradicts = false
    }

    private let report: VerificationReport
    private var proof: Proof

    /// A sentence; `nil` if the log verifies.
    var problem: String? { report.isIntact ? proof.checkpointProblem : report.problem?.message }

    var status: ExitStatus { proof.contradicts ? .contradiction : .badData }

    /// - Parameters:
    ///   - held: checkpoints kept elsewhere.
    ///   - lines: the same in their short form.
    ///   - keys: `nil`: the service's.
    init(
        _ report: VerificationReport, held: [SignedNote], lines: [ShortCheckpoint], keys: [NoteVerifier]?,
        service: ServiceClient
    ) async throws {
        self.report = report
        proof = Proof(trustsOwnKeys: keys == nil)
        guard report.isIntact else { return }
        let reply = try await service.auditCheckpoint()
        let log = try ExportTrust.verified(reply, trusted: keys)
        let retired = Dictionary(zip(reply.keys, reply.retired)) { first, _ in first }
        proof.signedSize = log.checkpoint.size
        proof.keys = log.keys.map(\.text)
        let publications = try await service.auditPublications()
        proof.lastPublication = publications.publications.max { $0.size < $1.size }
        proof.lastCosignature = publications.cosignatures.max { $0.size < $1.size }
        do {
            // The service may have added records between reading and signing.
            try await log.requireRoot(report, service)
            var proven: UInt64?
            for note in held { proven = max(proven ?? 0, try await log.prove(note, retired, service)) }
            for line in lines { proven = max(proven ?? 0, try await log.prove(line, service)) }
            proof.provenSize = proven
        } catch let mismatch as CommandError where [.doesNotVerify, .contradicts].contains(mismatch.code) {
            proof.checkpointProblem = mismatch.message
            proof.contradicts = mismatch.code == .contradicts
        }
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        try proof.encode(to: encoder)
    }
}

extension ExportTrust {
    /// Whether the service signs the records that it reports.
    fileprivate func requireRoot(_ report: VerificationReport, _ service: ServiceClient) async throws {
        guard let root = MerkleHash(base64: report.root) else { throw Self.mismatch("The log's root cannot be read.") }
        guard try await begins(with: TreeHead(size: report.records, root: root), service) else {
            throw Self.mismatch("The log's records differ from those that the service signs.")
        }
    }

    /// - Parameter retired: the sizes up to which replaced keys vouch.
    /// - Returns: the checkpoint's number of records.
    fileprivate func prove(
        _ note: SignedNote, _ retired: [String: UInt64], _ service: ServiceClient
    ) async throws -> UInt64 {
        guard let held = Checkpoint(note, signedBy: keys) else {
            throw Self.mismatch(
                note.text.contains(checkpoint.origin)
                    ? "A checkpoint in the file was changed, for example by an editor: its signature does not verify with "
                        + "the log's keys."
                    : "A checkpoint in the file is of another log than \(checkpoint.origin).")
        }
        try requireReached(held.size)
        guard Checkpoint(note, signedBy: keys.filter { held.size <= retired[$0.text] ?? .max }) != nil else {
            throw Self.mismatch(
                "A checkpoint of \(held.size) records was signed with a key that had been replaced before.")
        }
        guard try await begins(with: held.head, service) else { throw Self.differ(held.size) }
        return held.size
    }

    /// - Returns: the line's number of records.
    fileprivate func prove(_ line: ShortCheckpoint, _ service: ServiceClient) async throws -> UInt64 {
        try requireReached(line.size)
        let reply = try await service.auditConsistency(from: line.size, to: checkpoint.size)
        guard let root = MerkleHash(base64: reply.root), line.matches(root),
            proves(reply, TreeHead(size: line.size, root: root))
        else { throw Self.differ(line.size) }
        return line.size
    }

    private func requireReached(_ size: UInt64) throws {
        try require(
            size <= checkpoint.size, .contradicts,
            "The log was truncated: it has \(checkpoint.size) records, but had \(size) when it was signed.")
    }

    private static func differ(_ size: UInt64) -> CommandError {
        CommandError(.contradicts, "The first \(size) records differ from those of the checkpoint kept elsewhere.")
    }

    private func begins(with earlier: TreeHead, _ service: ServiceClient) async throws -> Bool {
        guard earlier.size <= checkpoint.size else { return false }
        return proves(try await service.auditConsistency(from: earlier.size, to: checkpoint.size), earlier)
    }

    private func proves(_ reply: ConsistencyReply, _ earlier: TreeHead) -> Bool {
        ConsistencyProof(reply)?.proves(earlier, isBeginningOf: checkpoint.head) == true
    }

    private static func mismatch(_ message: String) -> CommandError { CommandError(.doesNotVerify, message) }
}

extension ConsistencyProof {
    /// - Returns: `nil` if the reply is not a proof.
    init?(_ reply: ConsistencyReply) {
        let hashes = reply.hashes.compactMap { MerkleHash(base64: $0) }
        guard hashes.count == reply.hashes.count else { return nil }
        self.init(from: reply.from, to: reply.to, hashes: hashes)
    }
}

extension LogVerdict {
    /// Sentences, the result first; cleaned, because programs chose the destinations.
    var lines: [String] {
        var lines = ["The log verifies: \(report.records) records, root \(report.root)"]
        if report.erasedRecords > 0 { lines.append("The fields of \(report.erasedRecords) of them were erased.") }
        lines += assurance
        if let last = proof.lastCosignature {
            let time = DayAndTime.text(Date(timeIntervalSince1970: TimeInterval(last.seconds)))
            lines.append("The witness \(last.witness) signed the first \(last.size) on \(time).")
        }
        if proof.trustsOwnKeys, let key = proof.keys.last {
            lines.append("The key is this machine's own: \(key)")
        }
        return lines.map { DisplayText.cleaned($0, limit: 2_000) }
    }

    private var assurance: [String] {
        if let provenSize = proof.provenSize {
            return [
                "Proven: the first \(provenSize) records are those of the checkpoint kept elsewhere.",
                unproven(after: provenSize),
            ]
        }
        if let published = proof.lastPublication {
            let day = DayAndTime.text(ofRecord: published.time)
            return [
                "A checkpoint of the first \(published.size) was published on \(day): \(published.destination)",
                "To prove that they are unchanged: voicegate audit verify --checkpoint FILE",
                unproven(after: published.size),
            ]
        }
        return [
            "No checkpoint was published, so only this machine vouches for the records. Publish one to a place that this "
                + "machine cannot change: voicegate audit checkpoint --publish FILE"
        ]
    }

    private func unproven(after size: UInt64) -> String {
        switch report.records {
        case ...size: "No record came after that."
        case size + 1: "For the record after that only this machine vouches."
        default: "For the \(report.records - size) records after that only this machine vouches."
        }
    }
}
