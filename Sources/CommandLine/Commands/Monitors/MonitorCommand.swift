import ArgumentParser
import SocketAPI

struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Let a client be started, or you be told, when a sound begins or a phrase is said.",
        subcommands: [MonitorAddCommand.self, MonitorListCommand.self, MonitorRemoveCommand.self],
        defaultSubcommand: MonitorListCommand.self)
}

struct MonitorAddCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a monitor for a client.",
        discussion: """
            Without --phrase it waits for a sound. Starting the client needs a yes for always: voicegate settings CLIENT \
            --allow microphone --scope always. To be told needs no more than a yes while in use.
            """)

    @Option(help: "The client's bundle identifier, such as org.example.Editor.")
    var client: String

    @Option(help: "Wait until this is said.")
    var phrase: String?

    @Flag(help: "Tell me, instead of starting the client.")
    var notify = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let monitor = try await context.client().registerMonitor(
            MonitorRequest(
                client: client, kind: phrase == nil ? "soundBegan" : "keyPhrase", phrase: phrase,
                action: notify ? .notify : .start))
        if context.output.isJSON { return try context.output.json(monitor) }
        try context.output.line(monitor.monitor)
    }
}

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

struct MonitorRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Take a monitor away.")

    @Argument(help: "As voicegate monitor list shows it.")
    var monitor: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.client().removeMonitor(monitor)
    }
}
