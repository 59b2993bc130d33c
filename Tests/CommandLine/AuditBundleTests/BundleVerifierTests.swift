import AuditBundle
import Consent
import Foundation
import TestSupport
import Testing

struct BundleVerifierTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problem(_ verifier: BundleVerifier = BundleVerifier()) -> BundleProblem.Code? {
        #expect(throws: BundleProblem.self) { try verifier.verify(folder: folder.path) }?.code
    }

    @Test("a bundle of a whole log proves itself", arguments: [3, 4, 17, 300])
    func whole(count: Int) throws {
        let bundle = try BundleFixture(count: count)
        try bundle.write(to: folder)
        let report = try BundleVerifier(keys: [bundle.signer.verifier]).verify(folder: folder.path)
        #expect(report.whole && report.records == UInt64(count) && report.size == UInt64(count))
        #expect(report.root == bundle.head.root.base64)
        #expect(report.erasedRecords == 0 && report.files == 11 && !report.trustsOwnKeys)
        #expect(report.from == Timestamp(milliseconds: 1_790_000_000_000).text)
        #expect(report.signers == [bundle.signer.verifier.text])
    }

    @Test("a bundle of some records proves each of them; the keys in it are taken where none are given")
    func part() throws {
        let bundle = try BundleFixture(count: 40)
        try bundle.write(to: folder, only: [0, 5, 31, 32, 39])
        let report = try BundleVerifier().verify(folder: folder.path)
        #expect(!report.whole && report.records == 5 && report.size == 40)
        #expect(report.files == 16 && report.trustsOwnKeys)
    }

    @Test("fields that a record says were erased may be missing, others not")
    func erasure() throws {
        let bundle = try BundleFixture(count: 9, erased: [2, 5])
        try bundle.write(to: folder)
        #expect(try BundleVerifier().verify(folder: folder.path).erasedRecords == 2)
        var entries = bundle.entries
        entries[3] = AuditEntry(leaf: entries[3].leaf, disclosures: [])
        try bundle.writeRecords(entries, to: folder)
        try bundle.sign(folder)
        #expect(problem() == .fieldsMissing)
    }

    @Test("with somebody else's key, or none that is a log's, nothing is believed")
    func keys() throws {
        let (bundle, other) = (try BundleFixture(count: 5), try BundleFixture(count: 5, seed: 8))
        try bundle.write(to: folder)
        #expect(problem(BundleVerifier(keys: [other.signer.verifier])) == .signatureWrong)
        #expect(problem(BundleVerifier(keys: [bundle.signer.witnessVerifier])) == .signatureWrong)
        #expect(problem(BundleVerifier(keys: [])) == .signatureWrong)
        let keys = [other.signer.verifier, bundle.signer.verifier]
        #expect(try BundleVerifier(keys: keys).verify(folder: folder.path).signers == [bundle.signer.verifier.text])
    }

    @Test("a bundle that was made again with another key is found only with the log's key")
    func forgery() throws {
        let (bundle, forger) = (try BundleFixture(count: 5), try BundleFixture(count: 4, seed: 8))
        try forger.write(to: folder)
        #expect(problem(BundleVerifier(keys: [bundle.signer.verifier])) == .signatureWrong)
        #expect(try BundleVerifier().verify(folder: folder.path).trustsOwnKeys)
    }

    @Test("a required witness must have cosigned, and its time is printed")
    func witnesses() throws {
        let bundle = try BundleFixture(count: 5)
        let witness = try #require(NoteSigner(name: "witness.example/w1", seed: Data(repeating: 1, count: 32)))
        let note = try bundle.checkpoint()
        let cosigned = try #require(note.adding(try witness.cosign(note.text, at: 1_790_000_123)))
        try bundle.write(to: folder, note: cosigned)
        let report = try BundleVerifier(witnesses: [witness.witnessVerifier]).verify(folder: folder.path)
        #expect(report.cosignatures.map(\.time) == [Date(timeIntervalSince1970: 1_790_000_123)])
        #expect(problem(BundleVerifier(witnesses: [witness.verifier])) == .cosignatureMissing)
        let other = try #require(NoteSigner(name: "witness.example/w2", seed: Data(repeating: 1, count: 32)))
        #expect(problem(BundleVerifier(witnesses: [other.witnessVerifier])) == .cosignatureMissing)
    }

    @Test(
        "a record removed, changed, moved, added or doubled, and a cut tail, are found though the list is signed again",
        arguments: [true, false])
    func tampering(isWhole: Bool) throws {
        let bundle = try BundleFixture(count: 12)
        let chosen = isWhole ? nil : [1, 3, 4, 7, 8, 11]
        let entries = (chosen ?? Array(0..<12)).map { bundle.entries[$0] }
        func problem(_ entries: [AuditEntry]) throws -> BundleProblem? {
            try bundle.write(to: folder, only: chosen)
            try bundle.writeRecords(entries, to: folder)
            try bundle.sign(folder)
            return #expect(throws: BundleProblem.self) { try BundleVerifier().verify(folder: folder.path) }
        }
        var reordered = entries
        reordered.swapAt(2, 3)
        let swapped = try problem(reordered)
        #expect(swapped?.code == (isWhole ? .recordMissing : .recordsOutOfOrder))

        var changed = entries
        changed[2] = AuditEntry(
            leaf: entries[2].leaf.replacing("blocked", with: "allowed"), disclosures: entries[2].disclosures)
        #expect(try problem(changed)?.code == (isWhole ? .rootWrong : .proofWrong))

        changed[2] = AuditEntry(
            leaf: entries[2].leaf, disclosures: [entries[2].disclosures[0].replacing("notes", with: "other")])
        let altered = try problem(changed)
        #expect(altered?.code == .recordAltered && altered?.record == (isWhole ? 2 : 4))

        changed[2] = AuditEntry(leaf: entries[2].leaf, disclosures: entries[3].disclosures)
        #expect(try problem(changed)?.code == .recordAltered)
        #expect(try problem(entries + [entries[5]]) != nil)
        #expect(try problem([entries[0]] + entries) != nil)
        guard isWhole else { return }
        let removed = try problem(Array(entries[..<4] + entries[5...]))
        #expect(removed?.code == .recordMissing && removed?.record == 4)
        let cut = try problem(Array(entries.dropLast()))
        #expect(cut?.code == .recordMissing && cut?.record == 11)
        #expect(try problem([])?.record == 0)
    }

    @Test("a record or a proof taken away from a part of the log is missed")
    func partTampering() throws {
        let bundle = try BundleFixture(count: 12)
        try bundle.write(to: folder, only: [1, 3, 4])
        try bundle.writeRecords([1, 4].map { bundle.entries[$0] }, to: folder)
        #expect(problem() == .fileAltered)
        try bundle.write(to: folder, only: [1, 3, 4])
        try FileManager.default.removeItem(atPath: folder.path + "/proofs/3.tlog-proof")
        #expect(problem() == .fileMissing)
        let other = try String(contentsOfFile: folder.path + "/proofs/4.tlog-proof", encoding: .utf8)
        try folder.write(other, to: "proofs/3.tlog-proof")
        #expect(problem() == .malformed)
        try folder.write(other.replacing("index 4", with: "index 3"), to: "proofs/3.tlog-proof")
        #expect(problem() == .proofWrong)
    }

    @Test("what the bundle says it covers must be what the checkpoint says")
    func scope() throws {
        let bundle = try BundleFixture(count: 5)
        for scope in [
            "{\"log\":\"\(BundleFixture.origin)\",\"size\":6,\"whole\":true}",
            "{\"log\":\"voicegate.local/log/other\",\"size\":5,\"whole\":true}",
        ] {
            try bundle.write(to: folder)
            try folder.write(scope, to: "scope.json")
            try bundle.sign(folder)
            #expect(problem() == .scopeWrong)
        }
    }

    /// Of a bundle of some records the files that one of the whole log does not have.
    @Test("one flipped bit in any byte of any file is found", arguments: [true, false])
    func everyByte(isWhole: Bool) throws {
        let bundle = try BundleFixture(count: 5, erased: [2])
        try bundle.write(to: folder, only: isWhole ? nil : [0, 2, 4])
        _ = try BundleVerifier().verify(folder: folder.path)
        var tried = 0
        for path in try BundleFixture.files(folder) where isWhole || path.hasPrefix("proofs/") {
            let file = URL(fileURLWithPath: folder.path + "/" + path)
            let contents = try Data(contentsOf: file)
            for position in contents.indices {
                var altered = contents
                altered[position] ^= 1 << UInt8((position + tried) % 8)
                try altered.write(to: file)
                #expect(throws: BundleProblem.self, "byte \(position) of \(path)") {
                    try BundleVerifier().verify(folder: folder.path)
                }
                tried += 1
            }
            try contents.write(to: file)
        }
        #expect(tried > (isWhole ? 3000 : 1000))
        _ = try BundleVerifier().verify(folder: folder.path)
    }
}
