import ArgumentParser
import SocketAPI

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what VoiceGate may do, and what listens now.",
        discussion: "With --json: an object with the authorization and the indicator.")

    @Flag(help: "Go on, and show each change of what it may do.")
    var follow = false

    @OptionGroup var options: GlobalOptions

    private struct Report: Encodable {
        let authorization: AuthorizationReply
        let indicator: IndicatorReply
    }

    func run(_ context: CommandContext) async throws {
        let client = try await context.client()
        let output = context.output
        guard follow else {
            let report = try await Report(authorization: client.authorization(), indicator: client.indicator())
            if output.isJSON { return try output.json(report) }
            for line in StatusText.lines(report.authorization) + StatusText.lines(report.indicator) {
                try output.line(line)
            }
            return
        }
        for try await reply in try await client.authorizationChanges() {
            if output.isJSON {
                try output.json(reply)
            } else {
                for line in StatusText.lines(reply) { try output.line(line) }
            }
        }
    }
}
