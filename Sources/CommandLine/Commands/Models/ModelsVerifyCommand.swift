import ArgumentParser
import Foundation

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
