import ArgumentParser
import Authorization
import CLinux
import Foundation
import LinuxSystem
import SocketAPI

struct RunCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a client, optionally without network access.",
        discussion: """
            Replaces itself with the command, after a check that the client's manifest describes it; running a program \
            here does not make it a client.
            With --no-network the command and its children have only a private loopback network, and no sockets of other \
            programs except VoiceGate's: /run, /tmp, /var/tmp and /dev/shm are private empty folders. Prompts and records \
            (voicegate audit records) then call its declaration of recipients “verified” instead of “declared”.
            Example:  voicegate run --client org.example.notes --no-network -- notes-by-voice
            """)

    @Option(
        help: .init("The client's bundle identifier.", valueName: "id"), completion: .clients,
        transform: ArgumentReader.client)
    var client: String

    @Flag(help: "Remove network access and the sockets of other programs.")
    var noNetwork = false

    @OptionGroup var options: GlobalOptions

    @Argument(parsing: .postTerminator, help: "The command, after --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("A command is required after --.") }
    }

    func run(_ context: CommandContext) async throws {
        // The socket must exist to be passed through.
        let service = try await context.client()
        let folder = try await service.diagnosis().clientsDirectory
        let program = try PlannedProgram(
            command, searchPath: ProcessInfo.processInfo.environment["PATH"],
            folder: FileManager.default.currentDirectoryPath)
        try ClientDirectory(userFolder: folder).catalog().check(program.caller, is: client, command: command[0])
        if noNetwork {
            // Until it is confined this process has the namespace in which the service knows programs.
            try await service.announceConfinement()
            try ConfinedLaunch.begin(program.path, arguments: command, socket: context.socketPath)
        } else {
            try ProgramReplacement.become(program.path, arguments: command)
        }
    }
}

extension ClientCatalog {
    /// Checks that the service will identify a command as a client.
    ///
    /// - Parameter caller: the future process.
    fileprivate func check(_ caller: Caller, is identifier: String, command: String) throws(CommandError) {
        guard let manifest = clients.first(where: { $0.manifest.identifier.rawValue == identifier })?.manifest else {
            let reason = ClientIdentifier(rawValue: identifier).flatMap { problem(of: $0) }
            throw CommandError(
                .notThisClient,
                "No manifest of \(identifier) is installed. "
                    + (reason ?? "To install one: voicegate manifest install FILE"))
        }
        let found = client(for: caller)
        if found.identifier == manifest.identifier { return }
        if let other = found.manifest?.identifier, manifest.matches(caller) {
            throw CommandError(
                .notThisClient,
                "\(command) is identified as \(other), whose manifest has priority. Remove one of the two manifests.")
        }
        throw CommandError(.notThisClient, manifest.mismatch(caller, command))
    }
}

extension Manifest {
    /// Why a command is not the client.
    fileprivate func mismatch(_ caller: Caller, _ command: String) -> String {
        let describes = "The manifest of \(identifier) describes"
        switch binding {
        case .executable where caller.evidence == .executable:
            return "\(describes) the program \(executablePath), but \(command) is \(caller.executable.path). "
                + "Run that program, or install a manifest for this one."
        case .executable:
            return "\(describes) the program \(executablePath), but \(command) runs in an interpreter. "
                + "Install a manifest with VoiceGateScript."
        case .script(let script):
            return "\(describes) the script \(script) of \(executablePath), but not \(command). "
                + "Run the script itself, or that interpreter with the script's path."
        case .flatpak(let name):
            return "\(describes) the Flatpak application \(name). Only Flatpak can start it: flatpak run \(name)"
        case .snap(let name): return "\(describes) the snap \(name). Only snapd can start it: snap run \(name)"
        case .unit(let unit, _):
            return "\(describes) the systemd service \(unit). Only systemd can start it: systemctl start"
        }
    }
}

/// Replaces this program with a different one without network access. Only a single-threaded process can create a user
/// namespace, so this program executes itself again with a reserved first argument.
public enum ConfinedLaunch {
    private static let word = "--confined-launch"

    /// Returns only with an error.
    static func begin(_ program: String, arguments: [String], socket: String) throws(CommandError) {
        try ProgramReplacement.become("/proc/self/exe", arguments: ["voicegate", word, socket, program] + arguments)
    }

    /// Continues `begin` in the new process; returns at once in every other process. Must be called before there is a
    /// second thread.
    public static func continueIfBegun() {
        let words = CommandLine.arguments
        guard words.count > 4, words[1] == word else { return }
        let (socket, program) = (words[2], words[3])
        do {
            try Confinement(socket: socket, runtimeFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
                .enter()
            guard access(program, X_OK) == 0 else {
                throw CommandError(.noInput, "\(program) is in a folder that --no-network hides. Move it elsewhere.")
            }
            try ProgramReplacement.become(program, arguments: Array(words[4...]))
        } catch {
            exit(Output(isQuiet: false, isJSON: false).report(error).rawValue)
        }
    }
}

/// Replaces this program with a different one in the same process, job and terminal.
enum ProgramReplacement {
    /// Returns only with an error. Closes all descriptors above the standard three.
    static func become(_ program: String, arguments: [String]) throws(CommandError) {
        // On exec, because threads of this program use them until then.
        for number in [vg_reset_signals(), vg_close_from_on_exec(3)] where number != 0 {
            throw CommandError.cannotStart(program, errno: number)
        }
        CStrings.with(arguments) { _ = execv(program, $0) }
        throw CommandError.cannotStart(program, errno: errno)
    }
}
