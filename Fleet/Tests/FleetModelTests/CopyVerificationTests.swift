import Consent
import FleetModel
import FleetSupport
import Foundation
import Testing

@Suite("The copy of a log is recomputed from its rows")
struct CopyVerificationTests {
    private struct Copy {
        var rows: [RecordRow]
        let checkpoint: Checkpoint
        let key: NoteVerifier
        var tiles: [UInt64: MerkleHash]

        func verify(_ tombstones: [Tombstone] = []) -> CopyProblem? {
            var copy = CopyVerification(checkpoint, signers: [key], tombstones: tombstones, earlier: [:])
            do throws(CopyProblem) {
                try copy.take(rows, of: 0..<checkpoint.size, tiles: tiles)
                try copy.finish()
                return nil
            } catch {
                return error
            }
        }
    }

    private func copy(sessions: Int = 3) throws -> Copy {
        var log = try #require(TestLog("abc", start: "2026-10-30T00:00:00.000Z"))
        log.use("org.example.Notes", sessions: sessions)
        let rows = try log.records.map { leaf, text in
            RecordRow(
                index: UInt64(leaf.index), kind: leaf.kind, time: leaf.time, digest: try #require(leaf.digestBytes),
                disclosure: text, isErased: false)
        }
        let note = try #require(try log.checkpoint())
        return Copy(
            rows: rows, checkpoint: try #require(Checkpoint(note, signedBy: [log.signer.verifier])),
            key: log.signer.verifier, tiles: Dictionary(uniqueKeysWithValues: rows.map { ($0.index, $0.leafHash) }))
    }

    @Test("An unchanged copy verifies, with tiles and without")
    func unchanged() throws {
        var copy = try copy()
        #expect(copy.verify() == nil)
        copy.tiles = [:]
        #expect(copy.verify() == nil)
    }

    @Test("Each record, changed in its time, kind, digest or fields, or removed or doubled, is named")
    func tampered() throws {
        let original = try copy()
        for (place, row) in original.rows.enumerated() {
            func with(
                kind: RecordKind? = nil, later milliseconds: Int64 = 0, digest: Data? = nil, text: Data? = nil
            ) -> CopyProblem? {
                var copy = original
                copy.rows[place] = RecordRow(
                    index: row.index, kind: kind ?? row.kind,
                    time: Timestamp(milliseconds: row.time.milliseconds + milliseconds), digest: digest ?? row.digest,
                    disclosure: text ?? row.disclosure, isErased: false)
                return copy.verify()
            }
            #expect(with(kind: .muted)?.record == row.index)
            #expect(with(later: 1)?.record == row.index)
            #expect(with(digest: Data(count: 32))?.record == row.index)
            #expect(with(text: Disclosure(["client": .string("org.other")]).text)?.record == row.index)
            var copy = original
            copy.rows.remove(at: place)
            #expect(copy.verify()?.record == row.index)
            copy = original
            copy.rows.insert(row, at: place)
            #expect(copy.verify()?.record == row.index)
        }
    }

    @Test("Fields that were deleted from the database are found, unless the machine declared it or did not send them")
    func erased() throws {
        var copy = try copy()
        let row = copy.rows[3]
        func set(isErased: Bool) {
            copy.rows[3] = RecordRow(
                index: row.index, kind: row.kind, time: row.time, digest: row.digest, disclosure: nil,
                isErased: isErased)
        }
        set(isErased: true)
        #expect(copy.verify()?.record == 3)
        set(isErased: false)
        #expect(copy.verify() == nil)
    }

    @Test("Erased fields are not an accusation if a record that was dropped since may have declared them")
    func declarationDropped() throws {
        var copy = try copy(sessions: 5)
        for place in [3, 9] {
            let row = copy.rows[place]
            copy.rows[place] = RecordRow(
                index: row.index, kind: row.kind, time: row.time, digest: row.digest, disclosure: nil, isErased: true)
        }
        var digest = LeafDigest()
        digest.add(copy.rows[6].leafHash)
        let tombstone = Tombstone(
            origin: copy.checkpoint.origin, before: try #require(Timestamp("2026-11-01T00:00:00.000Z")),
            madeAt: Timestamp(Date()), dropped: [Tombstone.Dropped(range: 6..<7, digest: digest.value)])
        copy.rows.remove(at: 6)
        #expect(copy.verify([tombstone])?.record == 9)
        copy.rows.remove(at: 8)
        var later = LeafDigest()
        later.add(try #require(copy.tiles[9]))
        let both = Tombstone(
            origin: copy.checkpoint.origin, before: tombstone.before, madeAt: tombstone.madeAt,
            dropped: tombstone.dropped + [Tombstone.Dropped(range: 9..<10, digest: later.value)])
        #expect(copy.verify([both]) == nil)
    }

    @Test("A tile that was changed is named, and not the record")
    func tile() throws {
        var copy = try copy()
        copy.tiles[4] = .empty
        let problem = try #require(copy.verify())
        #expect(problem.record == nil)
        #expect(problem.message.contains("tile of record 4"))
    }

    @Test("Dropped records need a tombstone of exactly these leaves")
    func dropped() throws {
        var copy = try copy()
        var digest = LeafDigest()
        for row in copy.rows[1..<4] { digest.add(row.leafHash) }
        func tombstone(_ range: Range<UInt64>, _ digest: Data) throws -> Tombstone {
            Tombstone(
                origin: copy.checkpoint.origin, before: try #require(Timestamp("2026-11-01T00:00:00.000Z")),
                madeAt: Timestamp(Date()), dropped: [Tombstone.Dropped(range: range, digest: digest)])
        }
        copy.rows.removeSubrange(1..<4)
        #expect(copy.verify()?.record == 1)
        #expect(copy.verify([try tombstone(1..<4, digest.value)]) == nil)
        #expect(copy.verify([try tombstone(1..<3, digest.value)])?.record == 3)
        #expect(copy.verify([try tombstone(1..<4, Data(count: 32))])?.record == 1)
    }
}

@Suite("Tombstones")
struct TombstoneTests {
    @Test("A tombstone has one text, and is one of its log and its collector alone")
    func form() throws {
        let collector = try #require(NoteSigner(name: "collector.example"))
        let tombstone = Tombstone(
            origin: "voicegate.local/log/abc", before: try #require(Timestamp("2026-11-01T00:00:00.000Z")),
            madeAt: try #require(Timestamp("2026-11-25T12:00:00.000Z")),
            dropped: [Tombstone.Dropped(range: 0..<5000, digest: Data(repeating: 7, count: 32))])
        #expect(Tombstone(text: tombstone.text) == tombstone)
        let note = try #require(try collector.sign(tombstone.text))
        let keys = [collector.witnessVerifier.signingKey]
        #expect(Tombstone(note, of: tombstone.origin, signedBy: keys) == tombstone)
        #expect(Tombstone(note, of: "voicegate.local/log/abd", signedBy: keys) == nil)
        let other = try #require(NoteSigner(name: "collector.example"))
        #expect(Tombstone(note, of: tombstone.origin, signedBy: [other.verifier]) == nil)
        for wrong in ["records 0 5000", "records 05 5000", "records 5000 0", "records -1 5000"] {
            #expect(
                Tombstone(text: tombstone.text.replacing("records 0 5000", with: wrong)) == nil
                    || wrong == "records 0 5000")
        }
    }
}
