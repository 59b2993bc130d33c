import ArgumentParser

struct ControlResumeCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on listening.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.resume, session: control.session)
    }
}
