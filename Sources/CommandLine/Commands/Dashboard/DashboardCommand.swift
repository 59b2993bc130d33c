import ArgumentParser
import Authorization
import Foundation
import LinuxSystem
import NIOCore

struct DashboardCommand: ServiceCommand {
    /// How long the page is served without a request.
    private static let idle = Duration.seconds(3600)

    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Show who listens now, the last week, permissions and what is kept, as a page in the browser.",
        discussion: """
            Serves the page on 127.0.0.1, to you alone, until Ctrl-C, or until no page was open for an hour. The address works \
            once, in one browser. On the page you can deny, mute, end sessions, erase and export; what permits more is \
            answered at a terminal. Documentation/Dashboard.md
            """)

    @Option(help: .init("The port. (default: any that is free)", valueName: "number"))
    var port: Int?

    @Flag(help: "Only print the address, and do not open a browser.")
    var noOpen = false

    @Option(help: .init("The language of the page: en, ja or ko. (default: your locale)", valueName: "code"))
    var language: Language?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (0...65_535).contains(port ?? 0) else { throw ValidationError("--port takes a number up to 65535.") }
    }

    func run(_ context: CommandContext) async throws {
        let signals = SignalWatch(removingEchoFrom: context.output)
        let language = language ?? .ofPerson
        let opensBrowser = !noOpen && !context.output.isJSON
        try await signals.cancelling {
            let source = ServiceDashboard(try await context.client(), language: language)
            // Shown at once, and what the page says of the log is then known.
            _ = try await source.content()
            let server = DashboardServer(source: source, language: language)
            do {
                try await server.run(port: port ?? 0, idle: Self.idle) { address in
                    try context.output.result(["url": address], [address])
                    context.output.note("The address works once, in one browser. Ctrl-C stops.")
                    if opensBrowser { Task { await Self.open(address) } }
                }
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                throw CommandError(.busy, "Port \(port ?? 0) is in use. Choose a different one, or leave out --port.")
            }
            try Task.checkCancellation()
            context.output.note("Stopped after an hour without use.")
        }
    }

    /// Opens the browser if there is a display. If that fails, the address is printed anyway.
    private static func open(_ address: String) async {
        let tools = DeliveryTools()
        guard tools.isWayland || tools.isX11, let opener = tools.path(of: "xdg-open") else { return }
        _ = try? await Tool(path: opener, environment: tools.environment).run([address], ToolCall(output: .discarded))
    }
}
