import ArgumentParser

struct ControlCancelCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "End it, and throw away what was not written yet.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.cancel, session: control.session)
    }
}
