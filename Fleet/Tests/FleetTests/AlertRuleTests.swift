import FleetModel
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

    @Test("Each kind of alarm has a rule, and a row in the page's table")
    func kinds() throws {
        let rules = try String(contentsOfFile: Command.checkout + "/Packaging/fleet/alerts.yml", encoding: .utf8)
        let page = try String(contentsOfFile: Command.checkout + "/Documentation/Fleet.md", encoding: .utf8)
        for kind in AlarmKind.allCases.map(\.rawValue) {
            #expect(try rules.contains(Regex(#"kind=~?"([a-zA-Z]+\|)*\#(kind)[|"]"#)), "\(kind)")
            #expect(page.contains("| `\(kind)` |"), "\(kind)")
        }
    }
}
