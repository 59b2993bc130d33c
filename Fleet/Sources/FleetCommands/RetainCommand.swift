import ArgumentParser
import Consent
import FleetDatabase
import FleetModel
import Foundation

struct RetainCommand: FleetQuestion {
    static let configuration = CommandConfiguration(
        commandName: "retain",
        abstract: "Drop the records of whole months before a day, and leave a signed tombstone for each machine.",
        discussion: """
            Verifies every machine first, and drops nothing if one does not verify, unless you name it with --unverified: a \
            machine can send a log that never verifies. Needs the role that owns the schema, \
            which the collector uses. The leaf hashes stay: they name nobody, and the remaining records still yield the root \
            that the machine signed. Machines keep their own logs.
            """)

    @Option(
        help: .init("Records of months that ended before this time.", valueName: "time"), transform: RecordOptions.time)
    var before: Date

    @Option(help: .init("The collector's key file, with which the tombstones are signed.", valueName: "file"))
    var key: String

    @Option(
        help: .init(
            "A machine's number: drop its records although it does not verify. Can be repeated.", valueName: "number"))
    var unverified: [Int64] = []

    @Flag(help: "Show what would be dropped.")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation. Without a terminal there is no question.")
    var yes = false

    @OptionGroup var options: FleetOptions

    /// What `--json` prints.
    private struct Summary: Encodable {
        let before: String
        let partitions: [String]
        let records: UInt64
        let hosts: Int
        let isDropped: Bool
    }

    func run(_ context: FleetContext) async throws {
        let signers = try TrustInput.signers(key)
        let reader = try await context.reader()
        let retention = Retention(connection: reader.connection)
        let end = try await retention.month(of: Timestamp(before))
        let partitions = try await retention.partitions(before: end)
        let hasRecords = if partitions.isEmpty { try await retention.hasOthers(before: end) } else { true }
        let nothing = Summary(before: end.text, partitions: [], records: 0, hosts: 0, isDropped: false)
        let noRecords = "No whole month before that has records."
        guard hasRecords else { return try context.result(nothing, [noRecords]) }
        let keys = try await reader.collectorKeys().map(\.signingKey)
        guard let signer = signers.last(where: { keys.contains($0.verifier) }) else {
            throw FleetFailure(
                code: "badConfiguration", message: "\(key) is not the key of a collector of this database.", status: 78)
        }
        let hosts = try await reader.hosts()
        for host in hosts where !unverified.contains(host.id) {
            let verdict = try await HostCheck(reader: reader, trust: AuditorTrust()).verdict(of: host)
            if let problem = verdict.problem {
                throw FleetFailure.badData(
                    "\(host.host) does not verify, so nothing was dropped. \(problem.message) If it is the machine that is wrong: "
                        + "--unverified \(host.id)")
            }
        }
        let plan = try await retention.plan(partitions, before: end, of: hosts, collectorKeys: keys)
        // The leaves that an earlier retention has kept.
        guard plan.records > 0 || !partitions.isEmpty else { return try context.result(nothing, [noRecords]) }
        let text =
            "\(plan.records) records of \(plan.hosts) machines before \(end.text): "
            + (partitions + ["those without a partition"]).joined(separator: ", ")
        func report(_ words: String, isDropped: Bool) throws {
            try context.result(
                Summary(
                    before: end.text, partitions: partitions, records: plan.records, hosts: plan.hosts,
                    isDropped: isDropped),
                [words + text])
        }
        if dryRun { return try report("To be dropped: ", isDropped: false) }
        if !yes, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
            context.note("To be dropped: " + text)
            context.note("Drop them permanently? [y/N]")
            guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
                return context.note("Nothing was dropped.")
            }
        }
        try await retention.drop(plan, of: hosts, signer)
        try report("Dropped: ", isDropped: true)
    }
}
