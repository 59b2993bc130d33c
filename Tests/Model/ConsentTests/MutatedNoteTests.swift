import Consent
import Foundation
import TestSupport
import Testing

struct MutatedNoteTests {
    private static let proof = Data(PublishedVector.proofOfLeaf5.utf8)
    private static let note = Data(PublishedVector.checkpoint.utf8)

    @Test("whatever is done to a note or a proof, it is read as it is written or not at all, and never believed")
    func mutations() throws {
        let verifier = try #require(NoteVerifier(text: PublishedVector.verifier))
        let leaf = MerkleHash.leaf(PublishedVector.leaves[5])
        var generator = SeededGenerator(seed: 6962)
        var read = 0
        for _ in 0..<20_000 {
            let mutant = Self.mutated(Self.note, &generator)
            if let note = SignedNote(mutant) {
                read += 1
                #expect(note.data == mutant)
                #expect(note.signers(among: [verifier]).isEmpty || note.text == PublishedVector.checkpointText)
            }
            if let notes = SignedNote.list(mutant) {
                for note in notes { #expect(SignedNote(note.data) == note) }
            }
            let altered = Self.mutated(Self.proof, &generator)
            if let proof = OfflineProof(altered) {
                #expect(proof.data == altered)
                // The extra line is the one thing that nobody signs.
                #expect(!proof.proves(leaf, signedBy: [verifier]) || altered == Self.proof || proof.extra != nil)
            }
            let key = String(decoding: Self.mutated(Data(PublishedVector.verifier.utf8), &generator), as: UTF8.self)
            #expect(NoteVerifier(text: key).map { $0.text == key } ?? true)
        }
        // Mutations that leave the form intact do occur, so that reading was tried, too.
        #expect(read > 100)
    }

    @Test("notes one behind the other are read apart, and nothing between them")
    func lists() throws {
        let note = try #require(SignedNote(Self.note))
        #expect(SignedNote.list(Data()) == [])
        #expect(SignedNote.list(Self.note + Self.note) == [note, note])
        #expect(SignedNote.list(Self.note + Data("\n\n".utf8) + Self.note + Data("\n".utf8)) == [note, note])
        #expect(SignedNote.list(Self.note + Data("garbage\n".utf8)) == nil)
        #expect(SignedNote.list(Data("garbage\n".utf8) + Self.note)?.first?.text.hasPrefix("garbage\n") == true)
        #expect(SignedNote.list(Self.note + Self.note.dropLast(3)) == nil)
        let signer = try #require(NoteSigner(name: "a"))
        let paragraphs = try #require(try signer.sign("one\n\n— two\n\nthree\n"))
        #expect(SignedNote.list(paragraphs.data + Self.note) == nil)
        #expect(SignedNote(paragraphs.data) == paragraphs)
    }

    private static func mutated(_ data: Data, _ generator: inout SeededGenerator) -> Data {
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...80, using: &generator))
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: place)
            case 4: bytes.removeSubrange(place..<end)
            case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.insert(0x0A, at: place)
            }
        }
        return Data(bytes)
    }
}
