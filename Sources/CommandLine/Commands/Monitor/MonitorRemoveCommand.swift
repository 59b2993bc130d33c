import ArgumentParser

struct MonitorRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Take a monitor away.")

    @Argument(help: "As voicegate monitor list shows it.")
    var monitor: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.client().removeMonitor(monitor)
    }
}
