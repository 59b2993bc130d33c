import ArgumentParser
import Authorization
import Foundation
import SocketAPI

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

struct ModelsVerifyCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Look at each file of a model.",
        discussion: "Exit code 65 when it is damaged, unknown or absent.")

    @Argument(help: "A folder, or the name of a model. Default: the one in use.")
    var folder: String?

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().verifyModel(folder.map(ModelText.path))
        if context.output.isJSON {
            try context.output.json(reply)
        } else {
            for line in ModelText.lines(reply) { try context.output.line(line) }
        }
        if reply.state != .verified { throw CommandError.alreadyTold(.badData) }
    }
}

struct ModelsAddCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Take a copy of a model that you trust, and remember what its files are.",
        discussion: """
            The folder has an acoustic model (a folder with mdef, means, variances …), a language model *.lm.bin and a \
            dictionary *.dict. It is tried in a recogniser of its own before it is taken.
            """)

    @Argument(help: "The model's folder.")
    var folder: String

    @Option(help: ArgumentHelp("Its name from now on. Default: that of the folder.", valueName: "name"))
    var id: String?

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let path = folder.contains("/") ? ModelText.path(folder) : ModelText.path("./" + folder)
        let reply = try await context.client().addModel(path, id: id)
        if context.output.isJSON { return try context.output.json(reply) }
        for line in ModelText.lines(reply) { try context.output.line(line) }
        context.output.note("To use it write  model: \(reply.id ?? "")  into config.yaml, and start the service again.")
    }
}

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

/// A model as a person reads it.
enum ModelText {
    /// Its name, state and use, and below what it is and what is wrong with it.
    static func lines(_ model: ModelReply) -> [String] {
        var parts = [model.id ?? "–", state(model)]
        if model.isUsed { parts.append("in use") }
        if let language = model.language { parts.append(language) }
        if let licence = model.licence { parts.append(licence) }
        if let folder = model.folder { parts.append(folder) }
        let details = [model.name.map { name in name + (model.description.map { ". " + $0 } ?? "") }, model.source]
        return [parts.map(cleaned).joined(separator: "  ")]
            + (details.compactMap { $0 } + model.faults).map { "    " + cleaned($0) }
    }

    /// The whole path of a folder that the person named; names of models stay as they are.
    static func path(_ folder: String) -> String {
        guard folder.contains("/") || folder == "." || folder == ".." else { return folder }
        return URL(fileURLWithPath: folder).standardizedFileURL.path
    }

    private static func state(_ model: ModelReply) -> String {
        switch model.state {
        case .verified: "verified"
        case .damaged: "damaged, not used"
        case .unknown: "unknown, not used (voicegate models add)"
        case .absent: model.package.map { "not installed (apt-get install \($0))" } ?? "not installed"
        }
    }

    private static func cleaned(_ text: String) -> String { DisplayText.cleaned(text, limit: 1_000) }
}
