import ArgumentParser

struct ModelsListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models of the catalogue and those that you added.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().models()
        if context.output.isJSON { return try context.output.json(reply) }
        for model in reply.models {
            for line in ModelText.lines(model) { try context.output.line(line) }
        }
    }
}
