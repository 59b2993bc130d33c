import ArgumentParser

struct EngineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine",
        abstract: "Recognisers of other kinds.",
        discussion: "How to write one, and how it is configured: Documentation/Engines.md",
        subcommands: [EngineCheckCommand.self])
}
