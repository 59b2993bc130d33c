import Foundation
import TestSupport
import Testing

@testable import Consent

struct SigningTests {
    private let storage = MemoryStorage()
    private let store = MemoryCheckpoints()

    private func opened(
        _ storage: MemoryStorage? = nil, allowing options: LogStart.Options = []
    ) async throws -> ConsentLog {
        let log = try await ConsentLog.open(storage: storage ?? self.storage)
        try await log.beginSigning(with: store, allowing: options)
        return log
    }

    @Test("a checkpoint is of all records so far, bears the log's signature, and is kept before it is handed out")
    func checkpoint() async throws {
        let log = try await opened()
        try await log.start(5)
        let note = try await log.signedCheckpoint()
        let checkpoint = try #require(Checkpoint(note, signedBy: await log.verifiers))
        #expect(checkpoint.head == (await log.head))
        #expect(try await checkpoint.origin == log.origin())
        #expect(await store.last == note.data)
        #expect(try await log.signedCheckpoint() == note)
    }

    @Test("the first key is recorded, and a log that is opened again uses it without another record")
    func key() async throws {
        let verifiers = try await opened().verifiers
        let again = try await opened()
        #expect(await again.verifiers == verifiers)
        let rotations = try await again.records().filter { $0.kind == .keyRotated }
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
        try await log.start()
        #expect(try await log.signedCheckpoint().signers(among: verifiers) == [verifiers[1]])
        #expect(try await opened().verifiers == verifiers)
    }

    @Test("a log shorter than its signed size is refused, and continues only on request, with a record")
    func rolledBack() async throws {
        let log = try await opened()
        let copy = await storage.copy()
        try await log.start(4)
        _ = try await log.signedCheckpoint()
        let size = await log.head.size

        #expect(await code { try await opened(copy) } == .rolledBack)
        let restored = try await opened(copy, allowing: .acceptRestoredLog)
        let last = try #require(try await restored.lastRecord(of: .recovery))
        #expect(last.fields["reason"] == .string("restored"))
        #expect(last.fields["lastSigned"] == .integer(Int64(size)))
        #expect(last.fields["checkpoint"] == .string("ahead"))
        // The key that signed the lost records signs nothing after them.
        let rotation = try #require(try await restored.lastRecord(of: .keyRotated))
        #expect(rotation.index == last.index + 1 && rotation.fields["reason"] == .string("restored"))
        #expect(try await opened(copy).verify().isIntact)
    }

    @Test("a log with other records than those it signed is refused")
    func forked() async throws {
        let log = try await opened()
        let copy = await storage.copy()
        try await log.start(2)
        _ = try await log.signedCheckpoint()
        let fork = try await ConsentLog.open(storage: copy)
        try await fork.start(6)
        #expect(await code { try await opened(copy) } == .forked)
    }

    @Test("a last checkpoint that was changed, or is another log's, is refused")
    func foreignCheckpoint() async throws {
        let log = try await opened()
        let note = try await log.signedCheckpoint()
        let size = await log.head.size
        let smaller = note.text.replacing("\n\(size)\n", with: "\n1\n")
        await store.putBack(SignedNote(text: smaller, signatures: note.signatures))
        #expect(await code { try await opened() } == .badCheckpoint)

        let other = MemoryCheckpoints()
        let elsewhere = try await ConsentLog.open(storage: MemoryStorage())
        try await elsewhere.beginSigning(with: other)
        await store.putBack(try await elsewhere.signedCheckpoint())
        #expect(await code { try await opened() } == .forked)
    }

    @Test("every byte of the last checkpoint counts")
    func everyByte() async throws {
        let note = try await opened().signedCheckpoint()
        for place in note.data.indices {
            var data = note.data
            data[place] ^= 1
            // A file that is no longer a signed note is refused by every reader of the file.
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
        await store.putBack(nil as StoredKeys?)
        let refused = await #expect(throws: ConsentError.self) { try await opened() }
        #expect(refused?.code == .keyLost && refused?.resolvedBy == .replaceLostKey)
        let again = try await opened(allowing: .replaceLostKey)
        let record = try #require(try await again.lastRecord(of: .keyRotated))
        #expect(record.fields["reason"] == .string("lost"))
        #expect(record.fields["previousKey"] == .string(old.text))
        #expect(await again.verifiers.last != old)
        #expect(await again.verifiers.first == old)
    }

    @Test("a key that was replaced signs nothing after that: not the last checkpoint, and no note from outside")
    func retired() async throws {
        let log = try await opened()
        let old = try #require(await store.keys?.signer)
        _ = try await log.rotateKey()
        try await log.start(2)
        func note(_ size: UInt64) async throws -> SignedNote {
            let head = TreeHead(size: size, root: try await log.root(at: size))
            let checkpoint = try #require(Checkpoint(origin: try await log.origin(), head: head))
            return try #require(try old.sign(checkpoint.text))
        }
        let rotation = try #require(try await log.lastRecord(of: .keyRotated)).index
        try await log.recordPublication(of: note(rotation), to: "before")
        #expect(await code { try await log.recordPublication(of: note(rotation + 1), to: "after") } == .badCheckpoint)
        await store.putBack(try await note(rotation + 1))
        #expect(await code { try await opened() } == .badCheckpoint)
    }

    @Test(
        "the first start leaves a checkpoint of all records, and so does each change of the log when its growth is followed"
    )
    func growth() async throws {
        let log = try await opened()
        #expect(await store.signed.last.flatMap { Checkpoint(text: $0.text) }?.head == (await log.head))
        let signing = Task { for await _ in log.growth { _ = try await log.signedCheckpoint() } }
        for _ in 0..<5 {
            try await log.start(3)
            let head = await log.head
            while await store.signed.last.flatMap({ Checkpoint(text: $0.text) })?.size ?? 0 < head.size {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        signing.cancel()
        _ = await signing.result
    }

    @Test("a published checkpoint in the database that the log does not continue is enough to refuse it")
    func keptCheckpoint() async throws {
        let log = try await opened()
        let copy = await storage.copy()
        let before = await store.last
        try await log.start(2)
        try await log.recordPublication(of: try await log.signedCheckpoint(), to: "elsewhere")
        let kept = await storage.checkpoints()
        for checkpoint in kept { await copy.keep(checkpoint) }
        await store.putBack(before.flatMap { SignedNote($0) })
        #expect(await code { try await opened(copy) } == .rolledBack)
        _ = try await opened(copy, allowing: .acceptRestoredLog)
        _ = try await opened(copy)
    }

    @Test("a checkpoint's size is recorded only if the log signed it")
    func unverifiedSize() async throws {
        let log = try await opened()
        let stranger = try #require(NoteSigner(name: try await log.origin()))
        let head = TreeHead(size: 1_000_000, root: await log.head.root)
        let checkpoint = try #require(Checkpoint(origin: try await log.origin(), head: head))
        await store.putBack(try stranger.sign(checkpoint.text))
        let error = await #expect(throws: ConsentError.self) { try await opened() }
        #expect(error?.code == .rolledBack && error?.message.contains("1000000") == false)
        let record = try await opened(allowing: .acceptRestoredLog).lastRecord(of: .recovery)
        #expect(record?.fields["checkpoint"] == .string("ahead") && record?.fields["lastSigned"] == nil)
    }

    @Test("a log that was accepted once is not refused again for a checkpoint that was published before")
    func acceptedOnce() async throws {
        let log = try await opened()
        let fork = await storage.copy()
        try await log.start(2)
        try await log.recordPublication(of: try await log.signedCheckpoint(), to: "elsewhere")
        for checkpoint in await storage.checkpoints() { await fork.keep(checkpoint) }
        try await ConsentLog.open(storage: fork).start(6)
        let other = try await ConsentLog.open(storage: MemoryStorage())
        try await other.beginSigning(with: MemoryCheckpoints())
        await store.putBack(try await other.signedCheckpoint())
        #expect(await code { try await opened(fork) } == .forked)
        let accepted = try await opened(fork, allowing: .acceptRestoredLog)
        _ = try await opened(fork)
        // One that is published afterwards counts again, also if the earlier ones are larger.
        let before = await fork.copy()
        try await accepted.start()
        try await accepted.recordPublication(of: try await accepted.signedCheckpoint(), to: "elsewhere")
        for checkpoint in await fork.checkpoints() { await before.keep(checkpoint) }
        await before.keep(StoredCheckpoint(size: 1_000, note: Data("no note\n".utf8)))
        await store.putBack(nil as SignedNote?)
        #expect(await code { try await opened(before) } == .rolledBack)
    }

    @Test(
        "after a failed write of the key's file the key that the log names signs, and no other; the next start agrees",
        arguments: [[.before], [.after], [.none, .before], [.none, .after]] as [[MemoryCheckpoints.KeyFault]])
    func failedKeyFile(_ faults: [MemoryCheckpoints.KeyFault]) async throws {
        let log = try await opened()
        await store.fail(faults)
        await #expect(throws: POSIXError.self) { try await log.rotateKey() }
        let named = try #require(try await log.lastRecord(of: .keyRotated)?.fields["key"]?.string)
        try await log.start(2)
        let note = try await log.signedCheckpoint()
        let verifiers = await log.verifiers
        #expect(note.signers(among: verifiers).map(\.text) == [named])
        let size = await log.head.size
        let again = try await opened()
        #expect(await again.head.size == size)
        #expect(await again.verifiers == verifiers)
        let stored = try #require(await store.keys)
        #expect(stored.next == nil && stored.signer.verifier.text == named)
        #expect(try await again.verify().isIntact)
    }

    @Test(
        "replacements of the key that are interrupted again and again are completed without another record, and the former key confirms the new one"
    )
    func interruptedRotation() async throws {
        var log = try await opened()
        func interrupt() async {
            await store.fail([.none, .before])
            await #expect(throws: POSIXError.self) { try await log.rotateKey() }
        }
        for turn in 1...2 {
            let checkpoint = await store.last
            await interrupt()
            // As if it was killed right behind the record.
            await store.putBack(checkpoint.flatMap { SignedNote($0) })
            let size = await log.head.size
            log = try await opened()
            #expect(await log.head.size == size)
            let verifiers = await log.verifiers
            #expect(verifiers.count == turn + 1)
            #expect(await store.signed.last?.signers(among: verifiers) == Array(verifiers.suffix(2)))
            #expect(await store.keys?.next?.verifier == nil)
        }
        for _ in 1...2 { await interrupt() }
        let verifiers = await log.verifiers
        #expect(verifiers.count == 5)
        #expect(try await opened().verifiers == verifiers)
    }

    @Test("the former key's file and checkpoint put back are refused, and do not disown the present key")
    func formerKey() async throws {
        let log = try await opened()
        let (old, checkpoint) = (await store.stored, await store.last)
        _ = try await log.rotateKey()
        let present = try #require(await log.verifiers.last)
        await store.putBack(old)
        await store.putBack(checkpoint.flatMap { SignedNote($0) })
        #expect(await code { try await opened() } == .keyLost)
        #expect(try await opened(allowing: .replaceLostKey).verifiers.contains(present))
    }

    @Test("a key's file that names no machine does from the next start on, without a record")
    func unmarked() async throws {
        let log = try await opened()
        await store.putBack(StoredKeys(await store.keys, isUnmarked: true))
        let again = try await opened()
        #expect(await again.head == log.head)
        #expect(await store.stored?.isUnmarked == false)
        // If that cannot be written, the log goes on all the same.
        await store.putBack(StoredKeys(await store.keys, isUnmarked: true))
        await store.fail([.before])
        _ = try await opened()
    }

    @Test("checkpoints that are asked for at once never replace a larger one by a smaller")
    func concurrent() async throws {
        let log = try await opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await log.start()
                    _ = try await log.signedCheckpoint()
                }
            }
            try await group.waitForAll()
        }
        let last = try #require(await store.signed.last.flatMap { Checkpoint(text: $0.text) })
        #expect(last.head == (await log.head))
    }

    @Test("a witness's signature is kept with the checkpoint, and one of a stranger is refused")
    func cosignatures() async throws {
        let log = try await opened()
        let note = try await log.signedCheckpoint()
        let witness = try #require(NoteSigner(name: "witness.example"))
        let signature = try witness.cosign(note.text, at: 1_790_000_000)
        let cosigned = try #require(note.adding(signature))
        #expect(await code { try await log.addCosignatures(of: cosigned, by: []) } == .badCheckpoint)
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
