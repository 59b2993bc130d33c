import ArgumentParser
import Authorization
import CLinux
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

/// Whether a command will be taken for a client once it runs, and if not, why.
struct ClientCheck {
    let catalog: ClientCatalog

    /// - Parameters:
    ///   - caller: what the command will be.
    ///   - identifier: what it is to be taken for.
    ///   - command: for the message.
    func check(_ caller: Caller, is identifier: String, command: String) throws(CommandError) {
        guard let manifest = catalog.clients.first(where: { $0.manifest.identifier.rawValue == identifier })?.manifest
        else {
            throw Self.wrong(
                "No manifest of \(identifier) is installed, so nothing says what it is. "
                    + "Install it with: voicegate manifest install FILE")
        }
        let found = catalog.client(for: caller)
        if found.identifier == manifest.identifier { return }
        if let other = found.manifest?.identifier, manifest.speaks(for: caller) {
            throw Self.wrong(
                "\(command) is taken for \(other), whose manifest comes first. Remove one of the two manifests.")
        }
        throw Self.wrong(reason(manifest, caller, command))
    }

    private func reason(_ manifest: Manifest, _ caller: Caller, _ command: String) -> String {
        let speaks = "The manifest of \(manifest.identifier) speaks for"
        switch manifest.binding {
        case .executable where caller.evidence == .executable:
            return "\(speaks) the program \(manifest.executablePath), and \(command) is \(caller.executable.path). "
                + "Run that program, or install a manifest of this one."
        case .executable:
            return "\(speaks) the program \(manifest.executablePath), and \(command) is run by an interpreter. "
                + "Install a manifest with VoiceGateScript."
        case .script(let script):
            return "\(speaks) the script \(script) run by \(manifest.executablePath), and \(command) is not that. "
                + "Run the script itself, or that interpreter with the script's path."
        case .flatpak(let name):
            return "\(speaks) the Flatpak application \(name). Only Flatpak can start it: flatpak run \(name)"
        case .snap(let name):
            return "\(speaks) the snap \(name). Only snapd can start it: snap run \(name)"
        case .unit(let unit, _):
            return "\(speaks) a service of systemd, \(unit). Only systemd can start it: systemctl start"
        }
    }

    private static func wrong(_ message: String) -> CommandError {
        CommandError(.notThisClient, .configuration, message)
    }
}

/// Becomes another program without a network.
///
/// Only a process with one thread can have a user namespace, and a command has more. So this program begins anew, with a
/// first argument that no command has, and confines itself before it does anything else.
public struct ConfinedLaunch {
    private static let word = "--confined-launch"

    let socket: String
    let program: String
    let arguments: [String]

    /// Returns only by an error.
    func begin() throws(CommandError) {
        try ProgramReplacement.become(
            "/proc/self/exe", arguments: ["voicegate", Self.word, socket, program] + arguments)
    }

    /// Goes on where `begin` began anew; returns at once in every other process. To be called first of all, before there
    /// is a second thread.
    public static func continueIfBegun() {
        let words = CommandLine.arguments
        guard words.count > 4, words[1] == word else { return }
        do {
            try ConfinedLaunch(socket: words[2], program: words[3], arguments: Array(words[4...])).finish()
        } catch {
            Output(isQuiet: false, isJSON: false).warn(error.message)
            exit(error.status.rawValue)
        }
    }

    private func finish() throws(CommandError) {
        do {
            try Confinement(socket: socket, runtimeFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
                .enter()
        } catch {
            throw CommandError(.cannotConfine, .unavailable, error.message)
        }
        guard access(program, X_OK) == 0 else {
            throw CommandError(
                .noInput, .noInput,
                "\(program) lies in a folder that is covered for a program without a network. Put it elsewhere.")
        }
        try ProgramReplacement.become(program, arguments: arguments)
    }
}

/// Becomes another program, in the same process: its job, its terminal and its exit status are this one's.
enum ProgramReplacement {
    /// Returns only by an error. Descriptors above the standard three are closed before.
    static func become(_ program: String, arguments: [String]) throws(CommandError) {
        // Not closed at once: threads of this program use them until there is another one.
        for number in [vg_reset_signals(), vg_close_from_on_exec(3)] where number != 0 {
            throw failed(program, number)
        }
        CStrings.with(arguments) { _ = execv(program, $0) }
        throw failed(program, errno)
    }

    private static func failed(_ program: String, _ number: CInt) -> CommandError {
        CommandError(
            .cannotStart, .unavailable, "\(program) cannot be started: \(String(cString: strerror(number))).")
    }
}
