import ArgumentParser
import Authorization
import CommandClient
import Consent
import Foundation
import SocketAPI

/// Options of every command that uses the service.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: .init(
            "The service's socket. (default: $VOICEGATE_SOCKET, else the machine's service at "
                + "/run/voicegate/voicegate.sock, else $XDG_RUNTIME_DIR/voicegate/voicegate.sock)", valueName: "path"),
        completion: .file())
    var socket: String?

    @OptionGroup var outputOptions: OutputOptions

    @Flag(help: "Never ask questions in this terminal.")
    var noInput = false
}

/// Options of every command with results.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, one object per line, also for errors.")
    var json = false

    @Flag(help: "Print only results and errors.")
    var quiet = false

    var output: Output { output(pagedBy: nil) }

    func output(pagedBy pager: Pager?) -> Output { Output(isQuiet: quiet, isJSON: json, pager: pager) }
}

protocol ServiceCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    /// Shows the results if they are long; `nil`: they are printed.
    func newPager() -> Pager?

    func run(_ context: CommandContext) async throws
}

extension ServiceCommand {
    func newPager() -> Pager? { nil }

    func run() async throws {
        let context = CommandContext(options, pager: newPager())
        try await context.output.reportingErrors { try await run(context) }
    }
}

/// A command that needs a running service.
protocol ConnectedCommand: ServiceCommand {
    func run(_ context: CommandContext, _ service: ServiceClient) async throws
}

extension ConnectedCommand {
    func run(_ context: CommandContext) async throws { try await run(context, try await context.client()) }
}

/// A command whose results can be longer than the screen.
protocol PagedCommand: ServiceCommand {
    var paging: PagingOptions { get }
}

extension PagedCommand {
    func newPager() -> Pager? { paging.pager(options) }
}

struct CommandContext: Sendable {
    /// The client identifier of this program.
    static let ownClient = "io.voicegate.cli"

    let output: Output
    /// Whether the user's terminal is the standard input.
    let isAttended: Bool
    /// Whether the user can be asked there, too.
    var isInteractive: Bool { isAttended && isatty(STDERR_FILENO) == 1 }
    let socketPath: String

    init(_ options: GlobalOptions, pager: Pager? = nil) {
        output = options.outputOptions.output(pagedBy: pager)
        isAttended = !options.noInput && isatty(STDIN_FILENO) == 1
        socketPath = options.socket ?? ServicePaths().socket
    }

    /// A client that does not start the service.
    var clientOfRunningService: ServiceClient { ServiceClient(socketPath: socketPath) }

    /// A client of a running service; starts the service if necessary.
    func client() async throws -> ServiceClient {
        let client = clientOfRunningService
        do {
            _ = try await client.health()
        } catch let error as ClientError where error.code == .notRunning {
            guard ProcessInfo.processInfo.environment["VOICEGATE_NO_START"] == nil else { throw error }
            try require(
                socketPath != ServicePaths.systemSocket, .cannotStart,
                "The machine's VoiceGate service is not running. Ask the administrator to run voicegate service start; "
                    + "voicegate service status shows where the reason is.")
            try await startOwnService()
            _ = try await client.health()
        }
        return client
    }

    /// Returns when the service listens.
    func startOwnService(with arguments: LogStart.Options = []) async throws {
        output.note(Language.ofPerson.commandWording(.startingService))
        let starter = ServiceStarter(socketPath: socketPath, paths: ServicePaths(), arguments: arguments)
        try await starter.start {
            (try? await clientOfRunningService.health()) != nil
        }
    }

    /// Requests speech recognition, and the microphone if needed, unless they are decided.
    ///
    /// - Parameters:
    ///   - device: the microphone, if needed; `nil`: the service's own. The user is not asked about one that cannot be used.
    ///   - language: what is to be recognised.
    /// - Returns: the permissions before.
    func requestUndecided(
        from client: ServiceClient, withMicrophone: Bool, device: String? = nil, language: String? = nil
    ) async throws -> AuthorizationReply {
        let status = try await client.authorization()
        if withMicrophone, status.microphone == .notDetermined,
            [.notDetermined, .authorized].contains(status.speechRecognition),
            let problem = try await client.device(named: device).devices.first?.problem
        {
            throw ErrorReply(code: ErrorCode.deviceUnavailable.rawValue, message: problem)
        }
        if status.speechRecognition == .notDetermined || withMicrophone && status.microphone == .notDetermined {
            try await conversation(with: client).request(withMicrophone ? nil : .speechRecognition, language: language)
        }
        return status
    }

    /// Requests permissions, and shows the prompts in this terminal if it is interactive.
    func conversation(with client: ServiceClient) -> PromptConversation {
        PromptConversation(client: client, output: output, ask: isInteractive ? PromptDesk.askInTerminal : nil)
    }
}
