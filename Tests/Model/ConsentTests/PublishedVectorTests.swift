import Consent
import Foundation
import TestSupport
import Testing

struct PublishedVectorTests {
    private let tree = MemoryTree(leaves: PublishedVector.leaves)

    private func signer() throws -> NoteSigner {
        try #require(NoteSigner(name: PublishedVector.origin, seed: PublishedVector.seed))
    }

    @Test("the published seed has the published verifier key")
    func key() throws {
        let signer = try signer()
        #expect(signer.verifier.text == PublishedVector.verifier)
        #expect(NoteVerifier(text: PublishedVector.verifier) == signer.verifier)
        #expect(NoteSigner(secretText: signer.secretText)?.verifier == signer.verifier)
        #expect(!"\(signer)".contains(signer.secretText.suffix(44)))
    }

    @Test("the checkpoint of the eight leaves, signed, is the published one byte for byte")
    func checkpoint() throws {
        let checkpoint = try #require(Checkpoint(origin: PublishedVector.origin, head: tree.head(8)))
        let note = try #require(try signer().sign(checkpoint.text))
        #expect(note.data == Data(PublishedVector.checkpoint.utf8))
        #expect(SignedNote(note.data) == note)
        #expect(Checkpoint(note, signedBy: [try signer().verifier]) == checkpoint)
    }

    @Test("the proof of leaf 5 is the published one byte for byte, and proves that leaf alone")
    func inclusion() throws {
        let note = try #require(SignedNote(Data(PublishedVector.checkpoint.utf8)))
        let proof = try #require(tree.inclusion(of: 5, in: 8).flatMap { OfflineProof($0, in: note) })
        #expect(proof.data == Data(PublishedVector.proofOfLeaf5.utf8))
        #expect(OfflineProof(proof.data) == proof)
        let keys = [try signer().verifier]
        for (index, leaf) in tree.leaves.enumerated() { #expect(proof.proves(leaf, signedBy: keys) == (index == 5)) }
        #expect(!proof.proves(tree.leaves[5], signedBy: []))
    }

    @Test("the proof that the tree of 3 is the beginning of that of 8 is the published one")
    func consistency() throws {
        let proof = try #require(tree.consistency(from: 3, to: 8))
        #expect(proof.hashes.map(\.base64) == PublishedVector.consistencyFrom3To8)
        #expect(tree.head(3).root.base64 == PublishedVector.rootOf3)
        #expect(proof.proves(tree.head(3), isBeginningOf: tree.head(8)))
    }
}
