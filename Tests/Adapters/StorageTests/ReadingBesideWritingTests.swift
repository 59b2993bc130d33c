import Authorization
import Consent
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// Readers have their own connections, and those who erase wait for them.
@Suite("Reading the log while it is written", .timeLimit(.minutes(2)))
struct ReadingBesideWritingTests {
    private let directory = TemporaryDirectory()

    private func log() async throws -> (SQLiteStorage, ConsentLog) {
        let storage = try SQLiteStorage(directory: directory.state)
        return (storage, try await ConsentLog.open(storage: storage))
    }

    private func tell(_ log: ConsentLog, _ count: Int, of name: String = "writer", size: Int = 50) async throws {
        for turn in 0..<count {
            try await log.recordFailure(
                in: name, of: name, reason: "mark-\(name)-\(turn) " + String(repeating: "r", count: size))
        }
    }

    @Test("records are read and verified while a write waits for the disk")
    func slowWrite() async throws {
        let (storage, log) = try await log()
        try await tell(log, 10)
        #expect(try await log.records().count == 11)
        let disk = DispatchSemaphore(value: 0)
        let (begins, continuation) = AsyncStream.makeStream(of: Void.self)
        async let write: Void = storage.queue.writeWithoutTransaction { _ in
            continuation.finish()
            disk.wait()
        }
        for await _ in begins {}
        #expect(try await log.records().count == 11)
        #expect(try await log.verify().isIntact)
        disk.signal()
        try await write
    }

    @Test("data that is erased while others read is in no file of the log when the erasure returns")
    func erasing() async throws {
        let (_, log) = try await log()
        let readers = (0..<3).map { number in
            Task {
                do {
                    while !Task.isCancelled {
                        if number == 0 { #expect(try await log.verify().isIntact) } else { _ = try await log.records() }
                    }
                } catch is CancellationError where Task.isCancelled {
                    // A verification ends with its task.
                }
            }
        }
        for round in 0..<20 {
            try await tell(log, 20, of: "round-\(round)")
            #expect(try await log.erase(RightsScope(session: "round-\(round)")).erased == 20)
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.state) {
                let data = try Data(contentsOf: URL(filePath: directory.state + "/" + name))
                #expect(data.range(of: Data("mark-round-\(round)".utf8)) == nil, "\(name)")
            }
        }
        for reader in readers {
            reader.cancel()
            try await reader.value
        }
        #expect(try await log.verify().erasedRecords == 400)
    }

    /// SQLite does so at a thousand pages.
    @Test("durable records are copied into the database, and the write-ahead log begins again")
    func checkpoints() async throws {
        let (_, log) = try await log()
        // Five pages a record.
        try await tell(log, 1500, size: 16_000)
        let files = FileManager.default
        func size(_ suffix: String) throws -> Int {
            try files.attributesOfItem(atPath: directory.database + suffix)[.size] as? Int ?? 0
        }
        #expect(try size("") > 10_000_000)
        #expect(try size("-wal") < 3 * 1000 * 4128)
    }

    @Test("an append waits for a moment for another program's lock instead of failing")
    func busy() async throws {
        let (storage, log) = try await log()
        let other = try DatabaseQueue(path: storage.path)
        let (begins, continuation) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        async let locked: Void = other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            continuation.finish()
            end.wait()
            try database.execute(sql: "ROLLBACK")
        }
        for await _ in begins {}
        let (asks, asking) = AsyncStream.makeStream(of: Void.self)
        try await storage.queue.writeWithoutTransaction { database in
            database.trace { if "\($0)".hasPrefix("BEGIN IMMEDIATE") { asking.finish() } }
        }
        let appending = Task { try await tell(log, 1) }
        // It asks for the lock then, and is refused it.
        for await _ in asks {}
        end.signal()
        try await locked
        try await appending.value
        #expect(try await log.records().count == 2)
    }

    @Test("a closed log refuses to be read, also by those who waited")
    func closed() async throws {
        let (storage, log) = try await log()
        await storage.readers.pause()
        let waiting = Task { try await log.records() }
        for _ in 0..<100 { await Task.yield() }
        try storage.close()
        await #expect(throws: StorageError.self) { try await waiting.value }
        await #expect(throws: StorageError.self) { try await log.verify() }
    }

    @Test("a verification that is cancelled ends as cancelled, while its readers are at work")
    func cancelled() async throws {
        let (_, log) = try await log()
        try await tell(log, 500)
        for _ in 0..<20 {
            let verification = Task { try await log.verify() }
            await Task.yield()
            verification.cancel()
            do {
                // It may have been done already.
                #expect(try await verification.value.isIntact)
            } catch {
                #expect(error is CancellationError)
            }
        }
        #expect(try await log.verify().isIntact)
    }
}
