import ArgumentParser
import Authorization

struct ResetCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forget what you decided, so that you are asked again.",
        discussion: """
            What VoiceGate kept with the permission is erased. The consent log keeps that it was decided, and that it was \
            reset.
            """)

    @Argument(help: "speechRecognition or microphone. (default: both)")
    var resource: Resource?

    @Option(
        help: ArgumentHelp(
            "The program's bundle identifier. (default: \(CommandContext.ownClient), this command)", valueName: "id"))
    var client: String?

    @Flag(help: "For every program.")
    var all = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if all, client != nil { throw ValidationError("Give --client or --all, not both.") }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        let target = all ? nil : client ?? CommandContext.ownClient
        try await service.reset(client: target, resource: resource)
        context.output.note(Language.ofPerson.commandWording.reset(target, resource))
    }
}
