import ArgumentParser

struct ModelsRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the copy of a model that you added.")

    @Argument(help: "The model's name.")
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.client().removeModel(id)
        context.output.note("The model \(id) was removed.")
    }
}
