import ArgumentParser
import SocketAPI

struct MonitorAddCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a monitor for a client.",
        discussion: """
            Without --phrase it waits for a sound. Starting the client needs a yes for always: voicegate settings CLIENT \
            --allow microphone --scope always. To be told needs no more than a yes while in use.
            """)

    @Option(help: "The client's bundle identifier, such as org.example.Editor.")
    var client: String

    @Option(help: "Wait until this is said.")
    var phrase: String?

    @Flag(help: "Tell me, instead of starting the client.")
    var notify = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let monitor = try await context.client().registerMonitor(
            MonitorRequest(
                client: client, kind: phrase == nil ? "soundBegan" : "keyPhrase", phrase: phrase,
                action: notify ? .notify : .start))
        if context.output.isJSON { return try context.output.json(monitor) }
        try context.output.line(monitor.monitor)
    }
}
