import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

@Suite("The log as packages for a collector")
struct LogPackagesTests {
    private static let collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .records)

    /// 600 records, of which one names the collector.
    private func log(_ storage: MemoryStorage = MemoryStorage()) async throws -> (log: ConsentLog, since: UInt64) {
        let log = try await ConsentLog.open(storage: storage)
        try await log.start(299)
        let since = try await log.record(
            .collectorChanged(from: nil, to: Self.collector, url: "https://a.example"))
        try await log.start(299)
        return (log, since)
    }

    private func read(
        _ log: ConsentLog, _ range: Range<UInt64>, _ policy: DisclosurePolicy
    ) async throws -> [EntryPackage] {
        let head = try #require(UploadHead(origin: "example.com/log", range: range))
        var packages: [EntryPackage] = []
        for try await package in try await log.packages(of: head, disclosing: policy) { packages.append(package) }
        return packages
    }

    @Test("each package of any range proves its entries, which continue each other, against the checkpoint of its end")
    func proven() async throws {
        let (log, _) = try await log()
        for range in [0..<600, 0..<1, 1..<2, 255..<257, 256..<512, 300..<600, 599..<600, 0..<0] as [Range<UInt64>] {
            let packages = try await read(log, range, .records(from: 0))
            let head = TreeHead(size: range.upperBound, root: try await log.root(at: range.upperBound))
            var tree = Frontier()
            for try await (stored, _) in log.cursor(in: 0..<range.lowerBound) { tree.append(leaf: stored.leaf) }
            for package in packages {
                #expect(package.range.lowerBound == tree.size)
                #expect(package.isProven(after: tree.sinceAlignment, in: head), "\(range)")
                for hash in package.leafHashes { tree.append(hash) }
            }
            #expect(tree.head == head)
        }
        await #expect(throws: ConsentError.self) { _ = try await read(log, 0..<601, .proofs) }
    }

    @Test("as proofs, personal fields are withheld; the log's name, its keys and erasures of records are sent")
    func proofs() async throws {
        let (log, _) = try await log()
        _ = try await log.erase(RightsScope(user: 1000), upTo: 100)
        let size = await log.head.size
        let packages = try await read(log, 0..<size, .proofs)
        let sent = zip(packages.flatMap(\.entries), packages.flatMap(\.disclosures)).compactMap { leaf, disclosure in
            disclosure.flatMap { try? ConsentRecord(leaf: leaf, disclosure: $0) }
        }
        #expect(sent.map(\.kind) == [.genesis, .dataErased])
        #expect(sent.last?.erasedRecords.first == 1...99)
        #expect(sent.allSatisfy { $0.fields["client"] == nil && $0.fields["user"] == nil })
        #expect(Set(packages.flatMap(\.disclosures).map { $0 != nil }).count == 2)
    }

    @Test("as records, fields are sent from the record on that names the recipient, and never those that were erased")
    func records() async throws {
        let (log, since) = try await log()
        #expect(try await log.recordedCollector().map { $0.collector } == Self.collector)
        #expect(try await log.recordedCollector()?.since == since)
        let before = try await read(log, 0..<600, .records(from: since)).flatMap(\.disclosures)
        #expect(before.enumerated().allSatisfy { ($1 != nil) == ($0 == 0 || $0 >= Int(since)) })
        _ = try await log.erase(RightsScope(user: 1000))
        let size = await log.head.size
        let after = try await read(log, 0..<size, .records(from: since)).flatMap(\.disclosures)
        let kept = after.indices.filter { after[$0] != nil }.map(UInt64.init)
        #expect(kept.first == 0 && kept.contains(since) && kept.contains(size - 1))
        #expect(kept.filter { $0 > since && $0 < 600 }.isEmpty)
    }

    @Test("no recipient is recorded before one is set or after it is removed")
    func recipient() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        #expect(try await log.recordedCollector() == nil)
        try await log.record(.collectorChanged(from: nil, to: Self.collector, url: "https://a.example"))
        try await log.record(.collectorChanged(from: Self.collector, to: nil, url: nil))
        #expect(try await log.recordedCollector() == nil)
    }

    @Test("fields that a package has no room for are withheld, the largest first")
    func large() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        let text = String(repeating: "x", count: 1_000_000)
        for place in 0..<18 {
            try await log.append(
                RecordContent(kind: .used, fields: Fields(.reason, place == 3 ? "short" : text)), changing: nil)
        }
        let package = try #require(try await read(log, 0..<19, .records(from: 0)).first)
        #expect(package.disclosures.count { $0 == nil } == 1)
        #expect(package.disclosures[0] != nil && package.disclosures[4] != nil)
    }
}
