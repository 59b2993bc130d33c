import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

/// Proofs out of what is stored, for logs that are larger than what is read of them.
struct StoredTreeTests {
    private let storage = MemoryStorage()

    private func log(of size: Int) async throws -> ConsentLog {
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: MemoryCheckpoints())
        let missing = size - Int(await log.head.size)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<missing {
                group.addTask { try await log.record(.sessionStarted(LedgerSamples.session), changing: nil) }
            }
            try await group.waitForAll()
        }
        return log
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

    @Test("each record's proof holds, and no other record's does")
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

    @Test("a stored node that was changed, moved or taken away is found")
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
