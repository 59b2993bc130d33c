import Consent
import Foundation
import GRDB
import Testing

@testable import Storage

/// A log of version 2, as that version wrote it: eight records of schema 1 after the first, and a decision.
struct MigrationTests {
    private let directory = TemporaryDirectory()

    private func migrated(_ alteration: String = "") throws -> SQLiteStorage {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version2.sql")
        mkdir(directory.state, 0o700)
        let queue = try DatabaseQueue(path: directory.database)
        try queue.writeWithoutTransaction {
            // The dump has its tables by name, not by what refers to what.
            try $0.execute(sql: "PRAGMA foreign_keys = OFF")
            try $0.execute(sql: try String(contentsOf: fixture, encoding: .utf8))
            try $0.execute(sql: alteration)
        }
        try queue.close()
        return try SQLiteStorage(directory: directory.state)
    }

    @Test("a log of version 2 keeps its root, its records and its decisions, and goes on")
    func version2() async throws {
        let storage = try migrated()
        let before = try await storage.summary().tree
        let log = try await ConsentLog.open(storage: storage)
        let report = try await log.verify()
        #expect(report.problem == nil)
        #expect(report.records == 9 && report.erasedRecords == 0)
        #expect(report.root == before?.root.base64EncodedString())
        let records = try await log.records()
        #expect(records.count == 9)
        #expect(records.dropFirst().allSatisfy { $0.fields["session"]?.string?.hasPrefix("session ") == true })
        #expect(try await storage.decisions().count == 1)
        let left = try await storage.queue.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE name IN ('records', 'disclosures')")
        }
        #expect(left.isEmpty)
    }

    @Test("a field that was changed before the migration is still found after it")
    func alteredBefore() async throws {
        let storage = try migrated(
            """
            UPDATE disclosures SET disclosure = X'5757'
                WHERE record = 4 AND disclosure = (SELECT min(disclosure) FROM disclosures WHERE record = 4)
            """)
        let log = try await ConsentLog.open(storage: storage)
        #expect(try await log.verify().problem?.index == 4)
    }
}
