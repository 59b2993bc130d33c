import Consent
import FleetDatabase
import Foundation
import Logging

/// Witnesses of other organisations, which cosign the mirror's checkpoints: this collector cannot revise checkpoints
/// that they have seen.
struct UpstreamWitnesses: Sendable {
    /// Checkpoints that a witness is sent in one round.
    private static let mostInRound = 200
    /// Requests to a witness at once.
    private static let width = 4

    private let policy: WitnessPolicy
    private let store: FleetStore
    private let logger: Logger

    init(policyFile: String, _ store: FleetStore, _ logger: Logger) throws {
        guard let data = FileManager.default.contents(atPath: policyFile) else {
            throw CollectorSettings.Problem(description: "The policy \(policyFile) cannot be read.")
        }
        do {
            policy = try WitnessPolicy(data)
        } catch {
            throw CollectorSettings.Problem(description: "The policy \(policyFile) is wrong: \(error)")
        }
        for (_, url) in policy.urls { try OutgoingRequest.check(url, of: "The witness") }
        self.store = store
        self.logger = logger
    }

    func register() async throws {
        for witness in policy.witnesses { try await store.register(witness, as: .upstream) }
    }

    func update() async throws {
        for (witness, url) in policy.urls {
            var waiting = try await store.uncosigned(by: witness, limit: Self.mostInRound)[...]
            try await withThrowingTaskGroup(of: Bool.self) { group in
                func startNext() {
                    guard let checkpoint = waiting.popFirst() else { return }
                    group.addTask { try await answers(checkpoint, witness, at: url) }
                }
                for _ in 0..<Self.width { startNext() }
                while let isThere = try await group.next() {
                    // Otherwise the next round tries again, and the other witnesses are asked meanwhile.
                    if isThere { startNext() }
                }
            }
        }
    }

    /// - Returns: whether the witness answers, whatever it says to this checkpoint.
    private func answers(_ checkpoint: UncosignedCheckpoint, _ witness: NoteVerifier, at url: String) async throws
        -> Bool
    {
        do {
            try await send(checkpoint, to: witness, at: url)
        } catch let error as DatabaseError {
            throw error
        } catch {
            logger.warning("witness failed", metadata: ["witness": "\(witness.name)", "error": "\(error)"])
            guard error is OutgoingRequest.Refused else { return false }
            // It may take other hosts'.
            try await store.markTried(checkpoint, by: witness)
        }
        return true
    }

    /// https://c2sp.org/tlog-witness, `add-checkpoint`.
    private func send(_ checkpoint: UncosignedCheckpoint, to witness: NoteVerifier, at url: String) async throws {
        let host = checkpoint.host
        guard let hashes = try await store.consistency(of: host, from: checkpoint.known, to: host.mirrorSize),
            let proof = ConsistencyProof(from: checkpoint.known, to: host.mirrorSize, hashes: hashes)
        else {
            throw OutgoingRequest.Refused(
                description: "the tiles of \(host.origin) have no proof from \(checkpoint.known) records")
        }
        let (status, body) = try await OutgoingRequest.post(
            WitnessRequest(proof, in: checkpoint.note).data,
            to: url.hasSuffix("/") ? url + "add-checkpoint" : url + "/add-checkpoint", readingUpTo: 16 * 1024)
        switch status {
        case 200:
            let text = Data((checkpoint.note.text + "\n").utf8)
            guard let cosignature = SignedNote(text + body)?.signature(of: witness),
                witness.verifies(cosignature, of: checkpoint.note.text),
                let cosigned = checkpoint.note.adding(cosignature)
            else { throw OutgoingRequest.Refused(description: "its cosignature does not verify") }
            try await store.keep(host.mirrorSize, of: host, by: witness, cosigned)
        case 409:
            // It has another checkpoint than was known: the next round begins there.
            let text = String(decoding: body, as: UTF8.self)
            guard text.last == "\n", let size = UInt64(text.dropLast()), size <= host.mirrorSize,
                size != checkpoint.known
            else { throw OutgoingRequest.Refused(description: "it has \(text.prefix(40)) records of \(host.origin)") }
            try await store.keep(size, of: host, by: witness, nil)
        default: throw OutgoingRequest.Refused(description: "it answered \(status) for \(host.origin)")
        }
    }
}
