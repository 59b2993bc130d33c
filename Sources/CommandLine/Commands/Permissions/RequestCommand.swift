import ArgumentParser
import Authorization

struct RequestCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask you now for what dictation needs, instead of at its first use.",
        discussion: "What you decided already is not asked again; voicegate settings changes it.")

    @Argument(help: "speechRecognition or microphone. (default: both)")
    var resources: [Resource] = []

    @Flag(help: "Also without you: you are asked for that once more, later, at a quiet moment.")
    var always = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let signals = SignalWatch()
        let resources = resources
        let scope: Scope? = always ? .always : nil
        let reply = try await signals.cancelling {
            let client = try await context.client()
            let conversation = context.conversation(with: client)
            if resources.isEmpty { try await conversation.request(nil, scope: scope) }
            for resource in resources { try await conversation.request(resource, scope: scope) }
            return try await client.authorization()
        }
        if context.output.isJSON { return try context.output.json(reply) }
        for line in StatusText.lines(reply) { try context.output.line(line) }
    }
}
