import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ForeignVerificationTests {
    private let folder: TemporaryFolder
    private let bundle: BundleFixture

    init() throws {
        folder = try TemporaryFolder()
        bundle = try BundleFixture(count: 19, erased: [4, 5])
    }

    private func refusal(_ verifier: ForeignVerifier, keys: String? = nil) async throws -> String {
        let answer = try await verifier.verify(folder.path, keys: keys)
        #expect(answer.status == 65 && answer.output.count == 1, "\(answer)")
        #expect(answer.output.first?.hasPrefix("verdict: ") == true)
        #expect(answer.errors.hasPrefix("does not verify: "), "\(answer.errors)")
        return answer.errors
    }

    @Test(
        "a whole log's bundle is accepted, with the root and the count that are the log's",
        arguments: ForeignVerifier.allCases)
    func whole(verifier: ForeignVerifier) async throws {
        try bundle.write(to: folder)
        let outside = try TemporaryFolder()
        let keys = try outside.write(bundle.signer.verifier.text + "\n", to: "keys")
        for answer in [try await verifier.verify(folder.path), try await verifier.verify(folder.path, keys: keys)] {
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(
                answer.output.first
                    == "verified: 19 records of \(BundleFixture.origin), which had 19, root \(bundle.head.root.base64)")
            #expect(answer.output.contains { $0.hasPrefix("not checked: what README.txt, accesses.csv") })
            #expect(answer.output.last == "verdict: verified")
        }
    }

    @Test("a bundle of some records is accepted by their proofs", arguments: ForeignVerifier.allCases)
    func part(verifier: ForeignVerifier) async throws {
        try bundle.write(to: folder, only: [0, 3, 8, 16, 18])
        let answer = try await verifier.verify(folder.path)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.first?.hasPrefix("verified: 5 records of ") == true)
    }

    @Test("a cosigned checkpoint of a log whose key was changed is accepted", arguments: ForeignVerifier.allCases)
    func signatures(verifier: ForeignVerifier) async throws {
        let witness = try #require(NoteSigner(name: "witness.example/w1"))
        let former = try #require(NoteSigner(name: BundleFixture.origin))
        let note = try bundle.checkpoint()
        let cosigned = try #require(note.adding(try witness.cosign(note.text, at: 1_790_000_000)))
        let second = try #require(try former.sign(note.text)?.signatures.first)
        let twice: SignedNote = try #require(cosigned.adding(second))
        try bundle.write(to: folder, note: twice)
        #expect(try await verifier.verify(folder.path).status == 0)
    }

    @Test(
        "a bundle made again with another key is refused by a verifier with the log's key",
        arguments: ForeignVerifier.allCases)
    func forgery(verifier: ForeignVerifier) async throws {
        let outside = try TemporaryFolder()
        let keys = try outside.write(bundle.signer.verifier.text + "\n", to: "keys")
        try BundleFixture(count: 5, seed: 9).write(to: folder)
        _ = try await refusal(verifier, keys: keys)
    }

    @Test("pymerkle computes the same root from a whole log's leaves, and accepts the proofs of a part")
    func pymerkle() async throws {
        try bundle.write(to: folder)
        #expect(try await PythonTools.run("check-tree", [folder.path]) == ["root 19"])
        let part = try TemporaryFolder()
        try bundle.write(to: part, only: [0, 3, 8, 16, 18])
        #expect(try await PythonTools.run("check-tree", [part.path]) == ["proofs 5"])
        try bundle.writeRecords([bundle.entries[1]] + bundle.entries.dropFirst(), to: folder)
        await #expect(throws: PythonTools.Failure.self) {
            try await PythonTools.run("check-tree", [folder.path])
        }
    }

    @Test("one flipped bit in any file is found, three places a file", arguments: ForeignVerifier.allCases)
    func flippedBits(verifier: ForeignVerifier) async throws {
        try bundle.write(to: folder, only: [0, 18])
        for path in try BundleFixture.files(folder) {
            let contents = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
            for position in [0, contents.count / 2, contents.count - 2] where contents.indices.contains(position) {
                var altered = contents
                altered[position] ^= 0x04
                try folder.write(altered, to: path)
                let errors = try await refusal(verifier)
                #expect(!errors.isEmpty, "byte \(position) of \(path)")
            }
            try folder.write(contents, to: path)
        }
        #expect(try await verifier.verify(folder.path).status == 0)
    }
}

@Suite("Bundles that voicegate audit export made", .timeLimit(.minutes(5)))
struct ExportedBundleTests {
    private let folder: TemporaryFolder
    private let service: ServiceUnderTest
    private var bundle: String { folder.path + "/bundle" }
    private var keys: String { folder.path + "/keys" }

    init() async throws {
        folder = try TemporaryFolder()
        service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        for _ in 0..<2 {
            for command in ["mute", "unmute"] { #expect(try await service.run([command]).status == 0) }
        }
        for resource in ["speechRecognition", "microphone"] {
            let request = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"\#(resource)"}"#])
            await request.end()
        }
        let signed = try await service.run(["audit", "checkpoint", "--json"])
        let reply = try JSONSerialization.jsonObject(with: Data(signed.output.joined().utf8)) as? [String: Any]
        try folder.write((reply?["keys"] as? [String] ?? []).joined(separator: "\n") + "\n", to: "keys")
    }

    private func export(_ arguments: [String] = []) async throws -> [String] {
        let answer = try await service.run(["audit", "export", "--output", bundle] + arguments)
        #expect(answer.status == 0, "\(answer.errors)")
        await service.stop()
        let records = try String(contentsOfFile: bundle + "/records.jsonl", encoding: .utf8)
        return records.split(separator: "\n", omittingEmptySubsequences: true).map { $0 + "\n" }
    }

    /// Exit codes: ours, Go's and Python's.
    private func verify() async throws -> [Int32] {
        // The service has ended, and must not be started again.
        let own = try await service.run(["audit", "verify", bundle, "--key", keys]).status
        var codes = [own]
        for verifier in ForeignVerifier.allCases {
            codes.append(try await verifier.verify(bundle, keys: keys).status)
        }
        return codes
    }

    private func write(_ records: [String]) throws {
        try Data(records.joined().utf8).write(to: URL(fileURLWithPath: bundle + "/records.jsonl"))
    }

    @Test("a complete log's bundle is accepted by all; with one record removed, changed, moved or cut off, by none")
    func whole() async throws {
        let records = try await export()
        #expect(records.count > 6)
        #expect(try await verify() == [0, 0, 0])
        let changed = records[2].replacing("service.muted", with: "service.unmuted")
        #expect(changed != records[2])
        var tampered: [[String]] = [records, records, records]
        tampered[0].remove(at: 3)
        tampered[1][2] = changed
        tampered[2].swapAt(1, 2)
        tampered += [records.dropLast(), [], records.dropLast() + [String(records[records.count - 1].dropLast(9))]]
        for (number, records) in tampered.enumerated() {
            try write(records)
            #expect(try await verify() == [65, 65, 65], "\(number)")
        }
        try write(records)
        #expect(try await verify() == [0, 0, 0])
    }

    @Test("a part of the log is accepted by all, and not with one record removed, changed, put elsewhere or cut off")
    func part() async throws {
        let records = try await export(["--client", "org.example.curl"])
        #expect(records.count >= 2)
        #expect(try await verify() == [0, 0, 0])
        let changed = records[0].replacing(#"\"time\":\"2"#, with: #"\"time\":\"3"#)
        #expect(changed != records[0])
        let tampered: [[String]] = [
            Array(records.dropFirst()), [changed] + Array(records.dropFirst()), Array(records.reversed()),
            Array(records.dropLast()),
        ]
        for (number, records) in tampered.enumerated() {
            try write(records)
            #expect(try await verify() == [65, 65, 65], "\(number)")
        }
    }
}
