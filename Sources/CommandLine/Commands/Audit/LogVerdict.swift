import Authorization
import Consent
import Foundation
import SocketAPI
import VoiceGateClient

/// What is proven about this machine's log, and what is not.
struct LogVerdict: Encodable {
    /// Encoded as members of this type.
    let report: VerificationReport
    /// Records in the present checkpoint, and those of them that a checkpoint kept elsewhere proves.
    let signedSize: UInt64?
    let provenSize: UInt64?
    /// Newest last.
    let keys: [String]
    /// Whether the keys are the service's own.
    let trustsOwnKeys: Bool
    let lastPublication: PublicationsReply.Publication?
    let lastCosignature: PublicationsReply.Cosignature?
    /// A sentence; `nil` if the log verifies.
    let problem: String?

    private enum CodingKeys: String, CodingKey {
        case signedSize, provenSize, keys, trustsOwnKeys, lastPublication, lastCosignature, checkpointProblem
    }

    /// - Parameters:
    ///   - held: checkpoints kept elsewhere.
    ///   - keys: `nil`: the service's.
    init(
        _ report: VerificationReport, held: [SignedNote], keys: [NoteVerifier]?, service: VoiceGateClient
    ) async throws {
        self.report = report
        trustsOwnKeys = keys == nil
        guard report.isIntact else {
            signedSize = nil
            provenSize = nil
            self.keys = []
            lastPublication = nil
            lastCosignature = nil
            problem = report.problem?.message
            return
        }
        let log = try SignedLog(try await service.auditCheckpoint(), trusted: keys)
        signedSize = log.checkpoint.size
        self.keys = log.keys.map(\.text)
        let publications = try await service.auditPublications()
        lastPublication = publications.publications.max { $0.size < $1.size }
        lastCosignature = publications.cosignatures.max { $0.size < $1.size }
        do {
            // The service may have added records between reading and signing.
            try await Self.requireRoot(report, of: log, service)
            var proven: UInt64?
            for note in held { proven = max(proven ?? 0, try await Self.prove(note, of: log, service)) }
            provenSize = proven
            problem = nil
        } catch let mismatch as CommandError where mismatch.code == .doesNotVerify {
            provenSize = nil
            problem = mismatch.message
        }
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(signedSize, forKey: .signedSize)
        try container.encodeIfPresent(provenSize, forKey: .provenSize)
        try container.encode(keys, forKey: .keys)
        try container.encode(trustsOwnKeys, forKey: .trustsOwnKeys)
        try container.encodeIfPresent(lastPublication, forKey: .lastPublication)
        try container.encodeIfPresent(lastCosignature, forKey: .lastCosignature)
        if report.isIntact { try container.encodeIfPresent(problem, forKey: .checkpointProblem) }
    }

    private static func requireRoot(_ report: VerificationReport, of log: SignedLog, _ service: VoiceGateClient)
        async throws
    {
        guard let root = MerkleHash(base64: report.root) else { throw Self.mismatch("The log's root cannot be read.") }
        let read = TreeHead(size: report.records, root: root)
        guard try await isConsistent(read, log.checkpoint.head, service) else {
            throw Self.mismatch("The log's records differ from those that the service signs.")
        }
    }

    /// - Returns: the checkpoint's number of records.
    private static func prove(_ note: SignedNote, of log: SignedLog, _ service: VoiceGateClient) async throws -> UInt64
    {
        guard let held = Checkpoint(note, signedBy: log.keys) else {
            throw mismatch(
                Checkpoint(text: note.text)?.origin == log.checkpoint.origin
                    ? "A checkpoint in the file was changed: its signature does not verify with the log's keys."
                    : "A checkpoint in the file is of another log than \(log.checkpoint.origin).")
        }
        guard held.size <= log.checkpoint.size else {
            throw mismatch(
                "The log was truncated: it has \(log.checkpoint.size) records, but had \(held.size) when it was signed."
            )
        }
        guard try await isConsistent(held.head, log.checkpoint.head, service) else {
            throw mismatch("The first \(held.size) records differ from those of the checkpoint kept elsewhere.")
        }
        return held.size
    }

    private static func isConsistent(_ earlier: TreeHead, _ later: TreeHead, _ service: VoiceGateClient)
        async throws -> Bool
    {
        guard earlier.size <= later.size else { return false }
        let reply = try await service.auditConsistency(from: earlier.size, to: later.size)
        let hashes = reply.hashes.compactMap { MerkleHash(base64: $0) }
        guard hashes.count == reply.hashes.count,
            let proof = ConsistencyProof(from: earlier.size, to: later.size, hashes: hashes)
        else { return false }
        return proof.proves(earlier, isBeginningOf: later)
    }

    private static func mismatch(_ message: String) -> CommandError { CommandError(.doesNotVerify, .badData, message) }
}

extension LogVerdict {
    /// Sentences, the result first; cleaned, because programs chose the destinations.
    var lines: [String] {
        var lines = ["The log verifies: \(report.records) records, root \(report.root)"]
        if report.erasedRecords > 0 { lines.append("The fields of \(report.erasedRecords) of them were erased.") }
        lines += assurance
        if let lastCosignature {
            let time = DayAndTime.text(Date(timeIntervalSince1970: TimeInterval(lastCosignature.seconds)))
            lines.append("The witness \(lastCosignature.witness) signed the first \(lastCosignature.size) on \(time).")
        }
        if trustsOwnKeys, let key = keys.last {
            lines.append("The key is this machine's own: \(key)")
        }
        return lines.map { DisplayText.cleaned($0, limit: 2_000) }
    }

    private var assurance: [String] {
        if let provenSize {
            return [
                "Proven: the first \(provenSize) records are those of the checkpoint kept elsewhere.",
                onlyWord(after: provenSize),
            ]
        }
        if let published = lastPublication {
            let day = DayAndTime.text(ofRecord: published.time)
            return [
                "A checkpoint of the first \(published.size) was published on \(day): \(published.destination)",
                "To prove that they are unchanged: voicegate audit verify --checkpoint FILE",
                onlyWord(after: published.size),
            ]
        }
        return [
            "No checkpoint was published, so only this machine vouches for the records. Publish one to a place that this "
                + "machine cannot change: voicegate audit checkpoint --publish FILE"
        ]
    }

    private func onlyWord(after size: UInt64) -> String {
        switch report.records {
        case ...size: "No record came after that."
        case size + 1: "For the record after that only this machine vouches."
        default: "For the \(report.records - size) records after that only this machine vouches."
        }
    }
}
