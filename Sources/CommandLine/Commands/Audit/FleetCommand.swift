import ArgumentParser
import Foundation
import LinuxSystem

/// Becomes `voicegate-fleet`, as git(1) becomes its commands: the questions about many machines are a package of their own.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Ask about the consent logs of many machines, in a collector's database.",
        discussion: """
            Runs voicegate-fleet with the same arguments: hosts, status, records, verify, export, retain. It is in the \
            package voicegate-fleet.  To list its commands: voicegate fleet --help
            """)

    /// The program, beside this one or in `$PATH`.
    static let program = "voicegate-fleet"

    @Argument(parsing: .captureForPassthrough, help: "The command and its options.")
    var arguments: [String] = []

    func run() async throws {
        try await Output(isQuiet: false, isJSON: false).reportingErrors { throw try become() }
    }

    /// - Returns: only if it fails.
    private func become() throws -> CommandError {
        guard let path = Self.path() else {
            throw CommandError(
                .missingTool,
                "\(Self.program) is not installed. Install the package voicegate-fleet, or run this on a machine that has it."
            )
        }
        CStrings.with([Self.program] + arguments) { _ = execv(path, $0) }
        return .cannotStart(path, errno: errno)
    }

    private static func path() -> String? {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: program).path
        if let beside, access(beside, X_OK) == 0 { return beside }
        return ProgramEnvironment.find(program, in: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    }
}
