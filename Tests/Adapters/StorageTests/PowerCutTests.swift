import Consent
import Foundation
import TestSupport
import Testing

@testable import Storage

/// The power goes, or the process is killed, at random moments. `VOICEGATE_POWER_CUTS` and `VOICEGATE_LOG_KILLS` say how
/// often; `VOICEGATE_RANDOM_SEED` makes the same cuts again, as far as the threads allow it.
@Suite(.serialized)
struct PowerCutTests {
    /// Rounds that one log goes through.
    private static let roundsOfLog = 15
    private static let environment = ProcessInfo.processInfo.environment
    private let directory = TemporaryDirectory()

    @Test("when the power goes at any moment, no acknowledged record is lost, and erased data stays erased")
    func powerCuts() async throws {
        let rounds = Repetitions.powerCuts
        let seed = Self.environment["VOICEGATE_RANDOM_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        var (acknowledged, beforeOpening) = (0, 0)
        var state = directory.path + "/log"
        for round in 0..<rounds {
            if round % Self.roundsOfLog == 0 {
                try? FileManager.default.removeItem(atPath: state)
                state = directory.path + "/log\(round)"
                mkdir(state, 0o700)
            }
            let survivors = directory.path + "/survivors\(round)"
            try FileManager.default.copyItem(atPath: state, toPath: survivors)
            // The index of the write-ahead log is memory.
            unlink(survivors + "/consent.sqlite-shm")
            // Opening a new log takes about fifty calls.
            let call = Int.random(in: 0..<[60, 250, 1000][round % 3], using: &generator)
            let writer = try LedgerWriterProcess(
                state, "storm", "cut=\(call)", "seed=\(UInt32.random(in: 0 ... .max, using: &generator))",
                "survivors=\(survivors)", "erases=\(round % 2)")
            let report = StormReport(writer.remainingLines())
            #expect(writer.process.terminationStatus == 9, "round \(round) of seed \(seed)")
            acknowledged += report.count
            if !report.wasOpen { beforeOpening += 1 }
            try await report.check(survivors, "round \(round) of seed \(seed)")
            try FileManager.default.removeItem(atPath: state)
            state = survivors
        }
        print(
            "power cuts: \(rounds), \(beforeOpening) of them before the log was open; acknowledged: \(acknowledged); "
                + "seed \(seed)")
        #expect(acknowledged > rounds)
    }

    @Test("killed at any moment, no acknowledged record is lost, and erased data stays erased")
    func kills() async throws {
        let rounds = Repetitions.logKills
        var acknowledged = 0
        for round in 0..<rounds {
            let state = directory.path + "/log\(round / Self.roundsOfLog)"
            let writer = try LedgerWriterProcess(state, "storm", "erases=\(round % 2)")
            var lines: [String] = []
            // Some are killed while they open.
            for _ in 0..<Int.random(in: 0..<90) { lines.append(try #require(writer.nextLine())) }
            writer.kill()
            // Lines that are still in the pipe were acknowledged, too.
            let report = StormReport(lines + writer.remainingLines())
            #expect(writer.process.terminationReason == .uncaughtSignal)
            acknowledged += report.count
            try await report.check(state, "round \(round)")
        }
        print("kills: \(rounds); acknowledged: \(acknowledged)")
        #expect(acknowledged > rounds)
    }

    /// Data that a process had written, and not synced, when it was killed.
    enum Unsynced: CaseIterable {
        /// A record in the write-ahead log.
        case record
        /// The records of the write-ahead log in the database.
        case checkpoint
    }

    @Test(
        "when the power goes after a kill, before any unsynced data is on the disk, no record is lost",
        arguments: Unsynced.allCases)
    func cutAfterKill(_ unsynced: Unsynced) async throws {
        let (running, durable, left) = (
            directory.path + "/running", directory.path + "/durable", directory.path + "/left"
        )
        let storage = try SQLiteStorage(directory: running)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: CheckpointFiles(directory: running))
        func append(_ mark: String) async throws -> UInt64 {
            try await log.recordFailure(in: mark, reason: String(repeating: "r", count: 500))
        }
        var acknowledged: [String] = []
        for number in 0..<20 { acknowledged.append("record \(try await append("kept-\(number)")) kept-\(number)") }
        try FileManager.default.copyItem(atPath: running, toPath: durable)
        unlink(durable + "/consent.sqlite-shm")
        switch unsynced {
        case .record: _ = try await append("not acknowledged")
        case .checkpoint:
            try await storage.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        }
        try FileManager.default.copyItem(atPath: running, toPath: left)
        try storage.close()

        var (call, isOpen) = (0, false)
        while !isOpen {
            let (state, survivors) = (directory.path + "/state\(call)", directory.path + "/survivors\(call)")
            try FileManager.default.copyItem(atPath: left, toPath: state)
            try FileManager.default.copyItem(atPath: durable, toPath: survivors)
            let writer = try LedgerWriterProcess(
                state, "storm", "cut=\(call)", "seed=0", "survivors=\(survivors)", "erases=0")
            let report = StormReport(acknowledged + writer.remainingLines())
            #expect(writer.process.terminationStatus == 9)
            try await report.check(survivors, "cut at call \(call)")
            (call, isOpen) = (call + 1, report.wasOpen)
        }
        #expect(call > 10)
    }
}
