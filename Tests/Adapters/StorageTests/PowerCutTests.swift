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

    @Test("when the power goes at any moment, no acknowledged record is lost, and what was erased stays erased")
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
                "survivors=\(survivors)")
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

    @Test("killed at any moment, no acknowledged record is lost, and what was erased stays erased")
    func kills() async throws {
        let rounds = Repetitions.logKills
        var acknowledged = 0
        for round in 0..<rounds {
            let state = directory.path + "/log\(round / Self.roundsOfLog)"
            let writer = try LedgerWriterProcess(state, "storm")
            var lines: [String] = []
            // Some are killed while they open.
            for _ in 0..<Int.random(in: 0..<60) { lines.append(try #require(writer.nextLine())) }
            writer.kill()
            // What the pipe still holds was acknowledged, too.
            let report = StormReport(lines + writer.remainingLines())
            #expect(writer.process.terminationReason == .uncaughtSignal)
            acknowledged += report.count
            try await report.check(state, "round \(round)")
        }
        print("kills: \(rounds); acknowledged: \(acknowledged)")
        #expect(acknowledged > rounds)
    }
}
