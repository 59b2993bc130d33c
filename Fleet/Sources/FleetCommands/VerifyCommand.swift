import ArgumentParser
import Consent
import Foundation

struct VerifyCommand: FleetQuestion {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Recompute the machines' logs from the database, and name the first record that is wrong.",
        discussion: """
            Of each machine: the leaf of each row and its fields, the root of all leaves, the checkpoint that the machine \
            signed, the cosignature of the collector, and the tombstones of what retention dropped. The database's own keys \
            show only that it is consistent: keep the keys elsewhere, and supply them.
            """)

    @OptionGroup var selection: HostSelection

    @Option(
        help: .init(
            "Verifier keys of machines that you kept elsewhere, one per line; by the name in it, a key counts for its machine.",
            valueName: "file"))
    var key: String?

    @Option(help: .init("The collector's verifier key that you kept elsewhere, or a file with keys.", valueName: "key"))
    var collectorKey: String?

    @Option(
        help: .init("Checkpoints kept elsewhere, of any of the machines. Can be repeated.", valueName: "file"))
    var checkpoint: [String] = []

    @OptionGroup var options: FleetOptions

    func run(_ context: FleetContext) async throws {
        var trust = AuditorTrust()
        if let key { trust.keys = try TrustInput.keys(key) }
        if let collectorKey { trust.collectorKeys = try TrustInput.keys(collectorKey) }
        for file in checkpoint { trust.held += try TrustInput.notes(file) }
        let reader = try await context.reader()
        let check = HostCheck(reader: reader, trust: trust)
        let hosts = try await reader.hosts(selection.filter)
        var (wrong, contradictions) = (0, 0)
        var trustsOwnKeys = false
        for host in hosts {
            let verdict = try await check.verdict(of: host)
            try context.result(verdict, verdict.lines)
            if verdict.problem != nil { wrong += 1 }
            if verdict.contradicts { contradictions += 1 }
            trustsOwnKeys = trustsOwnKeys || verdict.trustsOwnKeys
        }
        if !options.json {
            try context.line("\(hosts.count - wrong) of \(hosts.count) machines verify.")
        }
        if trustsOwnKeys {
            context.note("The keys are the database's own. Supply those that you kept elsewhere with --key.")
        }
        if wrong > 0 { throw ExitCode(contradictions > 0 ? 76 : 65) }
    }
}
