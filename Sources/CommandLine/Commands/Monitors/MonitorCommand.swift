import ArgumentParser
import SocketAPI

struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Start a client, or notify you, when a sound begins or a phrase is said.",
        subcommands: [MonitorAddCommand.self, MonitorListCommand.self, MonitorRemoveCommand.self],
        defaultSubcommand: MonitorListCommand.self)
}

struct MonitorAddCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a monitor for a client.",
        discussion: """
            Without --phrase it waits for any sound. To start the client, permission for always is required: voicegate \
            settings CLIENT --allow microphone --scope always. For --notify, permission while in use is enough.
            """)

    @Option(help: "The client's bundle identifier, such as org.example.Editor.")
    var client: String

    @Option(help: "Wait for this phrase.")
    var phrase: String?

    @Flag(help: "Notify me instead of starting the client.")
    var notify = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let monitor = try await context.client().registerMonitor(
            MonitorRequest(
                client: client, kind: phrase == nil ? "soundBegan" : "keyPhrase", phrase: phrase,
                action: notify ? .notify : .start))
        try context.output.result(monitor, [monitor.monitor])
    }
}

struct MonitorListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the monitors and their states.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().monitors()
        if context.output.isJSON { return try context.output.json(reply) }
        let rows = reply.monitors.map { monitor in
            [
                monitor.monitor, monitor.client, monitor.phrase.map { "“\($0)”" } ?? "a sound",
                monitor.action == .start ? "starts it" : "notifies you", Self.state(monitor),
            ]
        }
        try context.output.lines(TextTable.lines(rows))
        if rows.isEmpty { context.output.note("There are no monitors. To register one: voicegate monitor add") }
    }

    private static func state(_ monitor: MonitorsReply.Monitor) -> String {
        switch monitor.state {
        case .listening: "listening"
        case .running: "its client is running"
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

struct MonitorRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a monitor.")

    @Argument(help: "The monitor's identifier, as voicegate monitor list shows it.")
    var monitor: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.client().removeMonitor(monitor)
    }
}
