import ArgumentParser
import CommandText
import Foundation

struct HostsCommand: FleetQuestion {
    static let configuration = CommandConfiguration(
        commandName: "hosts", abstract: "List the machines that you may see, and the state of their logs.",
        discussion: """
            suspect from: a stolen key may have signed the records from there on. It ends when a key that counts has signed \
            a checkpoint with them.
            """)

    @OptionGroup var selection: HostSelection
    @OptionGroup var options: FleetOptions

    func run(_ context: FleetContext) async throws {
        let hosts = try await context.reader().hosts(selection.filter)
        guard !options.json else { return try hosts.forEach { try context.result($0, []) } }
        let rows = hosts.map { host in
            [
                host.host, host.tenant, host.department,
                host.state + (host.suspectFrom.map { ", suspect from \($0)" } ?? ""), "\(host.records)",
                host.lastReportAt.map { DayAndTime.text(ofRecord: $0) } ?? "-", "\(host.id)",
            ]
        }
        let heading = ["HOST", "TENANT", "DEPARTMENT", "STATE", "RECORDS", "LAST REPORT", "NUMBER"]
        for line in TextTable.lines([heading] + rows) { try context.line(Cleaned.line(line)) }
    }
}

struct StatusCommand: FleetQuestion {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how many logs are in which state, and the open alarms.",
        discussion: """
            The exit code is 1 if an alarm is open, so that a timer or a monitoring system can ask.

            silent: no report. behind: the machine signed records that have not come. forked, rolledBack: it signed two \
            histories, or a shorter one. unknownKey: a key that no known key introduced. unfollowed: a session without \
            a grant. overQuota: it sent as much as it may on one day. clockWrong: its clock is off. The evidence is in \
            status --json
            """)

    @Flag(help: "Also alarms that have ended.")
    var past = false

    @OptionGroup var selection: HostSelection
    @OptionGroup var options: FleetOptions

    /// What `--json` prints first.
    private struct Summary: Encodable {
        let hosts: Int
        let states: [String: Int]
    }

    func run(_ context: FleetContext) async throws {
        let reader = try await context.reader()
        let hosts = try await reader.hosts(selection.filter)
        let alarms = try await reader.alarms(of: hosts, onlyOpen: !past)
        let states = hosts.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
        let counts = states.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        try context.result(
            Summary(hosts: hosts.count, states: states),
            ["\(hosts.count) machines: " + (counts.isEmpty ? "none" : counts.joined(separator: ", "))])
        for alarm in alarms {
            let end = alarm.until.map { " to " + DayAndTime.text(ofRecord: $0) } ?? ""
            try context.result(
                alarm, ["\(alarm.host)  \(alarm.kind)  since \(DayAndTime.text(ofRecord: alarm.since))\(end)"])
        }
        if alarms.contains(where: { $0.until == nil }) { throw ExitCode(1) }
    }
}
