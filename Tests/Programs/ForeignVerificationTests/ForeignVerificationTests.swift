import Consent
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ForeignVerificationTests {
    private let folder: TemporaryFolder
    private let bundle: BundleFixture
    private let part = [0, 3, 8, 16, 18]

    init() throws {
        folder = try TemporaryFolder()
        bundle = try BundleFixture(count: 19, erased: [4, 5])
    }

    private func refusal(_ verifier: ForeignVerifier, keys: String? = nil) async throws -> String {
        let answer = try await verifier.verify(folder.path, keys: keys)
        #expect(answer.status == 65 && answer.output.isEmpty, "\(answer)")
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
                answer.output == [
                    "verified: 19 records of \(BundleFixture.origin), which had 19, root \(bundle.head.root.base64)"
                ])
        }
    }

    @Test("a bundle of some records is accepted by their proofs", arguments: ForeignVerifier.allCases)
    func part(verifier: ForeignVerifier) async throws {
        try bundle.write(to: folder, only: part)
        let answer = try await verifier.verify(folder.path)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.first?.hasPrefix("verified: 5 records of ") == true)
    }

    @Test("a cosigned checkpoint of a log whose key was changed is accepted", arguments: ForeignVerifier.allCases)
    func signatures(verifier: ForeignVerifier) async throws {
        let witness = try #require(NoteSigner(name: "witness.example/w1"))
        let later = try #require(NoteSigner(name: BundleFixture.origin))
        let note = try bundle.checkpoint()
        let cosigned = try #require(note.adding(try witness.cosign(note.text, at: 1_790_000_000)))
        let second = try #require(try later.sign(note.text)?.signatures.first)
        try bundle.write(to: folder, note: try #require(cosigned.adding(second)))
        #expect(try await verifier.verify(folder.path).status == 0)
    }

    @Test(
        "one record removed, changed, put elsewhere or cut off is found, though the list of files was signed anew",
        arguments: ForeignVerifier.allCases, [true, false])
    func tampering(verifier: ForeignVerifier, isWhole: Bool) async throws {
        let chosen = isWhole ? nil : part
        let entries = (chosen ?? Array(0..<19)).map { bundle.entries[$0] }
        var changed = entries
        changed[1] = AuditEntry(
            leaf: entries[1].leaf.replacing("blocked", with: "allowed"), disclosures: entries[1].disclosures)
        var retold = entries
        retold[1] = AuditEntry(
            leaf: entries[1].leaf, disclosures: [entries[1].disclosures[0].replacing("notes", with: "other")])
        var reordered = entries
        reordered.swapAt(2, 3)
        var tampered = [changed, retold, reordered]
        // What is left out of a part cannot be known; that it was left out of what was signed is shown below.
        if isWhole { tampered += [Array(entries[..<2] + entries[3...]), Array(entries.dropLast())] }
        for records in tampered {
            try bundle.write(to: folder, only: chosen)
            try bundle.writeRecords(records, to: folder)
            try bundle.sign(folder)
            _ = try await refusal(verifier)
        }
        for records in [Array(entries[..<2] + entries[3...]), Array(entries.dropLast())] {
            try bundle.write(to: folder, only: chosen)
            try bundle.writeRecords(records, to: folder)
            _ = try await refusal(verifier)
        }
    }

    @Test("a bundle made anew with another key is refused by who has the log's", arguments: ForeignVerifier.allCases)
    func forgery(verifier: ForeignVerifier) async throws {
        let outside = try TemporaryFolder()
        let keys = try outside.write(bundle.signer.verifier.text + "\n", to: "keys")
        try BundleFixture(count: 5, seed: 9).write(to: folder)
        _ = try await refusal(verifier, keys: keys)
    }

    @Test("one flipped bit in any file is found, three places a file", arguments: ForeignVerifier.allCases)
    func flippedBits(verifier: ForeignVerifier) async throws {
        try bundle.write(to: folder, only: [0, 18])
        for path in try BundleFixture.files(folder) {
            let contents = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
            for position in [0, contents.count / 2, contents.count - 2] {
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

    @Test("a file that nobody signed, a missing file and a link are found", arguments: ForeignVerifier.allCases)
    func files(verifier: ForeignVerifier) async throws {
        try bundle.write(to: folder)
        try folder.write("<script>", to: "extra.html")
        #expect(try await refusal(verifier).contains("extra.html"))
        unlink(folder.path + "/extra.html")
        let outside = try TemporaryFolder()
        rename(folder.path + "/report.html", outside.path + "/report.html")
        #expect(try await refusal(verifier).contains("report.html"))
        symlink(outside.path + "/report.html", folder.path + "/report.html")
        #expect(try await refusal(verifier).contains("report.html"))
    }
}
