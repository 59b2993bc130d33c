import Consent
import FaultyDisk
import Foundation
import Storage

/// Appends to a log and says what is done, for tests that kill it, cut its power or let the disk fail.
///
/// - `ledger-writer DIRECTORY append COUNT [fail-sync=N] [file-size=BYTES]`: see `Appending`.
/// - `ledger-writer DIRECTORY storm [cut=N seed=S survivors=FOLDER] [erases=0]`: see `Storm`.
/// - `ledger-writer DIRECTORY grant fail-call=N fault=full|broken [from-then-on=1]`: see `Granting`.
@main
enum LedgerWriter {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count >= 3 else { exit(64) }
        let options = Options(words.dropFirst(3))
        faulty_disk_install()
        do {
            switch words[2] {
            case "append": try await Appending(directory: words[1], options: options).run()
            case "storm": try await Storm(directory: words[1], options: options).run()
            case "grant": try await Granting(directory: words[1], options: options).run()
            default: exit(64)
            }
        } catch {
            say("error \(code(of: error))")
            exit(3)
        }
    }

    static func code(of error: any Error) -> String {
        guard let error = error as? ConsentError else {
            return "none \((error as? StorageError)?.code.rawValue ?? "other")"
        }
        return "\(error.code.rawValue) \((error.underlying as? StorageError)?.code.rawValue ?? "none")"
    }

    /// A line in one write: lines before the end are complete.
    static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        guard write(1, bytes, bytes.count) == bytes.count else { exit(74) }
    }
}
