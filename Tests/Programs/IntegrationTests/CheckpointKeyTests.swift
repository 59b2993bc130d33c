import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Keys and witnesses of checkpoints", .timeLimit(.minutes(4)))
struct CheckpointKeyTests {
    private let outside: TemporaryFolder

    init() throws { outside = try TemporaryFolder() }

    @Test("a new key signs beside the old one once, is recorded, and the old one is kept for verification")
    func rotation() async throws {
        let service = try await ServiceUnderTest()
        let before = try await service.checkpoint()
        let after = try await service.checkpoint(["--rotate-key"])
        #expect(after.keys.count == 2 && after.keys.first == before.keys.first)
        #expect(Checkpoint(after.note, signedBy: before.keys) != nil)
        #expect(Checkpoint(after.note, signedBy: [after.keys[1]]) != nil)
        let record = try #require(try await service.records().last { $0.kind == "key.rotated" })
        #expect(record.text("key") == after.keys[1].text && record.text("previousKey") == before.keys[0].text)
        try await service.makeRecord()
        #expect(try await service.run(["audit", "verify"]).status == 0)
        await service.stop()
        let next = try await ServiceUnderTest(continuing: service)
        let third = try await next.checkpoint()
        #expect(third.keys == after.keys)
        #expect(Checkpoint(third.note, signedBy: before.keys) == nil)
    }

    @Test("only cosignatures of the witnesses in the policy are kept")
    func witnesses() async throws {
        let witness = try #require(NoteSigner(name: "witness.example/w1"))
        let stranger = try #require(NoteSigner(name: "witness.example/w2"))
        let policy = try outside.write("witness w1 \(witness.witnessVerifier)\nquorum w1\n", to: "witnesses")
        let configuration = try outside.write(
            "witnessPolicy: \(policy)\nwarmRecognizers: 0\n", to: "config.yaml")
        let service = try await ServiceUnderTest(options: ["--configuration", configuration])
        let (note, _) = try await service.checkpoint()
        func add(_ signer: NoteSigner, to note: SignedNote) async throws -> (
            status: Int32, output: [String], errors: String
        ) {
            let cosignature = try signer.cosign(note.text, at: 1_790_000_000)
            try outside.write(try #require(note.adding(cosignature)).data, to: "cosigned")
            return try await service.run(["audit", "checkpoint", "--add-cosignature", outside.path + "/cosigned"])
        }
        let good = try await add(witness, to: note)
        #expect(good.status == 0 && good.output == ["Added: the signature of \(witness.witnessVerifier)"], "\(good)")
        let bad = try await add(stranger, to: note)
        #expect(bad.status == 64 && bad.errors.contains("No witness that is known"), "\(bad)")
        let unknown = try #require(note.adding(try stranger.cosign(note.text, at: 1_790_000_000)))
        #expect(try await add(witness, to: unknown).status == 0)
        let files = ["consent.sqlite", "consent.sqlite-wal"].map { service.stateDirectory + "/" + $0 }
        let database = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }.reduce(Data(), +)
        #expect(database.range(of: Data("witness.example/w1 ".utf8)) != nil)
        #expect(database.range(of: Data("witness.example/w2 ".utf8)) == nil)
        // Publishing the same checkpoint does not throw the witness's signature away.
        #expect(try await service.run(["audit", "checkpoint", "--publish", outside.path + "/file"]).status == 0)
        let foreign = try #require(SignedNote(Data(PublishedVector.checkpoint.utf8)))
        #expect(try await add(witness, to: foreign).status == 64)
        let verdict = try await service.run(["audit", "verify"])
        #expect(
            verdict.output.contains { $0.contains("witness.example/w1 signed the first \(note.checkpointSize) on") })
        #expect(!verdict.output.contains { $0.contains("witness.example/w2") })
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
