import ArgumentParser

struct ControlSuspendCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Listen no more until it is resumed; the device stays open, its sound is dropped.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.suspend, session: control.session)
    }
}
