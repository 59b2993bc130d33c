import Authorization
import Foundation
import TestSupport
import Testing
@testable import Consent

struct VerificationTests {
    private let storage = MemoryStorage()

    private func told() async throws -> ConsentLog {
        let log = try await ConsentLog.told(storage)
        #expect(try await log.verify().problem == nil)
        return log
    }

    private func problem(of log: ConsentLog) async throws -> String {
        let problem = try await log.verify().problem
        return "\(problem?.kind.rawValue ?? "none") \(problem?.index.map(String.init) ?? "-")"
    }

    @Test("a record reports the erasure of earlier records alone; a range that reaches its own place reports nothing")
    func boundedErasures() throws {
        func reported(_ ranges: [[Int64]], by index: Int) throws -> [ClosedRange<Int>] {
            let json = JSONValue.array(ranges.map { .array($0.map(JSONValue.integer)) })
            return try ConsentRecord(BundleFixture.entry(index, "data.erased", ["records": json])).erasedRecords
        }
        #expect(try reported([[0, 1], [3, 4]], by: 5) == [0...1, 3...4])
        #expect(
            try reported([[0, 1_000_000], [2, 5], [4, 3], [-1, 2], [5, 5], [9, 9], [1, 1, 1]], by: 5).isEmpty)
    }

    @Test("every byte of every leaf, kind and disclosure counts")
    func everyByte() async throws {
        let log = try await told()
        let whole = await storage.stored
        let end = await storage.end
        func isIntact(_ records: [StoredRecord]) -> Bool {
            var verifier = LogVerifier()
            var page = PageExamination(first: 0, followsSessions: true)
            for record in records { guard record.withBytes({ page.take($0) }) else { break } }
            verifier.take(page)
            if !verifier.foundProblem { verifier.check(end) }
            return verifier.report.isIntact
        }
        var altered = 0
        for (place, record) in whole.enumerated() {
            for variant in record.variants {
                var records = whole
                records[place] = variant
                if isIntact(records) { Issue.record("variant \(altered) of record \(place) was not found") }
                altered += 1
            }
        }
        #expect(altered > 3000)
        #expect(isIntact(whole))
        #expect(try await log.verify().isIntact)
    }

    @Test("a missing record, one too many, two exchanged and a cut tail are each named")
    func rows() async throws {
        let log = try await told()
        let whole = await storage.stored
        let size = whole.count
        var exchanged = whole
        (exchanged[1], exchanged[2]) = (whole[2].moved(to: 1), whole[1].moved(to: 2))
        for (records, expected) in [
            (whole.filter { $0.index != 2 }, "recordMissing 2"), (whole.dropLast(), "recordMissing \(size - 1)"),
            (whole + [whole[2].moved(to: Int64(size))], "indexWrong \(size)"),
            ([whole[0].moved(to: -1)] + whole, "recordUnexpected -1"), (exchanged, "indexWrong 1"),
        ] {
            await storage.replace(records)
            #expect(try await problem(of: log) == expected)
        }
    }

    @Test("a record that was rewritten with its digest no longer has the head of the tree")
    func rewritten() async throws {
        let log = try await told()
        let whole = await storage.stored
        for place in whole.indices.dropFirst() {
            guard let leaf = RecordLeaf(data: whole[place].leaf) else { Issue.record("no leaf"); return }
            let forged = RecordLeaf(
                index: leaf.index, kind: leaf.kind, time: Timestamp(milliseconds: 5), digest: leaf.digest)
            var records = whole
            records[place] = StoredRecord(
                index: leaf.index, kind: leaf.kind.rawValue, leaf: forged.data, disclosed: whole[place].disclosed)
            await storage.replace(records)
            #expect(try await problem(of: log) == "treeHeadWrong -")
        }
    }

    @Test("a head of another size, root or frontier is found, and the log is not opened on it")
    func heads() async throws {
        let log = try await told()
        guard let tree = await storage.end.tree else { Issue.record("no tree"); return }
        var root = tree.root
        root[3] ^= 1
        var frontier = tree.frontier
        frontier[40] ^= 1
        func head(_ size: Int64? = nil, root: Data? = nil, frontier: Data? = nil) -> StoredTree {
            StoredTree(size: size ?? tree.size, root: root ?? tree.root, frontier: frontier ?? tree.frontier)
        }
        let wrong: [(StoredTree?, String)] = [
            (nil, "treeHeadWrong -"), (head(root: root), "treeHeadWrong -"),
            (head(frontier: frontier), "treeHeadWrong -"), (head(tree.size + 1), "recordMissing \(tree.size)"),
            (head(tree.size - 1), "recordUnexpected \(tree.size - 1)"), (head(-1), "recordUnexpected 0"),
        ]
        for (head, expected) in wrong {
            await storage.replace(head)
            #expect(try await problem(of: log) == expected)
            #expect(await code { try await ConsentLog.open(storage: storage) } == .corrupt)
        }
    }

    @Test("a log whose last record was changed or cut off is not opened")
    func openingChecksTheEnd() async throws {
        _ = try await told()
        let whole = await storage.stored
        var changed = whole
        changed[whole.count - 1] = whole[whole.count - 2].moved(to: Int64(whole.count - 1))
        for records in [whole.dropLast(), changed, [], whole + [whole[1].moved(to: Int64(whole.count))]] {
            await storage.replace(Array(records))
            #expect(await code { try await ConsentLog.open(storage: storage) } == .corrupt)
        }
        await storage.replace(whole)
        _ = try await ConsentLog.open(storage: storage)
    }

    @Test("a decision that no record made, one that is gone, and one that was changed are found")
    func decisions() async throws {
        let log = try await told()
        let table = await storage.decisions().sorted { $0.key.resource < $1.key.resource }
        func authorized(_ key: StoredDecision.Key, at time: Int64) -> StoredDecision {
            StoredDecision(
                key: key, verdict: "authorized", executableSHA256: nil, executablePath: nil, terms: nil,
                indication: "settings", decidedAt: time)
        }
        let stray = authorized(.init(user: 0, client: "a", resource: "microphone"), at: 0)
        await storage.replace(table + [stray])
        #expect(try await problem(of: log) == "decisionWrong -")
        await storage.replace(Array(table.dropLast()))
        #expect(try await problem(of: log) == "decisionWrong 5")
        await storage.replace([table[0], authorized(table[1].key, at: table[1].decidedAt)])
        #expect(try await problem(of: log) == "decisionWrong 5")
    }

    @Test("missing fields are found, unless a record reports their erasure; the root stays")
    func erasure() async throws {
        let log = try await told()
        let root = try await log.verify().root
        var records = await storage.stored
        records[2] = StoredRecord(index: 2, kind: records[2].kind, leaf: records[2].leaf, disclosed: nil)
        await storage.replace(records)
        #expect(try await problem(of: log) == "disclosureMissing 2")
        #expect(try await log.verify().root == root)

        try await log.append(
            RecordContent(kind: .dataErased, fields: Fields(.erasedRanges, ErasedRecords.json([2])[0])), changing: nil)
        // A decision in force stood on it, so that is found in another place.
        #expect(try await problem(of: log) == "decisionWrong -")
        await storage.replace(await storage.decisions().filter { $0.key.resource == "speechRecognition" })
        let report = try await log.verify()
        #expect(report.erasedRecords == 1)
        let shown = try await log.records()[2]
        #expect(shown.fields.isEmpty && shown.isErased)
    }

    @Test("a start uses only decisions that were compared with the records, and no decision of an altered log")
    func decisionsAtStart() async throws {
        let log = try await told()
        let start = try await log.verifyAtStart()
        #expect(try await start.decisions == log.decisions())
        #expect(!start.decisions.isEmpty)
        let whole = await storage.stored
        await storage.replace(whole.dropLast())
        #expect(try await log.verifyAtStart().decisions.isEmpty)
    }
}

extension StoredRecord {
    fileprivate func moved(to index: Int64) -> StoredRecord {
        StoredRecord(index: index, kind: kind, leaf: leaf, disclosed: disclosed)
    }

    /// This record with one bit changed, in each of its bytes.
    fileprivate var variants: [StoredRecord] {
        leaf.variants.map { StoredRecord(index: index, kind: kind, leaf: $0, disclosed: disclosed) }
            + (disclosed ?? Data()).variants.map { StoredRecord(index: index, kind: kind, leaf: leaf, disclosed: $0) }
            + Data(kind.utf8).variants.map {
                StoredRecord(index: index, kind: String(decoding: $0, as: UTF8.self), leaf: leaf, disclosed: disclosed)
            }
    }
}

extension Data {
    fileprivate var variants: [Data] {
        indices.map {
            var changed = self
            changed[$0] ^= 1
            return changed
        }
    }
}

/// Proofs out of what is stored, for logs that are larger than what is read of them.
struct StoredTreeTests {
    private let storage = MemoryStorage()

    private func log(of size: Int) async throws -> ConsentLog {
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: MemoryCheckpoints())
        let missing = size - Int(await log.head.size)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<missing { group.addTask { try await log.start() } }
            try await group.waitForAll()
        }
        return log
    }

    @Test("a gentle verification reads one part of the log after the other, and finds the same")
    func gently() async throws {
        let log = try await log(of: 2 * 4096 + 1)
        let gentle = try await log.verify(gently: true)
        #expect(gentle.isIntact && gentle.records == 2 * 4096 + 1)
        #expect(await storage.mostScansAtOnce == 1)
        await storage.needScansAtOnce(2)
        #expect(try await log.verify() == gentle)
    }

    @Test("the root of any part of the log is the one of just these leaves")
    func roots() async throws {
        let log = try await log(of: 1300)
        let hashes = await storage.stored.map { MerkleHash.leaf($0.leaf) }
        var frontier = Frontier()
        for (place, hash) in hashes.enumerated() {
            frontier.append(hash, level: 0)
            if place % 97 == 0 || place > 1290 { #expect(try await log.root(at: UInt64(place + 1)) == frontier.root) }
        }
        await #expect(throws: ConsentError.self) { try await log.root(at: 1301) }
    }

    @Test("each record's proof is valid, and no other record's is")
    func inclusion() async throws {
        let log = try await log(of: 700)
        let head = await log.head
        let verifiers = await log.verifiers
        let leaves = await storage.stored.map(\.leaf)
        for index in stride(from: 0, to: 700, by: 37) {
            let proof = try await log.inclusionProof(of: UInt64(index))
            #expect(Checkpoint(proof.note, signedBy: verifiers)?.head == head)
            #expect(proof.inclusion.proves(.leaf(leaves[index]), in: head))
            #expect(!proof.inclusion.proves(.leaf(leaves[(index + 1) % 700]), in: head))
        }
        await #expect(throws: ConsentError.self) { try await log.inclusionProof(of: 700) }
    }

    @Test("an earlier size is proven to be the beginning of a later one, and of no other")
    func consistency() async throws {
        let log = try await log(of: 600)
        for (from, to) in [(1, 600), (255, 257), (256, 512), (300, 599), (512, 600), (600, 600)] as [(UInt64, UInt64)] {
            let proof = try await log.consistencyProof(from: from, to: to)
            let earlier = TreeHead(size: from, root: try await log.root(at: from))
            let later = TreeHead(size: to, root: try await log.root(at: to))
            #expect(proof.proves(earlier, isBeginningOf: later), "\(from) \(to)")
            #expect(!proof.proves(TreeHead(size: from, root: .empty), isBeginningOf: later), "\(from) \(to)")
        }
        await #expect(throws: ConsentError.self) { try await log.consistencyProof(from: 5, to: 601) }
    }

    @Test("entries come page by page, each once and in order, with proofs that hold")
    func entries() async throws {
        let log = try await log(of: 900)
        let head = await log.head
        var found: [UInt64] = []
        var after: UInt64?
        repeat {
            let page = try await log.entries(upTo: head.size, withProofs: true, after: after)
            for entry in page.entries {
                let record = try ConsentRecord(entry)
                let hashes = try #require(entry.proof).compactMap { MerkleHash(base64: $0) }
                let proof = try #require(InclusionProof(index: record.index, size: head.size, hashes: hashes))
                #expect(proof.proves(entry.leafHash, in: head))
                found.append(record.index)
            }
            after = page.last
        } while after != nil
        #expect(found == Array(0..<900))
        let session = AuditFilter(client: ClientIdentifier.unregistered(executable: "nobody"))
        #expect(try await log.entries(matching: session, upTo: head.size).entries.isEmpty)
    }

    @Test("a stored node that was changed, moved or removed is found")
    func nodes() async throws {
        let log = try await log(of: 600)
        let nodes = await storage.nodes(level: 8, in: 0..<10)
        #expect(nodes.count == 2)
        #expect(try await log.verify().isIntact)
        for wrong in [
            [], Array(nodes.dropLast()), nodes + [TreeNode(level: 8, position: 2, hash: .empty)],
            [nodes[0], TreeNode(level: 8, position: 1, hash: nodes[0].hash)],
            nodes + [TreeNode(level: 16, position: 0, hash: .empty)],
        ] {
            await storage.replace(wrong)
            #expect(try await log.verify().problem?.kind == .treeHeadWrong)
        }
    }
}
