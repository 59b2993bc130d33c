import Consent
import Foundation
import TestSupport
import Testing

struct CheckpointTests {
    private static let root = "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg="
    private let tree = MemoryTree(leaves: PublishedVector.leaves)

    private func signer(_ name: String, _ number: UInt8) throws -> NoteSigner {
        try #require(NoteSigner(name: name, seed: Data(repeating: number, count: 32)))
    }

    @Test(
        "text that is not a checkpoint is refused",
        arguments: [
            "", "\n", "a\n", "a\n8\n", "a\n8\n\(root)", "a\n8\n\(root)\n\n", "a\n8\n\(root)\nextension\n",
            "\n8\n\(root)\n", "a b\n8\n\(root)\n", "a+b\n8\n\(root)\n", "a\n08\n\(root)\n", "a\n+8\n\(root)\n",
            "a\n-8\n\(root)\n", "a\n 8\n\(root)\n", "a\n8 \n\(root)\n", "a\n0\n\(root)\n", "a\n8.0\n\(root)\n",
            "a\n0x8\n\(root)\n", "a\n9223372036854775808\n\(root)\n", "a\n18446744073709551616\n\(root)\n",
            "a\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg\n", "a\n8\nAAAA\n", "a\n8\n\(root)\(root)\n",
            "a\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyh=\n", "\u{FEFF}a\r\n8\r\n\(root)\r\n",
        ])
    func malformed(text: String) { #expect(Checkpoint(text: text) == nil) }

    @Test("a checkpoint is read back from its text, the empty log's too")
    func roundTrip() throws {
        for head in [tree.head(0), tree.head(8), TreeHead(size: UInt64(Int64.max), root: tree.head(8).root)] {
            let checkpoint = try #require(Checkpoint(origin: "voicegate.example/a", head: head))
            #expect(Checkpoint(text: checkpoint.text) == checkpoint)
        }
        #expect(Checkpoint(origin: "a", head: TreeHead(size: 0, root: tree.head(8).root)) == nil)
    }

    @Test("a key signs only for the log of its name, and a witness's key for no log")
    func origins() throws {
        let mine = try signer("voicegate.example/a", 1)
        let text = try #require(Checkpoint(origin: "voicegate.example/b", head: tree.head(8))).text
        let note = try #require(try mine.sign(text))
        #expect(note.signers(among: [mine.verifier]).count == 1)
        #expect(Checkpoint(note, signedBy: [mine.verifier]) == nil)

        let own = try #require(Checkpoint(origin: "voicegate.example/a", head: tree.head(8))).text
        let cosigned = try #require(SignedNote(text: own, signatures: [try mine.cosign(own, at: 5)]))
        #expect(cosigned.signers(among: [mine.witnessVerifier]).count == 1)
        #expect(Checkpoint(cosigned, signedBy: [mine.verifier, mine.witnessVerifier]) == nil)
    }

    @Test("a cosignature that another program made from a known seed is verified, and made again byte for byte")
    func foreignCosignature() throws {
        // By transparency-dev/formats 0.1.1, NewSignerForCosignatureV1.
        let secret = "BJEX3xv88eoQIKT4E+GkxZcXaJCYlQfi/GJ3NDFmZIW8"
        let text = "example.com/vector-log\n1234\nSBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n"
        let line =
            "— witness.example.com/vector QW8QPQAAAABqwLUbDdj7sDNRIVjmjYgqFI6y4UJhPg/UAA8J8wAdqSd3q4PedRhkgXA4xFN/Jg5uWn7ZkBA+H/UHQs5d9hITdXmQAA==\n"
        let verifier = try #require(
            NoteVerifier(text: "witness.example.com/vector+416f103d+BK/QmJFVP3SKJOqAMhFxBQPtylo3sjwWibyFDAlZKK8B"))
        let note = try #require(SignedNote(Data((text + "\n" + line).utf8)))
        #expect(note.signers(among: [verifier]) == [verifier])
        #expect(note.signature(of: verifier).flatMap(Cosignature.init)?.time == 1_791_014_171)
        // An algorithm's number is before it.
        let seed = try #require(Data(base64Encoded: secret)?.dropFirst())
        let signer = try #require(NoteSigner(name: "witness.example.com/vector", seed: Data(seed)))
        #expect(signer.witnessVerifier == verifier)
        #expect(try signer.cosign(text, at: 1_791_014_171).line == line)
        // The example of C2SP tlog-cosignature, whose key is not published.
        let example =
            "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
        let published = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
        let signature = try #require(SignedNote(Data((published + "\n" + example).utf8))?.signatures.first)
        #expect(Cosignature(signature)?.time == 1_679_315_147)
        #expect(signature.line == example)
    }

    @Test("a cosignature verifies for its witness, its time and its text alone, every bit tried")
    func cosignature() throws {
        let (log, witness) = (try signer("voicegate.example/a", 1), try signer("witness.example/w1", 2))
        let text = try #require(Checkpoint(origin: "voicegate.example/a", head: tree.head(8))).text
        let signature = try witness.cosign(text, at: 1_679_315_147)
        #expect(Cosignature(signature)?.time == 1_679_315_147)
        let note = try #require(try log.sign(text)?.adding(signature))
        let read = try #require(SignedNote(note.data))
        #expect(read.signers(among: [log.verifier, witness.witnessVerifier]).count == 2)
        #expect(NoteVerifier(text: witness.witnessVerifier.text) == witness.witnessVerifier)
        #expect(!witness.witnessVerifier.verifies(signature, of: text + "x\n"))
        #expect(!witness.verifier.verifies(signature, of: text))
        let data = note.data
        let end = try #require(data.range(of: Data("— witness".utf8))).lowerBound
        for (place, altered) in data.flips where place >= end {
            #expect(SignedNote(altered)?.signers(among: [witness.witnessVerifier]) ?? [] == [], "byte \(place)")
        }
    }

    @Test("a cosignature with a wrong length or an impossible time is rejected")
    func cosignatureForms() throws {
        let witness = try signer("witness.example/w1", 2)
        let text = "a\n0\n\(MerkleHash.empty.base64)\n"
        let late = try witness.cosign(text, at: 1 << 63)
        #expect(Cosignature(late) == nil)
        #expect(!witness.witnessVerifier.verifies(late, of: text))
        let plain = try #require(try witness.sign(text)?.signatures.first)
        #expect(Cosignature(plain) == nil)
    }

    @Test(
        "text that is not an offline proof is refused",
        arguments: [
            { "c2sp.org/tlog-proof@v2" + $0.dropFirst(22) }, { "\n" + $0 },
            { $0.replacing("index 5", with: "index 05") }, { $0.replacing("index 5", with: "index 8") },
            { $0.replacing("index 5", with: "index") }, { $0.replacing("index 5\n", with: "") },
            { $0.replacing("index 5", with: "index 5\nindex 5") },
            { $0.replacing("index 5", with: "index 5\nextra AAAA") },
            { $0.replacing("index 5", with: "extra AAA\nindex 5") },
            { $0.replacing("vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=\n", with: "") },
            { $0.replacing("037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=\n\n", with: "\n") },
            { $0.replacing("\n\nvoicegate", with: "\nvoicegate") }, { $0.replacing("\n8\n", with: "\n9\n") },
            { $0 + "\n" }, { String($0.dropLast()) }, { _ in "" }, { _ in "c2sp.org/tlog-proof@v1" },
            { _ in "c2sp.org/tlog-proof@v1\n\n" }, { _ in String(repeating: "x", count: 100_000) },
        ] as [@Sendable (String) -> String])
    func malformedProofs(change: @Sendable (String) -> String) throws {
        let proof = OfflineProof(Data(change(PublishedVector.proofOfLeaf5).utf8))
        let verifier = try #require(NoteVerifier(text: PublishedVector.verifier))
        #expect(proof?.proves(tree.leaves[5], signedBy: [verifier]) != true)
    }

    @Test("extra data is kept as it is and proves nothing")
    func extra() throws {
        let note = try #require(SignedNote(Data(PublishedVector.checkpoint.utf8)))
        let inclusion = try #require(tree.inclusion(of: 5, in: 8))
        let proof = try #require(OfflineProof(inclusion, in: note, extra: Data("more".utf8)))
        #expect(OfflineProof(proof.data) == proof)
        #expect(String(decoding: proof.data, as: UTF8.self).contains("\nextra bW9yZQ==\nindex 5\n"))
        #expect(OfflineProof(try #require(tree.inclusion(of: 5, in: 7)), in: note) == nil)
    }
}
