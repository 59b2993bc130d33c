import ArgumentParser
import Authorization
import Foundation
import SocketAPI

struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List, verify, add and remove speech models.",
        discussion: """
            A model is loaded only if each of its files is as the catalogue lists it, or as it was when you added it.
            To choose a model, write into config.yaml:  model: en-us
            """,
        subcommands: [
            ModelsListCommand.self, ModelsVerifyCommand.self, ModelsAddCommand.self, ModelsRemoveCommand.self,
        ], defaultSubcommand: ModelsListCommand.self)

    /// Name, state and use; below them the description and the faults.
    static func lines(_ model: ModelReply) -> [String] {
        let parts = [
            model.id ?? "–", state(model), model.isUsed ? "in use" : nil, model.language, model.licence, model.folder,
        ]
        let details = [model.name.map { name in name + (model.description.map { ". " + $0 } ?? "") }, model.source]
        return [parts.compactMap { $0.map(cleaned) }.joined(separator: "  ")]
            + (details.compactMap { $0 } + model.faults).map { "    " + cleaned($0) }
    }

    /// The absolute path of a folder; names of models are unchanged.
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

struct ModelsListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models of the catalogue and those that you added.")

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func newPager() -> Pager? { paging.pager(options) }

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().models()
        try context.output.result(reply, reply.models.flatMap(ModelsCommand.lines))
    }
}

struct ModelsVerifyCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify each file of a model.",
        discussion: "The exit code is 65 if the model is damaged, unknown or absent.")

    @Argument(help: "A folder or the name of a model. (default: the model in use)")
    var folder: String?

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().verifyModel(folder.map(ModelsCommand.path))
        try context.output.result(
            reply, ModelsCommand.lines(reply), ending: reply.state == .verified ? .success : .badData)
    }
}

struct ModelsAddCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Copy a model that you trust, and remember its files.",
        discussion: """
            The folder contains an acoustic model (a folder with mdef, means, variances …), a language model *.lm.bin and \
            a dictionary *.dict. VoiceGate tries the model in a separate recogniser before it copies it.
            """)

    @Argument(help: "The model's folder.")
    var folder: String

    @Option(help: .init("The model's name. (default: the folder's name)", valueName: "name"))
    var id: String?

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let path = ModelsCommand.path(folder.contains("/") ? folder : "./" + folder)
        let reply = try await context.client().addModel(path, id: id)
        if context.output.isJSON { return try context.output.json(reply) }
        try context.output.lines(ModelsCommand.lines(reply))
        context.output.note(
            "To use it, write  model: \(reply.id ?? "")  into config.yaml and run:  voicegate service restart")
    }
}

struct ModelsRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a model that you added.")

    @Argument(help: "The model's name.")
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.client().removeModel(id)
        context.output.note("The model \(id) was removed.")
    }
}
