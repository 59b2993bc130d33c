import Authorization
import Consent
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// Whether bytes of erased data are anywhere in the files of the log.
struct RecordErasureTests {
    private let directory = TemporaryDirectory()

    private func log() async throws -> (SQLiteStorage, ConsentLog) {
        let storage = try SQLiteStorage(directory: directory.state)
        return (storage, try await ConsentLog.open(storage: storage))
    }

    /// Records with a mark each; every tenth is so large that SQLite spreads it over several pages.
    private func tell(_ log: ConsentLog, _ count: Int) async throws {
        for turn in 0..<count {
            let reason = "mark-\(turn)-of-the-person " + String(repeating: "r", count: turn % 10 == 0 ? 20_000 : 50)
            try await log.record(
                .recognizerFailed(
                    session: turn.isMultiple(of: 2) ? "even" : "odd",
                    client: ClientIdentifier.unregistered(executable: "secret-name"), reason: reason), changing: nil)
        }
    }

    /// Which records' marks are in any file of the state directory.
    private func marks(_ count: Int) throws -> Set<Int> {
        var found: Set<Int> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.state) {
            let data = try Data(contentsOf: URL(filePath: directory.state + "/" + name))
            for turn in 0..<count where data.range(of: Data("mark-\(turn)-of".utf8)) != nil { found.insert(turn) }
        }
        return found
    }

    @Test("the bytes of erased records are in no file of the log, and those of the others are")
    func bytes() async throws {
        let (storage, log) = try await log()
        try await tell(log, 60)
        #expect(try marks(60) == Set(0..<60))
        let before = await log.head
        let result = try await log.erase(RightsScope(session: "even"))
        #expect(result.erased == 30)
        #expect(try marks(60) == Set(stride(from: 1, to: 60, by: 2)))
        #expect(try await log.root(at: before.size) == before.root)
        #expect(try await log.verify().isIntact)
        // Free pages are reused; later records are found.
        try await tell(log, 3)
        #expect(try marks(3) == [0, 1, 2])
        try storage.close()
    }

    @Test("the names of clients whose decisions were removed are in no file of the log after an erasure")
    func decisions() async throws {
        let (storage, log) = try await log()
        try await tell(log, 2)
        let (present, removed) = try await storage.queue.write { database in
            var generator = SeededGenerator(seed: 1)
            var (present, removed): ([String], Set<String>) = ([], [])
            // Enough rows of different sizes that SQLite moves some between pages and leaves copies.
            for _ in 0..<6_000 {
                if !present.isEmpty, Int.random(in: 0..<100, using: &generator) < 47 {
                    let name = present.remove(at: .random(in: present.indices, using: &generator))
                    try database.execute(sql: "DELETE FROM decisions WHERE client = ?", arguments: [name])
                    removed.insert(name)
                    continue
                }
                let name = String(format: "name-%08x", UInt32.random(in: 0 ... .max, using: &generator))
                for resource in ["microphone", "speechRecognition"] {
                    let terms = String(repeating: "t", count: .random(in: 0...600, using: &generator))
                    try database.execute(
                        sql: "INSERT INTO decisions VALUES (1000, ?, ?, 'denied', NULL, 'prompt', 1, ?, ?, NULL)",
                        arguments: [name, resource, "/usr/bin/" + name, terms])
                }
                present.append(name)
            }
            return (Set(present), removed)
        }
        #expect(try await log.erase(RightsScope(session: "even")).erased == 1)
        #expect(try await storage.decisions().count == 2 * present.count)
        let database = try Data(contentsOf: URL(filePath: directory.database))
        let found = Set(
            database.ranges(of: Data("name-".utf8)).map {
                String(decoding: database[$0.lowerBound..<min($0.upperBound + 8, database.endIndex)], as: UTF8.self)
            })
        #expect(found.isSuperset(of: present))
        #expect(found.intersection(removed) == [])
        try storage.close()
    }

    @Test("the write-ahead log is overwritten before it is cut off, and a power cut in between loses nothing")
    func overwritten() async throws {
        let (storage, log) = try await log()
        try await tell(log, 30)
        #expect(try await log.records().count == 31)
        let file = URL(filePath: directory.database + "-wal")
        #expect(try Data(contentsOf: file).range(of: Data("mark-29-of".utf8)) != nil)
        try await storage.queue.writeWithoutTransaction {
            _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(RESTART)")
            try WriteAheadLogFile(of: $0)?.overwrite()
        }
        let bytes = try Data(contentsOf: file)
        #expect(!bytes.isEmpty && bytes.allSatisfy { $0 == 0 })
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.state, toPath: copy)
        unlink(copy + "/consent.sqlite-shm")
        let cut = try await ConsentLog.open(storage: try SQLiteStorage(directory: copy))
        #expect(try await cut.verify().isIntact)
        #expect(await cut.head == log.head)
        try storage.close()
    }

    @Test("where the write-ahead log cannot be emptied nothing more is recorded, and the next start empties it")
    func blocked() async throws {
        let (storage, log) = try await log()
        try await tell(log, 20)
        try await storage.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        // Another program reads, and so needs the old pages.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: directory.database, configuration: configuration)
        try reader.inDatabase { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM entries")
        }
        #expect(await failure(ConsentError.self) { try await log.erase(RightsScope(session: "even")) }?.code == .failed)
        #expect(await failure(ConsentError.self) { try await tell(log, 1) }?.code == .failed)
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
        try reader.close()
        try storage.close()

        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.state, toPath: copy)
        let again = try SQLiteStorage(directory: copy)
        try await again.settle()
        let reopened = try await ConsentLog.open(storage: again)
        #expect(try await reopened.verify().erasedRecords == 10)
        for name in try FileManager.default.contentsOfDirectory(atPath: copy) {
            let data = try Data(contentsOf: URL(filePath: copy + "/" + name))
            #expect(data.range(of: Data("mark-0-of".utf8)) == nil, "\(name)")
        }
    }
}
