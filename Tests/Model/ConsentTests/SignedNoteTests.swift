import Consent
import Foundation
import TestSupport
import Testing

struct SignedNoteTests {
    private static let line =
        "— voicegate.example/log1 CJvfsD1DztVPkdrvsAGzUOxrEedGn7Jy84J1HT8iPzrRAkt7j/5Ry4UUcQx+PVymGlcdQ2onzbsFWta2z1/43IKYiAI=\n"
    private static let text = "voicegate.example/log1\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n"

    private func verifier() throws -> NoteVerifier { try #require(NoteVerifier(text: PublishedVector.verifier)) }

    private func signer(_ number: UInt8) throws -> NoteSigner {
        try #require(NoteSigner(name: "witness.example/w\(number)", seed: Data(repeating: number, count: 32)))
    }

    @Test("one flipped bit in any byte of a signed checkpoint is found, every bit tried")
    func flippedBits() throws {
        let note = Data(PublishedVector.checkpoint.utf8)
        let keys = [try verifier()]
        #expect(SignedNote(note).flatMap { Checkpoint($0, signedBy: keys) } != nil)
        for (place, altered) in note.flips {
            #expect(SignedNote(altered).flatMap { Checkpoint($0, signedBy: keys) } == nil, "byte \(place)")
        }
    }

    @Test("one flipped bit in any byte of an offline proof is found, every bit tried")
    func flippedProofBits() throws {
        let data = Data(PublishedVector.proofOfLeaf5.utf8)
        let (keys, leaf) = ([try verifier()], MerkleHash.leaf(PublishedVector.leaves[5]))
        #expect(OfflineProof(data)?.proves(leaf, signedBy: keys) == true)
        for (place, altered) in data.flips {
            #expect(OfflineProof(altered)?.proves(leaf, signedBy: keys) != true, "byte \(place)")
        }
    }

    @Test("one flipped bit in any byte of a verifier key makes another key or none, never the same")
    func flippedKeyBits() throws {
        let text = Data(PublishedVector.verifier.utf8)
        let note = try #require(SignedNote(Data(PublishedVector.checkpoint.utf8)))
        for (place, altered) in text.flips {
            let key = String(data: altered, encoding: .utf8).flatMap(NoteVerifier.init(text:))
            #expect(key == nil, "byte \(place)")
            #expect(key.map { note.signers(among: [$0]) } ?? [] == [])
        }
    }

    @Test(
        "text that is not a note is refused; {text} and {line} are those of a good one, {bare} its line without dash and space",
        arguments: [
            "", "{text}", "{text}{line}", "{text}\n", "{line}", "\n{line}{line}", "{text}\n- {bare}",
            "{text}\n– {bare}",
            "{text}\n— \n", "{text}\n—{bare}", "{text}\n—  {bare}", "{text}\n—\u{301} {bare}", "{text}\n{bare}",
            "{text}\n{line}\n", "{text}\n{line}x", "{text}\n{line}x\n", "{text}\n{line}{line}", "{text}\n\n{line}x\n",
            "{text}\tx\n\n{line}", "{text}\0\n\n{line}", "{text}\r\n\r\n{line}", "{text}\n— a+b AAAAAAAA\n",
            "{text}\n—  AAAAAAAA\n", "{text}\n— a\u{3000}b AAAAAAAA\n", "{text}\n— a AAAAAAAA x\n",
            "{text}\n— a AAAAAAAA \n", "{text}\n— a AAAAAAAA", "{text}\n— a AAAAAA==\n", "{text}\n— a AAAAAAA\n",
            "{text}\n— a AAAAAAB=\n", "{text}\n— a AAAA__-_\n", "{text}\n— a AAAA AAAA\n", "{text}\n— a\n",
        ])
    func malformed(template: String) {
        let bare = String(Self.line.dropFirst(2))
        let note = template.replacing("{text}", with: Self.text).replacing("{line}", with: Self.line)
            .replacing("{bare}", with: bare)
        #expect(SignedNote(Data(note.utf8)) == nil)
    }

    @Test("bytes that are not UTF-8, too many signatures and too many bytes are refused")
    func bounds() throws {
        var bytes = Data((Self.text + "\n" + Self.line).utf8)
        bytes.insert(0xFF, at: 3)
        #expect(SignedNote(bytes) == nil)
        func note(_ signatures: Int) -> Data {
            Data((Self.text + "\n" + (0..<signatures).map { "— a\($0) AAAAAAAA\n" }.joined()).utf8)
        }
        #expect(SignedNote(note(64))?.signatures.count == 64)
        #expect(SignedNote(note(65)) == nil)
        let long = String(repeating: "x", count: 64 * 1024)
        #expect(SignedNote(Data((long + "\n\n" + Self.line).utf8)) == nil)
        #expect(try signer(1).sign(long + "\n") == nil)
        #expect(try signer(1).sign("no newline") == nil)
        #expect(try signer(1).sign("bell \u{7}\n") == nil)
        let longName = String(repeating: "n", count: 256)
        #expect(NoteSigner(name: longName, seed: PublishedVector.seed) == nil)
    }

    @Test("a text may have empty lines; the last one divides")
    func emptyLines() throws {
        let note = try #require(try signer(1).sign("first\n\nsecond\n"))
        #expect(SignedNote(note.data) == note)
        #expect(SignedNote(note.data)?.signers(among: [try signer(1).verifier]).count == 1)
    }

    @Test("unknown signatures are passed over; a known key's that does not verify rejects the note")
    func signers() throws {
        let known = try signer(1)
        let note = try #require(try known.sign("text\n"))
        let other = try #require(try signer(2).sign("text\n")?.signatures.first)
        let both = try #require(note.adding(other))
        #expect(both.signers(among: [known.verifier]) == [known.verifier])
        #expect(both.signers(among: [known.verifier, try signer(2).verifier]).count == 2)
        #expect(both.signers(among: [try signer(3).verifier]) == [])
        let wrong = try #require(try signer(2).sign("another text\n")?.signatures.first)
        let forged = try #require(note.adding(wrong))
        #expect(forged.signers(among: [known.verifier]) == [known.verifier])
        #expect(forged.signers(among: [known.verifier, try signer(2).verifier]) == [])
        #expect(both.adding(other)?.signatures.count == 2)
    }

    @Test(
        "a key's name draws nothing on a terminal: it has no control or format characters",
        arguments: ["\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{200B}", "\u{2028}"])
    func names(character: String) {
        #expect(NoteSigner(name: "voicegate.example/\(character)log1") == nil)
        #expect(NoteSigner(name: "voicegate.example/ログ1") != nil)
    }

    @Test(
        "text that is not a verifier key is refused",
        arguments: [
            "", "name", "name+00000000", "+089bdfb0+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            "voicegate.example/log1+089bdfb1+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            "voicegate.example/log1+089BDFB0+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            "voicegate.example/log1+89bdfb0+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            "voicegate.example/log2+089bdfb0+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            PublishedVector.verifier + "\n", PublishedVector.verifier + "=", " " + PublishedVector.verifier,
        ])
    func malformedKeys(text: String) { #expect(NoteVerifier(text: text) == nil) }

    @Test("a secret key is read from its own text alone")
    func secretText() throws {
        let text = try signer(1).secretText
        #expect(text.hasPrefix("PRIVATE+KEY+witness.example/w1+"))
        #expect(NoteSigner(secretText: text)?.secretText == text)
        for wrong in [text + "\n", String(text.dropLast()), text.replacing("w1", with: "w2"), "PRIVATE+KEY", ""] {
            #expect(NoteSigner(secretText: wrong) == nil)
        }
        #expect(NoteSigner(name: "a")?.secretText != NoteSigner(name: "a")?.secretText)
    }
}

struct MutatedNoteTests {
    private static let proof = Data(PublishedVector.proofOfLeaf5.utf8)
    private static let note = Data(PublishedVector.checkpoint.utf8)

    @Test("an altered note or proof is read as it is written or not at all, and never believed")
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
                // Only the extra line is not signed.
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
