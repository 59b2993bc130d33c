import ArgumentParser

struct ControlEndCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End it; what was said until now is still written.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.end, session: control.session)
    }
}
