import Authorization
import Consent
import FaultyDisk
import Foundation
import Storage
import TestSupport

/// Asks for the microphone, answers yes, and lets the disk fail meanwhile; then again for another client, on a disk that
/// works. Says `first STATUS CODE`, `failed WHAT`, `second STATUS CODE`, where `-` stands for nothing, and what a record
/// comes to: `probe written`, or `probe CODE STORAGE-CODE`.
struct Granting {
    let directory: String
    let options: Options

    func run() async throws {
        let log = try await ConsentLog.open(storage: SQLiteStorage(directory: directory))
        let gate = try await Gate(ledger: log, agent: StandInAgent { _ in .whileInUse })
        if let number = options.number("fail-call") {
            faulty_disk_fail_call(
                number, options["fault"] == "full" ? faulty_disk_full : faulty_disk_broken,
                options["from-then-on"] == nil ? 0 : 1)
        }
        await ask("first", gate, "org.example.one")
        LedgerWriter.say("failed \(faulty_disk_failed().map { String(cString: $0) } ?? "-")")
        faulty_disk_recover()
        await ask("second", gate, "org.example.two")
        do {
            try await log.record(SampleEvents.event("probe"), changing: nil)
            LedgerWriter.say("probe written")
        } catch {
            LedgerWriter.say("probe \(LedgerWriter.code(of: error))")
        }
        // As if it were killed: nothing is closed in order.
        _exit(0)
    }

    private func ask(_ name: String, _ gate: Gate, _ client: String) async {
        let refusal = await gate.request(.microphone, for: Samples.requester(client))
        LedgerWriter.say("\(name) \(refusal.status.rawValue) \(refusal?.code.rawValue ?? "-")")
    }
}
