import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Checkpoints and proofs by the command line", .timeLimit(.minutes(4)))
struct CheckpointCommandTests {
    private let outside: TemporaryFolder

    init() throws { outside = try TemporaryFolder() }

    @Test("a checkpoint that is printed verifies with the key that is named, and covers what is recorded")
    func printed() async throws {
        let service = try await ServiceUnderTest()
        let (status, output, errors) = try await service.run(["audit", "checkpoint"])
        #expect(status == 0)
        let note = try #require(SignedNote(Data((output.joined(separator: "\n") + "\n").utf8)))
        let key = try #require(
            errors.split(separator: " ").last.flatMap { word in
                NoteVerifier(text: word.trimmingCharacters(in: .newlines))
            })
        let checkpoint = try #require(Checkpoint(note, signedBy: [key]))
        #expect(checkpoint.origin.hasPrefix("voicegate.local/log/"))
        #expect(checkpoint.size == UInt64(try await service.records().count))
        #expect(try await service.records().contains { $0.kind == "checkpoint.published" } == false)
    }

    @Test("a line that was written down is accepted despite mistakes of copying; a mistake in a digit is noticed")
    func shortLine() async throws {
        let service = try await ServiceUnderTest()
        let printed = try await service.run(["audit", "checkpoint", "--short"])
        let line = try #require(printed.output.first)
        #expect(printed.output.count == 1 && ShortCheckpoint(line) != nil, "\(printed)")
        try await service.makeRecord()
        for copy in [
            line, line.uppercased().replacing("-", with: " "), "voicegated[7]: consent log: checkpoint \(line)",
        ] {
            let run = try await service.run(["audit", "verify", "--line", copy])
            #expect(run.status == 0 && run.output.contains { $0.hasPrefix("Proven: the first") }, "\(copy): \(run)")
        }
        let size = try #require(line.split(separator: " ").first)
        let wrong = try await service.run(["audit", "verify", "--line", line.replacing(size, with: size + "1")])
        #expect(wrong.status == 64 && wrong.errors.contains("has a mistake in it"), "\(wrong)")
        // Another log's line, and one of records that no longer exist.
        let head = TreeHead(size: 1, root: .leaf(Data("other".utf8)))
        let other = try await service.run(["audit", "verify", "--line", "\(ShortCheckpoint(head))"])
        #expect(other.status == 76 && other.errors.contains("differ"), "\(other)")
        let later = TreeHead(size: 1_000_000, root: head.root)
        let cut = try await service.run(["audit", "verify", "--line", "\(ShortCheckpoint(later))"])
        #expect(cut.status == 76 && cut.errors.contains("truncated"), "\(cut)")
    }

    @Test("a key that was replaced does not vouch for a later checkpoint in a file")
    func retiredKey() async throws {
        let service = try await ServiceUnderTest()
        let path = service.stateDirectory + "/consent.key"
        let secret = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").last.map(String.init)
        let old = try #require(secret.flatMap(NoteSigner.init(secretText:)))
        #expect(try await service.run(["audit", "checkpoint", "--rotate-key"]).status == 0)
        try await service.makeRecord()
        let (note, _) = try await service.checkpoint()
        try outside.write(try #require(try old.sign(note.text)).data, to: "forged")
        let run = try await service.run(["audit", "verify", "--checkpoint", outside.path + "/forged"])
        #expect(run.status == 65 && run.errors.contains("had been replaced"), "\(run)")
    }

    @Test("a record's proof and the log's consistency are checked without the service")
    func proofs() async throws {
        let service = try await ServiceUnderTest()
        let first = try await service.checkpoint()
        try await service.makeRecord()
        let file = outside.path + "/1.tlog-proof"
        #expect(try await service.run(["audit", "prove", "1", "--output", file]).status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let again = try await service.run(["audit", "prove", "2", "--output", file])
        #expect(again.status == 74 && again.errors.contains("exists"), "\(again)")
        let printed = try await service.run(["audit", "prove", "--consistency", "\(first.note.checkpointSize)"])
        #expect(printed.status == 0)
        await service.stop()
        let key = try outside.write(first.keys.map { $0.text + "\n" }.joined(), to: "keys")
        let alone = try await service.run(["audit", "verify", file, "--key", key])
        #expect(alone.status == 0 && alone.output.last == "verdict: verified", "\(alone)")
        #expect(alone.output.contains { $0.contains("key.rotated") })
        #expect(try await service.run(["audit", "verify", file]).status == 64)
        let proof = try #require(OfflineProof(try Data(contentsOf: URL(fileURLWithPath: file))))
        let signed = try #require(Checkpoint(proof.note, signedBy: first.keys))
        #expect(proof.inclusion.index == 1 && proof.inclusion.size == signed.size)

        #expect(printed.output.first == "old \(first.note.checkpointSize)")
        let parts = printed.output.split(separator: "", maxSplits: 1, omittingEmptySubsequences: false)
        let hashes = parts[0].dropFirst().compactMap { MerkleHash(base64: $0) }
        let note = try #require(SignedNote(Data((parts[1].joined(separator: "\n") + "\n").utf8)))
        let later = try #require(Checkpoint(note, signedBy: first.keys))
        let earlier = try #require(Checkpoint(first.note, signedBy: first.keys))
        let consistency = try #require(ConsistencyProof(from: earlier.size, to: later.size, hashes: hashes))
        #expect(consistency.proves(earlier.head, isBeginningOf: later.head))
    }
}
