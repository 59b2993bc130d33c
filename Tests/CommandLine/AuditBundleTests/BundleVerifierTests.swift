import AuditBundle
import Consent
import Foundation
import TestSupport
import Testing

struct BundleVerifierTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problem(_ verifier: BundleVerifier = .own()) -> BundleRule? {
        #expect(throws: BundleProblem.self) { try verifier.verify(folder: folder.path) }?.rule
    }

    @Test("a bundle of a whole log proves itself", arguments: [3, 4, 17, 300])
    func whole(count: Int) throws {
        let bundle = try BundleFixture(count: count)
        try bundle.write(to: folder)
        let report = try BundleVerifier.own(keys: [bundle.signer.verifier]).verify(folder: folder.path)
        #expect(report.whole && report.records == UInt64(count) && report.size == UInt64(count))
        #expect(report.root == bundle.head.root.base64)
        #expect(report.erasedRecords == 0 && report.files == 10 && !report.trustsOwnKeys)
        #expect(report.from == Timestamp(milliseconds: 1_790_000_000_000).text)
        #expect(report.signers == [bundle.signer.verifier.text])
    }

    @Test("a bundle of some records proves each of them; its own keys are used unless keys are given")
    func part() throws {
        let bundle = try BundleFixture(count: 40)
        try bundle.write(to: folder, only: [0, 5, 31, 32, 39])
        let report = try BundleVerifier.own().verify(folder: folder.path)
        #expect(!report.whole && report.records == 5 && report.size == 40)
        #expect(report.files == 14 && report.trustsOwnKeys)
    }

    @Test("fields that a record says were erased may be missing, others not")
    func erasure() throws {
        let bundle = try BundleFixture(count: 9, erased: [2, 5])
        try bundle.write(to: folder)
        #expect(try BundleVerifier.own().verify(folder: folder.path).erasedRecords == 2)
        var entries = bundle.entries
        entries[3] = AuditEntry(leaf: entries[3].leaf, disclosures: [])
        try bundle.writeRecords(entries, to: folder)
        try bundle.sign(folder)
        #expect(problem() == .erasure)
    }

    @Test("with a different log's key, or a key that is not a log's, nothing is believed")
    func keys() throws {
        let (bundle, other) = (try BundleFixture(count: 5), try BundleFixture(count: 5, seed: 8))
        try bundle.write(to: folder)
        #expect(problem(.own(keys: [other.signer.verifier])) == .checkpointSigned)
        #expect(problem(.own(keys: [bundle.signer.witnessVerifier])) == .checkpointSigned)
        #expect(problem(.own(keys: [])) == .checkpointSigned)
        let keys = [other.signer.verifier, bundle.signer.verifier]
        #expect(try BundleVerifier.own(keys: keys).verify(folder: folder.path).signers == [bundle.signer.verifier.text])
    }

    @Test("a bundle that was made again with another key is found only with the log's key")
    func forgery() throws {
        let (bundle, forger) = (try BundleFixture(count: 5), try BundleFixture(count: 4, seed: 8))
        try forger.write(to: folder)
        #expect(problem(.own(keys: [bundle.signer.verifier])) == .checkpointSigned)
        #expect(try BundleVerifier.own().verify(folder: folder.path).trustsOwnKeys)
    }

    @Test("a required witness must have cosigned, and its time is printed")
    func witnesses() throws {
        let bundle = try BundleFixture(count: 5)
        let witness = try #require(NoteSigner(name: "witness.example/w1", seed: Data(repeating: 1, count: 32)))
        let note = try bundle.checkpoint()
        let cosigned = try #require(note.adding(try witness.cosign(note.text, at: 1_790_000_123)))
        try bundle.write(to: folder, note: cosigned)
        let report = try BundleVerifier.own(witnesses: [witness.witnessVerifier]).verify(folder: folder.path)
        #expect(report.cosignatures.map(\.time) == [Date(timeIntervalSince1970: 1_790_000_123)])
        let other = try #require(NoteSigner(name: "witness.example/w2", seed: Data(repeating: 1, count: 32)))
        let strict = try BundleVerifier.own(witnesses: [other.witnessVerifier])
        #expect(problem(strict) == .cosigned)
    }

    @Test("in a part of a log, fields are called erased only if a record in it says so")
    func withheld() throws {
        let bundle = try BundleFixture(count: 12, erased: [3])
        try bundle.write(to: folder, only: [0, 3, 5, 11], withholding: [5])
        let report = try BundleVerifier.own().verify(folder: folder.path)
        #expect(report.erasedRecords == 1 && report.recordsWithoutFields == 1)
        try bundle.write(to: folder, only: [0, 3, 5], withholding: [5])
        try FileManager.default.removeItem(atPath: folder.path + "/proofs/11.tlog-proof")
        try bundle.sign(folder)
        #expect(try BundleVerifier.own().verify(folder: folder.path).erasedRecords == 0)
    }

    @Test("files that another version made are not compared with the records, and the report says so")
    func otherVersion() throws {
        let bundle = try BundleFixture(count: 5)
        try bundle.write(to: folder)
        try folder.write("Nobody ever listened.", to: "report.html")
        try bundle.sign(folder)
        #expect(problem() == .derived)
        let later = BundleVerifier(version: "2")
        #expect(try later.verify(folder: folder.path).notChecked.first?.contains("version 1") == true)
        try bundle.write(to: folder)
        #expect(try later.verify(folder: folder.path).notChecked.isEmpty)
    }

    @Test("a held checkpoint that the log continues is named; one that cannot be compared is listed as not checked")
    func held() throws {
        let bundle = try BundleFixture(count: 12)
        try bundle.write(to: folder)
        let notes =
            try [5, 12].map { try bundle.checkpoint(bundle.head($0)) }
            + [bundle.checkpoint(TreeHead(size: 40, root: bundle.head.root))]
        let report = try BundleVerifier.own(held: notes).verify(folder: folder.path)
        #expect(report.heldSizes == [5, 12])
        #expect(report.notChecked == ["a checkpoint of 40 records: the bundle ends at 12"])
    }

    /// Of a bundle of some records the files that one of the whole log does not have. Of files that nothing reads, and that are
    /// compared as a whole, each sixteenth byte.
    @Test("one flipped bit in any byte of any file is found", arguments: [true, false])
    func everyByte(isWhole: Bool) throws {
        let bundle = try BundleFixture(count: 5, erased: [2])
        try bundle.write(to: folder, only: isWhole ? nil : [0, 2, 4])
        _ = try BundleVerifier.own().verify(folder: folder.path)
        var tried = 0
        for path in try BundleFixture.files(folder) where isWhole || path.hasPrefix("proofs/") {
            let file = URL(fileURLWithPath: folder.path + "/" + path)
            let contents = try Data(contentsOf: file)
            let isCompared = [".html", ".txt", ".csv", ".jsonld"].contains { path.hasSuffix($0) }
            for position in stride(from: 0, to: contents.count, by: isCompared ? 16 : 1) {
                var altered = contents
                altered[position] ^= 1 << UInt8((position + tried) % 8)
                try altered.write(to: file)
                #expect(throws: BundleProblem.self, "byte \(position) of \(path)") {
                    try BundleVerifier.own().verify(folder: folder.path)
                }
                tried += 1
            }
            try contents.write(to: file)
        }
        #expect(tried > (isWhole ? 3000 : 1000))
        _ = try BundleVerifier.own().verify(folder: folder.path)
    }

    @Test(
        "each file cut off after each of its bytes is found", arguments: ["records.jsonl", "SHA256SUMS", "checkpoint"])
    func truncated(name: String) throws {
        try BundleFixture(count: 4).write(to: folder)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
        for length in 0..<whole.count {
            try folder.write(whole.prefix(length), to: name)
            #expect(throws: BundleProblem.self, "\(length) bytes") {
                try BundleVerifier.own().verify(folder: folder.path)
            }
        }
    }

    @Test("a file's name cannot draw on the terminal that prints it")
    func escapes() throws {
        try BundleFixture(count: 4).write(to: folder)
        try folder.write("x", to: "notices/\u{1B}[2J\u{9B}1A\u{202E}\nThe bundle verifies")
        let problem = try #require(
            #expect(throws: BundleProblem.self) { try BundleVerifier.own().verify(folder: folder.path) })
        #expect(problem.rule == .names)
        #expect(problem.file?.contains("\u{1B}") == true)
        #expect(problem.description.contains("The bundle verifies"))
        #expect(
            problem.description.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            })
    }
}

extension BundleVerifier {
    /// Of the version that made the fixture's bundles.
    static func own(keys: [NoteVerifier]? = nil, held: [SignedNote] = []) -> BundleVerifier {
        BundleVerifier(keys: keys, held: held, version: BundleFixture.version)
    }

    /// All of the witnesses must have cosigned.
    static func own(witnesses: [NoteVerifier]) throws -> BundleVerifier {
        let lines = witnesses.enumerated().map { "witness \($0) \($1)\n" }.joined()
        let names = witnesses.indices.map(String.init).joined(separator: " ")
        let policy = try WitnessPolicy(Data((lines + "group all all \(names)\nquorum all\n").utf8))
        return BundleVerifier(policy: policy, version: BundleFixture.version)
    }
}
