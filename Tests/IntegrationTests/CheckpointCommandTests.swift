import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Checkpoints and proofs by the command line", .timeLimit(.minutes(4)))
struct CheckpointCommandTests {
    private let outside: TemporaryFolder

    init() throws { outside = try TemporaryFolder() }

    /// Whatever leaves a record.
    private func makeRecord(_ service: ServiceUnderTest) async throws {
        for command in ["mute", "unmute"] {
            let (status, _, errors) = try await service.run([command])
            #expect(status == 0, "\(errors)")
        }
    }

    private func checkpoint(_ service: ServiceUnderTest, _ arguments: [String] = []) async throws
        -> (note: SignedNote, keys: [NoteVerifier])
    {
        let (status, output, errors) = try await service.run(["audit", "checkpoint", "--json"] + arguments)
        #expect(status == 0, "\(errors)")
        let line = Data(output.joined().utf8)
        let reply = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        let note = try #require((reply["checkpoint"] as? String).flatMap { SignedNote(Data($0.utf8)) })
        return (note, (reply["keys"] as? [String] ?? []).compactMap(NoteVerifier.init(text:)))
    }

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

    @Test("what was published is added to a file, recorded, and proves the log's beginning later")
    func published() async throws {
        let service = try await ServiceUnderTest()
        let file = outside.path + "/checkpoints"
        #expect(
            try await service.run(["audit", "verify"]).output.contains { $0.hasPrefix("No checkpoint was published") })
        for _ in 0..<2 {
            #expect(try await service.run(["audit", "checkpoint", "--publish", file]).status == 0)
            try await makeRecord(service)
        }
        let notes = try #require(SignedNote.list(try Data(contentsOf: URL(fileURLWithPath: file))))
        #expect(notes.count == 2)
        let published = try await service.records().filter { $0.kind == "checkpoint.published" }
        #expect(published.map { $0.text("destination") } == ["file \(file)", "file \(file)"])

        let size = try #require(notes.last.flatMap { Checkpoint(text: $0.text) }).size
        let plain = try await service.run(["audit", "verify"])
        #expect(plain.output.contains { $0.hasPrefix("A checkpoint of the first \(size) was published") })
        let proven = try await service.run(["audit", "verify", "--checkpoint", file])
        #expect(proven.status == 0, "\(proven.errors)")
        #expect(proven.output.contains { $0.hasPrefix("Proven: the first \(size) records") })
        #expect(proven.output.contains { $0.hasSuffix("only this machine's word.") })
        #expect(proven.output.contains { $0.hasPrefix("The key is the one that this machine names") })
        let key = try await checkpoint(service).keys[0].text
        let withKey = try await service.run(["audit", "verify", "--checkpoint", file, "--key", key])
        #expect(withKey.status == 0)
        #expect(!withKey.output.contains { $0.hasPrefix("The key is the one that this machine names") })
    }

    @Test("a log that was put back whole, with its key and its checkpoint, is found by a checkpoint kept elsewhere")
    func rolledBack() async throws {
        let service = try await ServiceUnderTest()
        try await makeRecord(service)
        await service.stop()
        let copy = outside.path + "/state"
        try FileManager.default.copyItem(atPath: service.stateDirectory, toPath: copy)
        let later = try await ServiceUnderTest(continuing: service)
        try await makeRecord(later)
        let file = outside.path + "/checkpoints"
        #expect(try await later.run(["audit", "checkpoint", "--publish", file]).status == 0)
        await later.stop()
        try FileManager.default.removeItem(atPath: service.stateDirectory)
        try FileManager.default.copyItem(atPath: copy, toPath: service.stateDirectory)

        let restored = try await ServiceUnderTest(continuing: service)
        #expect(try await restored.run(["audit", "verify"]).status == 0)
        let cut = try await restored.run(["audit", "verify", "--checkpoint", file])
        #expect(cut.status == 65 && cut.errors.contains("The log was cut"), "\(cut.errors)")
        #expect(!cut.output.contains { $0.contains("verifies") })
        for _ in 0..<4 { try await makeRecord(restored) }
        let forked = try await restored.run(["audit", "verify", "--checkpoint", file])
        #expect(forked.status == 65 && forked.errors.contains("are not those that were signed"), "\(forked.errors)")
    }

    @Test("a changed checkpoint, another log's, no checkpoint and no file are told apart")
    func badCheckpoints() async throws {
        let service = try await ServiceUnderTest()
        let file = outside.path + "/checkpoints"
        #expect(try await service.run(["audit", "checkpoint", "--publish", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        func verify(_ text: String) async throws -> (Int32, String) {
            try outside.write(text, to: "other")
            let run = try await service.run(["audit", "verify", "--checkpoint", outside.path + "/other"])
            return (run.status, run.errors)
        }
        let size = try #require(SignedNote(Data(text.utf8)).flatMap { Checkpoint(text: $0.text) }).size
        let changed = try await verify(text.replacing("\n\(size)\n", with: "\n\(size - 1)\n"))
        #expect(changed.0 == 65 && changed.1.contains("does not verify"), "\(changed)")
        let foreign = try await verify(PublishedVector.checkpoint)
        #expect(foreign.0 == 65 && foreign.1.contains("another log"), "\(foreign)")
        #expect(try await verify("hello\n").0 == 65)
        #expect(try await verify("").0 == 65)
        #expect(try await verify(text + String(text.dropLast(10))).0 == 65)
        let missing = try await service.run(["audit", "verify", "--checkpoint", outside.path + "/none"])
        #expect(missing.status == 66)
        let other = try #require(NoteSigner(name: "voicegate.local/log/other")).verifier.text
        let key = try await service.run(["audit", "verify", "--key", other])
        #expect(key.status == 65 && key.errors.contains("with the key that you gave"), "\(key.errors)")
    }

    @Test("a command gets the checkpoint; one that fails publishes nothing, and nothing is recorded")
    func commands() async throws {
        let service = try await ServiceUnderTest()
        let file = outside.path + "/by command"
        let good = try await service.run(["audit", "checkpoint", "--publish-command", "cat > '\(file)'; echo noise"])
        #expect(good.status == 0, "\(good.errors)")
        #expect(SignedNote(try Data(contentsOf: URL(fileURLWithPath: file))) != nil)
        #expect(!good.output.contains("noise"))
        #expect(try await service.records().last?.text("destination") == "command cat")
        let count = try await service.records().count
        for command in ["exit 3", "kill -9 $$", "/nowhere/program"] {
            let bad = try await service.run(["audit", "checkpoint", "--publish-command", command])
            #expect(bad.status == 69 && bad.output.isEmpty, "\(command): \(bad)")
        }
        let unwritable = try await service.run(["audit", "checkpoint", "--publish", outside.path + "/none/file"])
        #expect(unwritable.status == 74)
        let full = try await service.run(["audit", "checkpoint", "--publish", "/dev/full"])
        #expect(full.status == 74)
        #expect(try await service.records().count == count)
    }

    @Test("a record's proof and the log's consistency are checked without the service")
    func proofs() async throws {
        let service = try await ServiceUnderTest()
        let first = try await checkpoint(service)
        try await makeRecord(service)
        let file = outside.path + "/1.tlog-proof"
        #expect(try await service.run(["audit", "prove", "1", "--output", file]).status == 0)
        let printed = try await service.run(["audit", "prove", "--consistency", "\(first.note.checkpointSize)"])
        #expect(printed.status == 0)
        await service.stop()
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

    @Test("indexes and sizes that the log has not reached, and arguments that contradict each other, are refused")
    func badArguments() async throws {
        let service = try await ServiceUnderTest()
        for arguments in [["999"], ["--consistency", "999"], ["18446744073709551615"]] {
            let run = try await service.run(["audit", "prove"] + arguments)
            #expect((run.status == 66 || run.status == 64) && run.output.isEmpty, "\(arguments): \(run)")
        }
        for arguments in [
            ["prove"], ["prove", "-1"], ["prove", "x"], ["prove", "1", "--consistency", "1"],
            ["checkpoint", "--add-cosignature", "x", "--rotate-key"], ["verify", "x", "--checkpoint", "y"],
            ["verify", "--witness", "x"], ["verify", "x", "--witness", "x"],
        ] {
            #expect(try await service.run(["audit"] + arguments).status == 64, "\(arguments)")
        }
    }

    @Test("a new key signs beside the old one once, is recorded, and the old one is kept for verification")
    func rotation() async throws {
        let service = try await ServiceUnderTest()
        let before = try await checkpoint(service)
        let after = try await checkpoint(service, ["--rotate-key"])
        #expect(after.keys.count == 2 && after.keys.first == before.keys.first)
        #expect(Checkpoint(after.note, signedBy: before.keys) != nil)
        #expect(Checkpoint(after.note, signedBy: [after.keys[1]]) != nil)
        let record = try #require(try await service.records().last { $0.kind == "key.rotated" })
        #expect(record.text("key") == after.keys[1].text && record.text("previousKey") == before.keys[0].text)
        try await makeRecord(service)
        #expect(try await service.run(["audit", "verify"]).status == 0)
        await service.stop()
        let next = try await ServiceUnderTest(continuing: service)
        let third = try await checkpoint(next)
        #expect(third.keys == after.keys)
        #expect(Checkpoint(third.note, signedBy: before.keys) == nil)
    }

    @Test("cosignatures of the witnesses in config.yaml are kept, and of nobody else")
    func witnesses() async throws {
        let witness = try #require(NoteSigner(name: "witness.example/w1"))
        let stranger = try #require(NoteSigner(name: "witness.example/w2"))
        let configuration = try outside.write("witnesses:\n  - \(witness.witnessVerifier)\n", to: "config.yaml")
        let service = try await ServiceUnderTest(options: ["--configuration", configuration])
        let (note, _) = try await checkpoint(service)
        func add(_ signer: NoteSigner, to note: SignedNote) async throws -> (
            status: Int32, output: [String], errors: String
        ) {
            let cosignature = try signer.cosign(note.text, at: 1_790_000_000)
            try outside.write(try #require(note.adding(cosignature)).data, to: "cosigned")
            return try await service.run(["audit", "checkpoint", "--add-cosignature", outside.path + "/cosigned"])
        }
        let good = try await add(witness, to: note)
        #expect(good.status == 0 && good.output == ["Kept: the signature of \(witness.witnessVerifier)"], "\(good)")
        let bad = try await add(stranger, to: note)
        #expect(bad.status == 64 && bad.errors.contains("No witness that is known"), "\(bad)")
        let foreign = try #require(SignedNote(Data(PublishedVector.checkpoint.utf8)))
        #expect(try await add(witness, to: foreign).status == 64)
        let verdict = try await service.run(["audit", "verify"])
        #expect(
            verdict.output.contains { $0.contains("witness.example/w1, signed the first \(note.checkpointSize) on") })
        #expect(!verdict.output.contains { $0.contains("w2") })
    }

    @Test("no other program may sign, rotate, prove or publish")
    func otherPrograms() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        let count = try await service.records().count
        for path in ["checkpoint", "keys", "cosignatures", "publications"] {
            let request = try service.curl(
                "/v1/audit/\(path)", ["-X", "POST", "-o", "/dev/null", "-w", "%{http_code}"])
            await request.end()
            #expect(request.lines == ["403"], "\(path)")
        }
        for path in ["proofs/0", "consistency?from=0", "publications"] {
            let request = try service.curl("/v1/audit/\(path)", ["-o", "/dev/null", "-w", "%{http_code}"])
            await request.end()
            #expect(request.lines == ["403"], "\(path)")
        }
        #expect(try await service.records().count == count)
    }
}

extension SignedNote {
    fileprivate var checkpointSize: UInt64 { Checkpoint(text: text)?.size ?? 0 }
}
