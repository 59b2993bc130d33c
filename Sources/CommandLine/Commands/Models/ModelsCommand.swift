import ArgumentParser

struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "The recogniser's models: which there are, and whether they are whole.",
        discussion: """
            A model is loaded only when each of its files is as the catalogue says, or as it was when you added it.
            Which one is used stands in config.yaml:  model: en-us
            """,
        subcommands: [
            ModelsListCommand.self, ModelsVerifyCommand.self, ModelsAddCommand.self, ModelsRemoveCommand.self,
        ], defaultSubcommand: ModelsListCommand.self)
}
