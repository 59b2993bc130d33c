import ArgumentParser
import Authorization
import Foundation
import LinuxSystem
import SocketAPI

struct RunCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Start a client, and without a network where you want to be sure that nothing leaves.",
        discussion: """
            Becomes the command: its input and output, its exit status and Ctrl-C are its own. It is checked before that \
            the client's manifest speaks for this command; nobody becomes a client by being started here.
            With --no-network the command, and whatever it starts, has no network but a loopback of its own, and no socket \
            of other programs but VoiceGate's: /run, /tmp, /var/tmp and /dev/shm are empty folders of its own. What it says \
            and what is written down (voicegate audit records) is then “verified” and not only “declared”.
            Example:  voicegate run --client org.example.notes --no-network -- notes-by-voice
            """)

    @Option(help: ArgumentHelp("The client that the command is, by its bundle identifier.", valueName: "id"))
    var client: String

    @Flag(help: "Take the network away, and the sockets of other programs.")
    var noNetwork = false

    @OptionGroup var options: GlobalOptions

    @Argument(parsing: .postTerminator, help: "What to run, after --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("There is no command. Write it after --.") }
        guard ClientIdentifier(rawValue: client) != nil else {
            throw ValidationError("A client is named by its bundle identifier, such as org.example.notes.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let environment = ProcessInfo.processInfo.environment
        // Its socket must be there to be passed through.
        let service = try await context.client()
        let folder = try await service.diagnosis().clientsDirectory
        let program: PlannedProgram
        do {
            program = try PlannedProgram(
                command, searchPath: environment["PATH"], folder: FileManager.default.currentDirectoryPath)
        } catch {
            throw CommandError(.noInput, .noInput, error.message)
        }
        try ClientCheck(catalog: ClientDirectory(userFolder: folder).catalog())
            .check(program.caller, is: client, command: command[0])
        if noNetwork {
            try ConfinedLaunch(socket: context.socketPath, program: program.path, arguments: command).begin()
        } else {
            try ProgramReplacement.become(program.path, arguments: command)
        }
    }
}
