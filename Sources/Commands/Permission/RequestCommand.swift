import ArgumentParser
import Authorization

struct RequestCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask you now for what dictation needs, instead of at its first use.",
        discussion: "What you decided already is not asked again; voicegate settings changes it.")

    @Argument(help: "speechRecognition or microphone. (default: both)")
    var resources: [Resource] = []

    @Flag(help: "Ask for use in the background too; you are asked about that later, once.")
    var always = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let signals = SignalWatch()
        let (resources, always) = (resources, always)
        let reply = try await signals.cancelling {
            let client = try await context.client()
            let conversation = context.conversation(with: client)
            if resources.isEmpty { try await conversation.request(nil, always: always) }
            for resource in resources { try await conversation.request(resource, always: always) }
            return try await client.authorization()
        }
        if context.output.isJSON { return try context.output.json(reply) }
        for line in StatusText.lines(reply) { try context.output.line(line) }
    }
}
