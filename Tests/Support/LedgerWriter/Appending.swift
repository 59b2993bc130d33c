import Consent
import FaultyDisk
import Foundation
import Storage

/// Appends one after the other, and writes a line for each record once it is durable: its index and how often the disk was
/// synced so far. After an error it writes `error CODE STORAGE-CODE`, tries one more record, and ends with exit code 3.
struct Appending {
    let directory: String
    let options: Options

    func run() async throws {
        guard let count = options.words.first.flatMap({ Int($0) }) else { exit(64) }
        let log = try await ConsentLog.open(storage: SQLiteStorage(directory: directory))
        if let number = options.number("fail-sync") { faulty_disk_fail_sync(number) }
        if let bytes = options.number("file-size") {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(71) }
        }
        var failed = false
        for turn in 0..<count {
            do {
                let index = try await log.record(
                    SampleEvents.event("session \(turn)"), changing: SampleEvents.change(turn))
                LedgerWriter.say("\(index) \(faulty_disk_syncs())")
            } catch {
                LedgerWriter.say("error \(LedgerWriter.code(of: error))")
                if failed { exit(3) }
                failed = true
            }
        }
        if failed { exit(3) }
    }
}
