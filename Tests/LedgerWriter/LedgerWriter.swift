import Authorization
import Consent
import Foundation
import SQLiteStorage

/// Appends to a log and says what is done, for tests that kill it or let the disk fail.
///
/// `ledger-writer DIRECTORY COUNT [fail-sync=N] [file-size=BYTES]` writes a line for each record once it is durable:
/// its index and how often the disk was synced so far. After an error it writes `error CODE STORAGE-CODE`, tries one
/// more record, and ends with exit code 3.
@main
enum LedgerWriter {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let count = Int(arguments[2]) else { exit(64) }
        SyncFaults.install()
        do {
            let storage = try SQLiteStorage(directory: arguments[1])
            let log = try await ConsentLog.open(storage: storage)
            for argument in arguments.dropFirst(3) { inject(argument) }
            await append(count, to: log)
        } catch {
            say("error \(code(of: error))")
            exit(3)
        }
    }

    private static func append(_ count: Int, to log: ConsentLog) async {
        var failed = false
        for turn in 0..<count {
            do {
                let index = try await log.record(event(turn), changing: change(turn))
                say("\(index) \(SyncFaults.count)")
            } catch {
                say("error \(code(of: error))")
                if failed { exit(3) }
                failed = true
            }
        }
        if failed { exit(3) }
    }

    private static func inject(_ fault: String) {
        let parts = fault.split(separator: "=")
        guard parts.count == 2, let number = Int(parts[1]) else { exit(64) }
        switch parts[0] {
        case "fail-sync":
            SyncFaults.fail(after: number)
        case "file-size":
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: rlim_t(number))
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(71) }
        default:
            exit(64)
        }
    }

    private static func event(_ turn: Int) -> LedgerEvent {
        guard let client = ClientIdentifier(rawValue: "org.example.writer") else { exit(70) }
        return .recognizerFailed(session: "session \(turn)", client: client, reason: String(repeating: "r", count: 300))
    }

    /// Stores and removes in turn, so that a torn transaction leaves decisions that the records do not explain.
    private static func change(_ turn: Int) -> DecisionChange? {
        guard let client = ClientIdentifier(rawValue: "org.example.client\(turn / 3 % 5)") else { exit(70) }
        let key = DecisionKey(user: 1000, client: client, resource: .microphone)
        return switch turn % 3 {
        case 0:
            .store(
                Decision(
                    key: key, verdict: turn.isMultiple(of: 2) ? .authorized : .denied, program: nil, terms: nil,
                    indication: .settings, decidedAt: Date()))
        case 1: nil
        default: .remove(key)
        }
    }

    private static func code(of error: any Error) -> String {
        guard let error = error as? ConsentError else {
            return "none \((error as? StorageError)?.code.rawValue ?? "other")"
        }
        return "\(error.code.rawValue) \((error.underlying as? StorageError)?.code.rawValue ?? "none")"
    }

    private static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        guard write(1, bytes, bytes.count) == bytes.count else { exit(74) }
    }
}
