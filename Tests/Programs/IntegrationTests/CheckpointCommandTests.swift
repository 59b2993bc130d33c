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

    @Test("a published checkpoint is added to a file, recorded, and proves the log's beginning later")
    func published() async throws {
        let service = try await ServiceUnderTest()
        let file = outside.path + "/checkpoints"
        #expect(
            try await service.run(["audit", "verify"]).output.contains { $0.hasPrefix("No checkpoint was published") })
        for _ in 0..<2 {
            #expect(try await service.run(["audit", "checkpoint", "--publish", file]).status == 0)
            try await service.makeRecord()
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
        #expect(proven.output.contains { $0.hasSuffix("only this machine vouches.") })
        #expect(proven.output.contains { $0.hasPrefix("The key is this machine's own") })
        let key = try await service.checkpoint().keys[0].text
        let withKey = try await service.run(["audit", "verify", "--checkpoint", file, "--key", key])
        #expect(withKey.status == 0)
        #expect(!withKey.output.contains { $0.hasPrefix("The key is this machine's own") })
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

    @Test("a log that was put back whole, with its key and its checkpoint, is found by a checkpoint kept elsewhere")
    func rolledBack() async throws {
        let service = try await ServiceUnderTest()
        try await service.makeRecord()
        await service.stop()
        let copy = outside.path + "/state"
        try FileManager.default.copyItem(atPath: service.stateDirectory, toPath: copy)
        let later = try await ServiceUnderTest(continuing: service)
        try await later.makeRecord()
        let file = outside.path + "/checkpoints"
        #expect(try await later.run(["audit", "checkpoint", "--publish", file]).status == 0)
        await later.stop()
        try FileManager.default.removeItem(atPath: service.stateDirectory)
        try FileManager.default.copyItem(atPath: copy, toPath: service.stateDirectory)

        let restored = try await ServiceUnderTest(continuing: service)
        #expect(try await restored.run(["audit", "verify"]).status == 0)
        let cut = try await restored.run(["audit", "verify", "--checkpoint", file])
        #expect(cut.status == 76 && cut.errors.contains("The log was truncated"), "\(cut.errors)")
        #expect(!cut.output.contains { $0.contains("verifies") })
        for _ in 0..<4 { try await restored.makeRecord() }
        let forked = try await restored.run(["audit", "verify", "--checkpoint", file])
        #expect(
            forked.status == 76 && forked.errors.contains("differ from those of the checkpoint"), "\(forked.errors)")
    }

    @Test("a database that was restored alone is refused, unless the administrator accepts it")
    func databaseRolledBack() async throws {
        let service = try await ServiceUnderTest()
        await service.stop()
        let database = service.stateDirectory + "/consent.sqlite"
        let earlier = try ["", "-wal"].compactMap { suffix in
            let path = database + suffix
            return FileManager.default.fileExists(atPath: path)
                ? (path, try Data(contentsOf: URL(fileURLWithPath: path))) : nil
        }
        let later = try await ServiceUnderTest(continuing: service)
        try await later.makeRecord()
        #expect(try await later.run(["audit", "checkpoint"]).status == 0)
        await later.stop()
        for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
        for (path, contents) in earlier { try contents.write(to: URL(fileURLWithPath: path)) }
        let refusal = await #expect(throws: RunningProgram.Ended.self) {
            _ = try await ServiceUnderTest(continuing: service)
        }
        #expect(
            refusal?.errors.contains("it was put back to an earlier state") == true, "\(String(describing: refusal))")
        let accepted = try await ServiceUnderTest(options: ["--accept-restored-log"], continuing: service)
        #expect(try await accepted.records().contains { $0.kind == "recovery" && $0.text("reason") == "restored" })
        #expect(try await accepted.run(["audit", "verify"]).status == 0)
    }

    @Test(
        "after a kill right behind a decision, an older database is refused, also if the checkpoint or the key is removed"
    )
    func killed() async throws {
        let service = try await ServiceUnderTest()
        await service.stop()
        let state = service.stateDirectory
        let database = state + "/consent.sqlite"
        let earlier = try Data(contentsOf: URL(fileURLWithPath: database))
        let killed = try await ServiceUnderTest(continuing: service)
        try await killed.makeRecord()
        let size = try await killed.records().count
        // No command asks for it.
        try await eventually { try signedSize(state) >= size }
        killed.program.signal(SIGKILL)
        await killed.program.end()
        for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
        try earlier.write(to: URL(fileURLWithPath: database))
        for (removed, option) in [
            ("", "--accept-restored-log"), ("/consent.checkpoint", "--accept-restored-log"),
            ("/consent.key", "--accept-restored-log --replace-lost-key"),
        ] {
            if !removed.isEmpty { unlink(state + removed) }
            let refusal = await #expect(throws: RunningProgram.Ended.self, "\(removed)") {
                _ = try await ServiceUnderTest(continuing: service)
            }
            #expect(refusal?.errors.contains(option) == true, "\(removed): \(String(describing: refusal))")
        }
    }

    private func signedSize(_ state: String) throws -> UInt64 {
        let data = try Data(contentsOf: URL(fileURLWithPath: state + "/consent.checkpoint"))
        return SignedNote(data)?.checkpointSize ?? 0
    }

    @Test("a changed checkpoint, another log's, no checkpoint and no file have different errors")
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
        #expect(key.status == 65 && key.errors.contains("with your key"), "\(key.errors)")
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

    @Test("a program that runs the command cannot record that a checkpoint was published")
    func publishedByProgram() async throws {
        let service = try await ServiceUnderTest()
        let script = try service.registerScript(
            "import subprocess, sys\nsys.exit(subprocess.run(sys.argv[1:]).returncode)", name: "one")
        let program = try RunningProgram(
            [
                "/usr/bin/python3", script, Programs.commandLine, "audit", "checkpoint", "--publish",
                outside.path + "/checkpoints", "--socket", service.socket,
            ], environment: service.environment)
        #expect(await program.end() == 77, "\(program.errorText)")
        #expect(try await !service.records().contains { $0.kind == "checkpoint.published" })
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

    @Test("indexes and sizes that the log has not reached, and arguments that contradict each other, are refused")
    func badArguments() async throws {
        let service = try await ServiceUnderTest()
        for arguments in [["999"], ["--consistency", "999"], ["18446744073709551615"]] {
            let run = try await service.run(["audit", "prove"] + arguments)
            #expect((run.status == 66 || run.status == 64) && run.output.isEmpty, "\(arguments): \(run)")
        }
        for arguments in [
            ["prove"], ["prove", "-1"], ["prove", "x"], ["prove", "1", "--consistency", "1"],
            ["checkpoint", "--add-cosignature", "x", "--rotate-key"],
            ["verify", "--policy", "x"],
        ] {
            #expect(try await service.run(["audit"] + arguments).status == 64, "\(arguments)")
        }
    }
}
