import Authorization
import Consent
import FaultyDisk
import Foundation
import Storage

/// Appends from six tasks at a time, signs and, unless `erases=0`, erases, until its end comes from outside. Once something is
/// durable it says so: `record INDEX MARK`, `signed`, `erased MARK`.
struct Storm {
    let directory: String
    let options: Options

    func run() async throws {
        if let number = options.number("cut"), let survivors = options["survivors"] {
            faulty_disk_cut(number, UInt64(options.number("seed") ?? 0), survivors)
        }
        let log = try await ConsentLog.open(storage: SQLiteStorage(directory: directory))
        try await log.beginSigning(with: CheckpointFiles(directory: directory))
        LedgerWriter.say("open")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<6 { group.addTask { try await append(to: log, as: writer) } }
            group.addTask { try await sign(log) }
            if options.number("erases") != 0 { group.addTask { try await erase(in: log) } }
            try await group.waitForAll()
        }
    }

    private func append(to log: ConsentLog, as writer: Int) async throws {
        for turn in 0... {
            let mark = "kept-\(UUID().uuidString)"
            let index = try await log.record(
                SampleEvents.event(mark), changing: SampleEvents.change(turn, of: "writer\(writer)."))
            LedgerWriter.say("record \(index) \(mark)")
        }
    }

    private func sign(_ log: ConsentLog) async throws {
        while true {
            _ = try await log.signedCheckpoint()
            LedgerWriter.say("signed")
        }
    }

    private func erase(in log: ConsentLog) async throws {
        for turn in 0... {
            let mark = "erased-\(UUID().uuidString)"
            try await log.record(SampleEvents.event(mark, of: "forgotten\(turn)"), changing: nil)
            _ = try await log.erase(RightsScope(client: SampleEvents.client("forgotten\(turn)")))
            LedgerWriter.say("erased \(mark)")
        }
    }
}
