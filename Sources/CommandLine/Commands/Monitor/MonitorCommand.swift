import ArgumentParser

struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Let a client be started, or you be told, when a sound begins or a phrase is said.",
        subcommands: [MonitorAddCommand.self, MonitorListCommand.self, MonitorRemoveCommand.self],
        defaultSubcommand: MonitorListCommand.self)
}
