import ArgumentParser
import SocketAPI

struct MonitorListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the monitors, and what each does now.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().monitors()
        if context.output.isJSON { return try context.output.json(reply) }
        let rows = reply.monitors.map { monitor in
            [
                monitor.monitor, monitor.client, monitor.phrase.map { "“\($0)”" } ?? "a sound",
                monitor.action == .start ? "starts it" : "tells you", Self.state(monitor),
            ]
        }
        for line in TextTable.lines(rows) { try context.output.line(line) }
        if rows.isEmpty { context.output.note("There are no monitors. To register one: voicegate monitor add") }
    }

    private static func state(_ monitor: MonitorsReply.Monitor) -> String {
        switch monitor.state {
        case .listening: "listens"
        case .running: "its client runs"
        case .off: "off for now"
        case .paused: "paused (\(monitor.reason ?? "no permission"))"
        case .waiting:
            monitor.failures == 0
                ? "listens again soon"
                : "failed \(monitor.failures) times; next attempt "
                    + (monitor.nextAttempt.map { DayAndTime.text($0) } ?? "soon")
        }
    }
}
