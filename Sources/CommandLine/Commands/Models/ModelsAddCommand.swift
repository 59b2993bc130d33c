import ArgumentParser

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
