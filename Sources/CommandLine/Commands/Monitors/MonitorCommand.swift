import ArgumentParser
import CommandClient
import CommandText
import SocketAPI

struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor", abstract: "Start a client, or notify you, when a sound begins or a phrase is said.",
        subcommands: [
            MonitorAddCommand.self, MonitorListCommand.self, MonitorWatchCommand.self, MonitorRemoveCommand.self,
        ],
        defaultSubcommand: MonitorListCommand.self)
}

struct MonitorAddCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Register a monitor for a client.",
        discussion: """
            Without --phrase it waits for any sound. A client that runs and reads its events is notified; any other is started, \
            which requires permission for always: voicegate settings CLIENT --allow microphone --scope always. Allowed \
            while using, it is notified while it is in the foreground. For --notify, that permission is enough at any \
            time: the client gets nothing and learns nothing, and you decide whether to start it. Only you can register such a \
            monitor, at a terminal.

            A monitor that cannot work is refused: a phrase with unknown words, a launch command that cannot be run, a \
            microphone that is absent.
            """)

    @Option(
        help: .init("The client's bundle identifier, such as org.example.Editor.", valueName: "id"),
        completion: .clients, transform: ArgumentReader.client)
    var client: String

    @Option(help: "Wait for this phrase.")
    var phrase: String?

    @Flag(help: "Notify me instead of starting the client.")
    var notify = false

    @Flag(help: "For one time only.")
    var once = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let monitor = try await context.client().registerMonitor(
            MonitorRequest(
                client: client, kind: phrase == nil ? "soundBegan" : "keyPhrase", phrase: phrase,
                action: notify ? .notify : .start, repeats: once ? false : nil))
        try context.output.result(monitor, [monitor.monitor])
    }
}

struct MonitorListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the monitors and their states.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().monitors()
        let rows = reply.monitors.map { monitor in
            [
                monitor.monitor, monitor.client, monitor.phrase.map { "“\($0)”" } ?? "a sound",
                (monitor.action == .start ? "starts or notifies it" : "notifies you")
                    + (monitor.repeats ? "" : " once"),
                Self.state(monitor),
            ]
        }
        try context.output.result(
            reply, rows: rows, none: "There are no monitors. To register one: voicegate monitor add --client ID")
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
                    + (monitor.failure.map { ": \($0)" } ?? "")
        }
    }
}

struct MonitorWatchCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print the events of a client's monitors.",
        discussion: """
            For the program that runs it: while it runs, the program is notified and not started. Each event is a line of JSON, \
            and is acknowledged when it is printed.
            """)

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext, _ client: ServiceClient) async throws {
        for try await event in try await client.monitorEvents() {
            try context.output.line(try JSONCoding.text(of: event))
            if event.type == .triggered { try await client.acknowledge(event) }
        }
        throw ClientError.disconnected
    }
}

struct MonitorRemoveCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a monitor.")

    @Argument(help: "The monitor's identifier or its beginning, as voicegate monitor list shows it.")
    var monitor: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let all = try await service.monitors().monitors
        let one = try all.one(monitor, \.monitor, "monitor", list: "voicegate monitor list")
        try await service.removeMonitor(one.monitor)
    }
}
