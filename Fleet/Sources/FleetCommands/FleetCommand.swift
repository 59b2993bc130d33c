import ArgumentParser
import SocketAPI

public struct FleetCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "voicegate-fleet",
        abstract: "Ask about the consent logs of many machines, in a collector's database.",
        discussion: """
            Reads PostgreSQL with your own role; the database decides what you may see.

            Text and JSON go to standard output, everything else to standard error.
            Exit codes: 0 success, 1 status found an open alarm, 64 wrong usage, 65 failed verification, 66 no such \
            machine, 69 the database is unavailable, 70 internal error, 74 output cannot be written, 76 a checkpoint that \
            you supplied contradicts the database, 77 no permission, 78 wrong configuration, 130 interrupted.
            """,
        version: ServiceVersion.current,
        subcommands: [
            HostsCommand.self, StatusCommand.self, RecordsCommand.self, VerifyCommand.self, ExportCommand.self,
            RetainCommand.self,
        ])

    public static let _errorLabel = "voicegate-fleet"

    public init() {}
}
