import ArgumentParser
import Foundation
import SocketAPI

/// `voicegate-sender`: passes this machine's consent log on to the collector of `config.yaml`.
public struct SenderCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "voicegate-sender",
        abstract: "Sends this machine's consent log to the collector that its service declares.",
        discussion: """
            The service decides what is sent, and names it to its users: collector in config.yaml. This program reads it \
            from the service's socket and passes it on. It opens no microphone and reads no file of the service.
            """,
        version: ServiceVersion.current,
        subcommands: [RunCommand.self, EnrollCommand.self, StatusCommand.self])

    public init() {}
}

/// Options of all subcommands.
struct SenderOptions: ParsableArguments {
    @Option(help: "The service's socket.")
    var socket = ServicePaths().socket

    @Option(
        help: ArgumentHelp(
            "The folder of credential.json. (default: /var/lib/voicegate-sender of its own user, else ~/.local/state/voicegate-sender)",
            valueName: "folder"))
    var stateDirectory: String?

    var credentialFile: CredentialFile {
        let system = "/var/lib/voicegate-sender"
        let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"] ?? NSHomeDirectory() + "/.local/state"
        var status = stat()
        let isSystems = stat(system, &status) == 0 && status.st_uid == getuid()
        return CredentialFile(folder: stateDirectory ?? (isSystems ? system : state + "/voicegate-sender"))
    }
}

extension AsyncParsableCommand {
    /// Prints the error and ends with its exit code.
    func reporting(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            let error = SenderError(error)
            FileHandle.standardError.write(Data("voicegate-sender: \(error.message)\n".utf8))
            throw ExitCode(error.code.exitCode)
        }
    }
}
