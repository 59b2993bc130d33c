import ArgumentParser

struct ControlToggleCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "End the dictation that runs, or begin one where there is none.",
        discussion: "For one hot key. The options are for the one that is begun.")

    @OptionGroup var dictation: DictateOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let running = RunningDictation(client: context.clientOfRunningService)
        if let session = try await running.begun() {
            return try await running.control(.end, session: session.session)
        }
        guard try await ControlBeginCommand.begin(context, dictation) else {
            // Begun by another command in this very moment: the person struck the key twice.
            return try await running.control(.end, session: nil)
        }
    }
}
