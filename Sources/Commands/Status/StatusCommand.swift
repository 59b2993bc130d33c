import ArgumentParser
import SocketAPI

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what VoiceGate may do, and what listens now.",
        discussion: """
            With --json: an object with the authorization and the indicator; with --follow the lines of \
            GET /v1/authorization/changes.
            """)

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
        var last: AuthorizationReply?
        for try await event in try await client.authorizationChanges() {
            switch event {
            case .state(_, let reply, _): last = reply
            case .changed(_, let muted, let resources): last = last?.applying(muted: muted, resources)
            case .gap, .resumed: break
            }
            if output.isJSON {
                try output.json(event)
            } else if case .gap = event {
                output.note("This command was too slow, and some changes were lost. How it is now:")
            } else if let last {
                for line in StatusText.lines(last) { try output.line(line) }
            }
        }
    }
}
