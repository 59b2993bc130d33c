import Consent
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// Failing disks.
@Suite(.serialized)
struct CrashTests {
    private let directory = TemporaryDirectory()

    @Test("each record is synced to the disk before it is acknowledged")
    func syncs() throws {
        let writer = try LedgerWriterProcess(directory.state, "append", "50")
        let counts = writer.remainingLines().compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counts.count == 50)
        for (before, after) in zip(counts, counts.dropFirst()) { #expect(after > before) }
        #expect(writer.process.terminationStatus == 0)
    }

    @Test("after a failed sync nothing more is appended; opened again, the log is complete and continues")
    func failedSync() async throws {
        let writer = try LedgerWriterProcess(directory.state, "append", "50", "fail-sync=10")
        let lines = writer.remainingLines()
        let acknowledged = lines.filter { !$0.hasPrefix("error") }.count
        #expect(acknowledged > 0 && acknowledged < 50)
        #expect(lines.suffix(2) == ["error failed inputOutput", "error failed inputOutput"])
        try await goesOn(with: acknowledged + 1)
    }

    @Test("a file that may not grow refuses the record; opened again, the log is complete and continues")
    func fileSizeLimit() async throws {
        let writer = try LedgerWriterProcess(directory.state, "append", "1000", "file-size=200000")
        let lines = writer.remainingLines()
        let acknowledged = lines.filter { !$0.hasPrefix("error") }.count
        #expect(acknowledged > 0 && acknowledged < 1000)
        #expect(lines.last?.hasPrefix("error") == true)
        try await goesOn(with: acknowledged + 1)
    }

    @Test(
        "a full disk refuses the record; earlier records are still read, and the log continues when there is room",
        .enabled(if: Self.canMount))
    func fullDisk() async throws {
        mkdir(directory.state, 0o700)
        #expect(Self.run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", directory.state))
        defer { _ = Self.run("umount", "-l", directory.state) }
        let writer = try LedgerWriterProcess(directory.state, "append", "10000")
        let lines = writer.remainingLines()
        let acknowledged = lines.filter { !$0.hasPrefix("error") }.count
        #expect(acknowledged > 0 && acknowledged < 10_000)
        #expect(lines.last == "error notRecorded full")
        let storage = try await SQLiteStorage.reopened(directory.state)
        try await storage.settle()
        #expect(try await ConsentLog.open(storage: storage).records().count == acknowledged + 1)
        try storage.close()
        #expect(Self.run("mount", "-o", "remount,size=16m", directory.state))
        try await goesOn(with: acknowledged + 1)
    }

    @Test("a read-only disk is refused before anything is granted", .enabled(if: Self.canMount))
    func readOnlyDisk() async throws {
        mkdir(directory.state, 0o700)
        #expect(Self.run("mount", "-t", "tmpfs", "-o", "ro,mode=700", "tmpfs", directory.state))
        defer { _ = Self.run("umount", "-l", directory.state) }
        #expect(failure(StorageError.self) { try SQLiteStorage(directory: directory.state) }?.code == .notWritable)
    }

    @Test("a database at its page limit refuses the record and takes the next one when there is room")
    func pageLimit() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        let log = try await ConsentLog.open(storage: storage)
        #expect(try await log.records().count == 1)
        let pages = try await storage.queue.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        _ = try await storage.queue.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages + 1)") }
        let policy = String(repeating: "x", count: 100_000)
        let error = await #expect(throws: ConsentError.self) { try await log.recordFailure(in: policy, reason: "") }
        #expect(error?.code == .notRecorded)
        #expect((error?.underlying as? StorageError)?.code == .full)
        #expect(try await log.verify().records == 1)
        _ = try await storage.queue.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 100000") }
        try await log.recordFailure(in: policy, reason: "")
        #expect(try await log.verify().isIntact)
    }

    /// Opens the log that a writer left: at least this many records, all whole, and room for one more.
    private func goesOn(with records: Int) async throws {
        let storage = try await SQLiteStorage.reopened(directory.state)
        let log = try await ConsentLog.open(storage: storage)
        #expect(try await log.verify().isIntact)
        #expect(await log.head.size >= UInt64(records))
        try await log.recordFailure()
        #expect(try await log.verify().isIntact)
        try storage.close()
    }

    private static let canMount: Bool = {
        guard geteuid() == 0 else { return false }
        let trial = TemporaryDirectory()
        return run("mount", "-t", "tmpfs", "tmpfs", trial.path) && run("umount", trial.path)
    }()

    private static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
