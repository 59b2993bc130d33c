import Foundation
import Testing

@Suite("Alert rules of Prometheus")
struct AlertRuleTests {
    private static let promtool = "/usr/bin/promtool"

    @Test(
        "The rules alert for what their examples say, and for nothing else",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: promtool), "promtool is not installed: Scripts/setup test"
        ))
    func examples() async throws {
        let folder = Command.checkout + "/Packaging/fleet"
        let check = try await Command.run([Self.promtool, "check", "rules", folder + "/alerts.yml"])
        #expect(check.status == 0, "\(check)")
        let test = try await Command.run([Self.promtool, "test", "rules", folder + "/alerts.test.yml"])
        #expect(test.status == 0, "\(test)")
    }

    /// Kinds of alarms are the database's: a rule about another kind would never alert.
    @Test("Each alarm kind has a rule")
    func kinds() throws {
        let rules = try String(contentsOfFile: Command.checkout + "/Packaging/fleet/alerts.yml", encoding: .utf8)
        let schema = try String(
            contentsOfFile: Command.checkout + "/Fleet/Sources/FleetDatabase/Migrations/0001-records.sql",
            encoding: .utf8)
        let list = try #require(schema.firstMatch(of: /kind IN\s*\(([^)]*)\)/)?.1)
        let kinds = list.matches(of: /'(\w+)'/).map { String($0.1) }
        #expect(kinds.count >= 6)
        for kind in kinds { #expect(rules.contains(kind), "\(kind)") }
    }
}
