import ArgumentParser
import Authorization
import Foundation
import SocketAPI
import VoiceGateClient

/// What a running command works with.
struct CommandContext: Sendable {
    /// The command's own identifier as a client.
    static let ownClient = "io.voicegate.cli"

    let output: Output
    /// Whether there is a person at a terminal who may be asked.
    let isInteractive: Bool
    let socketPath: String

    init(_ options: GlobalOptions) {
        // A reader that goes away must be an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        output = Output(isQuiet: options.quiet, isJSON: options.json)
        isInteractive = !options.noInput && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        socketPath = options.socket ?? ServicePaths().socket
    }

    /// A client of a service that may not run.
    var clientOfRunningService: VoiceGateClient { VoiceGateClient(socketPath: socketPath) }

    /// A client of a service that runs; starts one where there is none.
    func client() async throws -> VoiceGateClient {
        let client = VoiceGateClient(socketPath: socketPath)
        do {
            _ = try await client.health()
        } catch let error as ClientError where error.code == .notRunning {
            guard ProcessInfo.processInfo.environment["VOICEGATE_NO_START"] == nil else { throw error }
            guard socketPath != ServicePaths.systemSocket else {
                throw CommandError(
                    .cannotStart, .unavailable,
                    "The machine's own VoiceGate service does not run. Ask its administrator for: systemctl start "
                        + "voicegate.socket. To see why: systemctl status voicegate.service")
            }
            output.note(Language.ofPerson.commandWording.startingService)
            try await ServiceStarter(socketPath: socketPath, paths: ServicePaths()).start {
                (try? await client.health()) != nil
            }
            _ = try await client.health()
        }
        return client
    }

    /// Asks for permission, at this terminal where a person sits.
    func conversation(with client: VoiceGateClient) -> PromptConversation {
        PromptConversation(client: client, output: output, ask: isInteractive ? TerminalQuestion().ask : nil)
    }

    /// Runs a command that needs no service, and makes its errors messages and exit codes.
    static func running(quiet: Bool, json: Bool, _ body: (Output) async throws -> Void) async throws {
        signal(SIGPIPE, SIG_IGN)
        let output = Output(isQuiet: quiet, isJSON: json)
        do {
            try await body(output)
        } catch {
            throw ExitCode(report(error, output).rawValue)
        }
    }

    /// Says why the command failed.
    func report(_ error: any Error) -> ExitStatus { Self.report(error, output) }

    private static func report(_ error: any Error, _ output: Output) -> ExitStatus {
        output.clearLive()
        switch error {
        case is OutputClosed: return .success
        case let error as CommandError where error.isReported: return error.status
        default: break
        }
        let reply = ErrorReply(reporting: error)
        output.problem(reply)
        return ExitStatus(error)
    }
}

/// A command that talks to the service. Its errors become messages and exit codes here, once for all commands.
protocol ServiceCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    func run(_ context: CommandContext) async throws
}

extension ServiceCommand {
    func run() async throws {
        let context = CommandContext(options)
        do {
            try await run(context)
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ExitCode(context.report(error).rawValue)
        }
    }
}

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The service's socket. (default: $VOICEGATE_SOCKET, else the machine's own service at "
                + "/run/voicegate/voicegate.sock, else $XDG_RUNTIME_DIR/voicegate/voicegate.sock)", valueName: "path"))
    var socket: String?

    @Flag(help: "Print JSON, one object a line, also for errors.")
    var json = false

    @Flag(help: "Print nothing but results and errors.")
    var quiet = false

    @Flag(help: "Never ask anything at this terminal.")
    var noInput = false
}

/// A question that only a person at the terminal can answer with yes.
enum Confirmation {
    /// - Returns: whether they typed `y` or `yes`; anything else, and the end of the input, is a no.
    static func isGiven(_ question: String, _ output: Output) async throws -> Bool {
        output.ask(question + " [y/N] ")
        let answer = try await Blocking.run { readLine() }
        return ["y", "yes"].contains(answer?.lowercased() ?? "")
    }
}
