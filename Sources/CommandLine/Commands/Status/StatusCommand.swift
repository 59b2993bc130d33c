import ArgumentParser
import SocketAPI

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what VoiceGate may do, and what listens now or did a moment ago.",
        discussion: "With --json: an object with the authorization and the indicator.")

    @Flag(help: "Go on, and show each change.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "Go on, and print a line for a status bar whenever what listens changes: waybar or polybar.",
            valueName: "bar"))
    var bar: StatusBar.Kind?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if bar != nil, follow || options.json { throw ValidationError("--bar goes with neither --follow nor --json.") }
    }

    func run(_ context: CommandContext) async throws {
        if let bar {
            return try await StatusBar(kind: bar, client: context.clientOfRunningService, output: context.output).run()
        }
        let client = try await context.client()
        let output = context.output
        if follow { return try await StatusFollower(client: client, output: output).run() }
        let report = try await StatusReport(authorization: client.authorization(), indicator: client.indicator())
        if output.isJSON { return try output.json(report) }
        for line in StatusText.lines(report.authorization) + StatusText.lines(report.indicator) {
            try output.line(line)
        }
    }
}
