import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate audit verify BUNDLE", .timeLimit(.minutes(2)))
struct BundleCommandTests {
    private let folder: TemporaryFolder
    private let bundle: BundleFixture

    init() throws {
        folder = try TemporaryFolder()
        bundle = try BundleFixture(count: 12, erased: [3])
    }

    /// There is no service, and verification must not start one.
    private func verify(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: [String], errors: String) {
        let program = try RunningProgram(
            [Programs.commandLine, "audit", "verify"] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "VOICEGATE_NO_START": "1"]
                .merging(environment) { $1 })
        try program.closeInput()
        return (await program.end(), program.lines, program.errorText)
    }

    @Test("without a service a bundle verifies, and the output lists what is not proven")
    func good() async throws {
        try bundle.write(to: folder)
        let own = try await verify([folder.path])
        #expect(own.status == 0, "\(own.errors)")
        #expect(
            own.output.first
                == "The bundle verifies: 12 of 12 records of \(BundleFixture.origin), root \(bundle.head.root.base64)"
        )
        #expect(own.output.contains { $0.hasPrefix("The key is the bundle's own") })
        #expect(own.output.contains { $0 == "The fields of 1 of them were erased." })
        #expect(own.output.dropLast().last?.hasPrefix("Not proven: ") == true)
        #expect(own.output.last == "verdict: verified")
        let outside = try TemporaryFolder()
        let file = try outside.write(bundle.signer.verifier.text + "\n", to: "keys")
        for key in [file, bundle.signer.verifier.text] {
            let trusted = try await verify([folder.path, "--key", key])
            #expect(trusted.status == 0 && !trusted.output.contains { $0.hasPrefix("The key is the bundle's own") })
        }
        let folder = try TemporaryFolder()
        try bundle.write(to: folder, only: [1, 2])
        let part = try await verify([folder.path])
        #expect(part.output.contains { $0.hasSuffix("Other records may be missing.") }, "\(part)")
    }

    @Test("libcrypto's configuration in the environment is not read")
    func configuration() async throws {
        try bundle.write(to: folder)
        let outside = try TemporaryFolder()
        // A program that reads it waits for a writer.
        try #require(mkfifo(outside.path + "/openssl.cnf", 0o600) == 0)
        let run = try await verify([folder.path], environment: ["OPENSSL_CONF": outside.path + "/openssl.cnf"])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("with --json the verdict is one object")
    func json() async throws {
        try bundle.write(to: folder)
        let run = try await verify([folder.path, "--json"])
        let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.joined().utf8)) as? [String: Any])
        #expect(verdict["records"] as? Int == 12 && verdict["trustsOwnKeys"] as? Bool == true)
        #expect(verdict["root"] as? String == bundle.head.root.base64)
    }

    @Test("a mismatch is named, with 65; an unreadable file, with 66")
    func bad() async throws {
        try bundle.write(to: folder)
        try bundle.writeRecords(bundle.entries.dropLast(), to: folder)
        let cut = try await verify([folder.path])
        #expect(cut.status == 65 && cut.output == ["verdict: R4"])
        #expect(cut.errors.contains("records.jsonl, record 11: it is missing"), "\(cut.errors)")
        #expect(try await verify([folder.path + "/nowhere"]).status == 66)
        #expect(try await verify([folder.path, "--key", folder.path + "/nowhere"]).status == 66)
        #expect(try await verify([folder.path, "--key", folder.path + "/report.html"]).status == 65)
        let other = try #require(NoteSigner(name: BundleFixture.origin)).verifier.text
        let foreign = try await verify([folder.path, "--key", other, "--json"])
        #expect(foreign.status == 65 && foreign.output.first?.contains("\"doesNotVerify\"") == true, "\(foreign)")
    }

    @Test("a checkpoint that somebody kept is continued, or the verdict is that it contradicts, with 76")
    func held() async throws {
        try bundle.write(to: folder)
        let outside = try TemporaryFolder()
        let good = try outside.write(bundle.checkpoint(bundle.head(7)).data, to: "good")
        let other = try BundleFixture(count: 12, erased: [3])
        let bad = try outside.write(other.checkpoint(other.head(7)).data, to: "bad")
        let continued = try await verify([folder.path, "--checkpoint", good])
        #expect(continued.status == 0, "\(continued.errors)")
        #expect(continued.output.contains { $0.contains("continues the checkpoint of 7 records") })
        let contradicted = try await verify([folder.path, "--checkpoint", good, "--checkpoint", bad])
        #expect(contradicted.status == 76 && contradicted.output == ["verdict: contradicts"])
        let json = try await verify([folder.path, "--checkpoint", bad, "--json"])
        #expect(json.status == 76 && json.output.first?.contains("\"contradicts\"") == true)
    }

    @Test("a policy's witnesses must have cosigned, and its logs are those whose keys count")
    func policy() async throws {
        let witness = try #require(NoteSigner(name: "witness.example/w1"))
        let note = try bundle.checkpoint()
        let cosigned: SignedNote = try #require(note.adding(try witness.cosign(note.text, at: 1_790_000_000)))
        let lines = "witness w \(witness.witnessVerifier)\nquorum w\n"
        let outside = try TemporaryFolder()
        let policy = try outside.write("log \(bundle.signer.verifier)\n" + lines, to: "policy")
        try bundle.write(to: folder, note: cosigned)
        let run = try await verify([folder.path, "--policy", policy])
        #expect(
            run.status == 0 && run.output.contains { $0.hasPrefix("Cosigned by: witness.example/w1, 2026-") }, "\(run)")
        #expect(!run.output.contains { $0.contains("bundle's own") })
        let other = try outside.write("log \(witness.verifier)\n" + lines, to: "other")
        #expect(try await verify([folder.path, "--policy", other]).status == 65)
        let wrong = try await verify([folder.path, "--policy", try outside.write(lines + "quorum w\n", to: "wrong")])
        #expect(wrong.status != 0 && wrong.errors.contains("line 3: a second quorum"), "\(wrong)")
        try bundle.write(to: folder)
        #expect(try await verify([folder.path, "--policy", policy]).status == 65)
    }
}
