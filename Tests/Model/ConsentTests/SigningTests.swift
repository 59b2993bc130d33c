import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

struct SigningTests {
    private let storage = MemoryStorage()
    private let store = MemoryCheckpoints()

    private func opened(_ storage: MemoryStorage? = nil, acceptsRestored: Bool = false) async throws -> ConsentLog {
        let log = try await ConsentLog.open(storage: storage ?? self.storage)
        try await log.beginSigning(with: store, acceptsRestored: acceptsRestored)
        return log
    }

    private func tell(_ log: ConsentLog, _ count: Int) async throws {
        for _ in 0..<count { try await log.record(.sessionStarted(LedgerSamples.session), changing: nil) }
    }

    @Test("a checkpoint is of all records so far, bears the log's signature, and is kept before it is handed out")
    func checkpoint() async throws {
        let log = try await opened()
        try await tell(log, 5)
        let note = try await log.signedCheckpoint()
        let checkpoint = try #require(Checkpoint(note, signedBy: await log.verifiers))
        #expect(checkpoint.head == (await log.head))
        #expect(try await checkpoint.origin == log.origin())
        #expect(await store.last == note)
        #expect(try await log.signedCheckpoint() == note)
    }

    @Test("the first key is recorded, and a log that is opened again uses it without another record")
    func key() async throws {
        let verifiers = try await opened().verifiers
        let again = try await opened()
        #expect(await again.verifiers == verifiers)
        let rotations = try await again.records().filter { $0.kind == RecordKind.keyRotated.rawValue }
        #expect(rotations.count == 1)
        #expect(rotations.first?.fields["key"]?.string == verifiers.last?.text)
        #expect(rotations.first?.fields["reason"]?.string == "created")
    }

    @Test("the old key confirms a new one: both sign the checkpoint that contains its record")
    func rotation() async throws {
        let log = try await opened()
        let old = try #require(await log.verifiers.last)
        let note = try await log.rotateKey()
        let verifiers = await log.verifiers
        #expect(verifiers.count == 2 && verifiers.first == old)
        #expect(note.signers(among: verifiers).count == 2)
        #expect(Checkpoint(note, signedBy: [old])?.size == (await log.head.size))
        try await tell(log, 1)
        #expect(try await log.signedCheckpoint().signers(among: verifiers) == [verifiers[1]])
        #expect(try await opened().verifiers == verifiers)
    }

    @Test(
        "a log shorter than its signed size is refused, and continues only on request, with a record")
    func rolledBack() async throws {
        let log = try await opened()
        let copy = await storage.copy()
        try await tell(log, 4)
        _ = try await log.signedCheckpoint()
        let size = await log.head.size

        let error = await #expect(throws: ConsentError.self) { try await opened(copy) }
        #expect(error?.code == .rolledBack)
        let restored = try await opened(copy, acceptsRestored: true)
        let last = try #require(try await restored.lastRecord(of: .recovery))
        #expect(last.fields["reason"] == .string("restored"))
        #expect(last.fields["lastSigned"] == .integer(Int64(size)))
        #expect(try await opened(copy).verify().isIntact)
    }

    @Test("a log with other records than those it signed is refused")
    func forked() async throws {
        let log = try await opened()
        let copy = await storage.copy()
        try await tell(log, 2)
        _ = try await log.signedCheckpoint()
        let fork = try await ConsentLog.open(storage: copy)
        try await tell(fork, 6)
        let error = await #expect(throws: ConsentError.self) { try await opened(copy) }
        #expect(error?.code == .forked)
    }

    @Test("a last checkpoint that was changed, or is another log's, is refused")
    func foreignCheckpoint() async throws {
        let log = try await opened()
        let note = try await log.signedCheckpoint()
        let size = await log.head.size
        let smaller = note.text.replacing("\n\(size)\n", with: "\n1\n")
        await store.putBack(SignedNote(text: smaller, signatures: note.signatures))
        let changed = await #expect(throws: ConsentError.self) { try await opened() }
        #expect(changed?.code == .badCheckpoint)

        let other = MemoryCheckpoints()
        let elsewhere = try await ConsentLog.open(storage: MemoryStorage())
        try await elsewhere.beginSigning(with: other)
        await store.putBack(try await elsewhere.signedCheckpoint())
        let foreign = await #expect(throws: ConsentError.self) { try await opened() }
        #expect(foreign?.code == .forked)
    }

    @Test("every byte of the last checkpoint counts")
    func everyByte() async throws {
        let note = try await opened().signedCheckpoint()
        for place in note.data.indices {
            var data = note.data
            data[place] ^= 1
            // What is no signed note any more is refused by whoever reads the file.
            guard let altered = SignedNote(data) else { continue }
            await store.putBack(altered)
            await #expect(throws: ConsentError.self, "byte \(place)") { try await opened() }
        }
        await store.putBack(note)
        _ = try await opened()
    }

    @Test("a new key in place of a lost one is a record that names the old one")
    func lostKey() async throws {
        let log = try await opened()
        _ = try await log.signedCheckpoint()
        let old = try #require(await log.verifiers.last)
        await store.lose()
        let again = try await opened()
        let record = try #require(try await again.lastRecord(of: .keyRotated))
        #expect(record.fields["reason"] == .string("lost"))
        #expect(record.fields["previousKey"] == .string(old.text))
        #expect(await again.verifiers.last != old)
    }

    @Test("checkpoints that are asked for at once never replace a larger one by a smaller")
    func concurrent() async throws {
        let log = try await opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await tell(log, 1)
                    _ = try await log.signedCheckpoint()
                }
            }
            try await group.waitForAll()
        }
        let last = try #require(await store.last.flatMap { Checkpoint(text: $0.text) })
        #expect(last.head == (await log.head))
    }

    @Test("a witness's signature is kept with the checkpoint, and one of a stranger is refused")
    func cosignatures() async throws {
        let log = try await opened()
        let note = try await log.signedCheckpoint()
        let witness = try #require(NoteSigner(name: "witness.example"))
        let signature = try witness.cosign(note.text, at: 1_790_000_000)
        let cosigned = try #require(note.adding(signature))
        let refused = await #expect(throws: ConsentError.self) { try await log.addCosignatures(of: cosigned, by: []) }
        #expect(refused?.code == .badCheckpoint)
        #expect(try await log.keptCheckpoints().isEmpty)

        let added = try await log.addCosignatures(of: cosigned, by: [witness.witnessVerifier])
        #expect(added == [witness.witnessVerifier])
        #expect(try await log.keptCheckpoints().first?.signers(among: added) == added)
    }

    @Test("that a checkpoint left the machine is a record, and the checkpoint is kept")
    func publication() async throws {
        let log = try await opened()
        let note = try await log.signedCheckpoint()
        let size = await log.head.size
        try await log.recordPublication(of: note, to: "/media/stick/checkpoint")
        let record = try #require(try await log.lastRecord(of: .checkpointPublished))
        #expect(record.fields["size"] == .integer(Int64(size)))
        #expect(record.fields["destination"] == .string("/media/stick/checkpoint"))
        #expect(try await log.keptCheckpoints() == [note])
    }
}
