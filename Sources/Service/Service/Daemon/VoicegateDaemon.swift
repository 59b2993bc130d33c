import ArgumentParser
import CLinux
import Consent
import Foundation
import Glibc
import PolicyFiles
import Prompting
import SocketAPI
import Storage

/// `voicegated`: the service, in the foreground, until SIGTERM or SIGINT.
public struct VoicegateDaemon: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "voicegated",
        abstract: "Owns the microphone and the recogniser, and opens both only to those the person allowed.",
        discussion: """
            Runs as a user and serves that user (advisory mode). voicegate starts it by itself when it is needed. With \
            --mode enforced it serves all users of the machine.
            """,
        version: ServiceVersion.current)

    @Option(help: "The Unix socket to listen on.")
    var socket = ServicePaths().ownSocket

    @Option(help: "Where the consent log is kept; made with mode 0700.")
    var stateDirectory = ServicePaths().stateDirectory

    @Option(name: .customLong("configuration"), help: "The configuration, YAML. Must exist when given.")
    var configurationFile: String?

    @Option(help: "The administrator's policy files (*.yaml).")
    var policyDirectory = "/etc/voicegate/policy.d"

    @Option(
        help: "The folder with the clients' manifests of this user; in enforced mode with a folder for each user in it."
    )
    var clientsDirectory = ServicePaths().configurationDirectory + "/clients"

    @Option(
        help: ArgumentHelp(
            "The file that tells status bars what listens. (default: indicator.json beside the socket)",
            valueName: "path"))
    var indicatorFile: String?

    @Option(help: "The recogniser's model folder; wins over the configuration.")
    var model: String?

    @Option(
        help: """
            Who answers prompts: 'caller' (each command line for itself, at its terminal, and voicegate agent), \
            'terminal' or 'desktop' (this service's own), or 'script:FILE' (JSON lines; recorded as such).
            """)
    var agent: AgentChoice = .caller

    @Option(
        help: """
            'advisory' (runs as a user and serves that user) or 'enforced' (runs as a user of its own, serves all, and \
            makes them confirm through polkit).
            """)
    var mode: ServiceMode = .advisory

    @Flag(help: ArgumentHelp("Print the paths that are served, and end.", visibility: .hidden))
    var listRoutes = false

    @Flag(
        help: """
            Make a new key for the consent log's checkpoints in place of a lost one. Everybody who has the old verifier \
            key must be given the new one; it is recorded.
            """)
    var replaceLostKey = false

    @Flag(help: "Go on with a consent log that is older than its last signed checkpoint; it is recorded.")
    var acceptRestoredLog = false

    @Option(
        help: ArgumentHelp(
            "Seconds that nothing may have listened before you are asked what can wait.", visibility: .hidden))
    var quietPause = 5.0

    @Option(
        help: ArgumentHelp("Seconds that a client of the Wyoming socket is waited for.", visibility: .hidden))
    var wyomingPatience = 30.0

    @Option(help: ArgumentHelp("Write 'ready' to this descriptor when listening.", visibility: .hidden))
    var readyFileDescriptor: Int32?

    public init() {}

    /// What has to be done while the process has one thread: what it was started with is taken, and kept from what it
    /// starts in its turn.
    public static func prepareProcess() {
        // A client that goes away must be an error of one write, not the end of the service.
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        let number = vg_keep_capabilities()
        guard number == 0 else {
            let reason = String(cString: strerror(number))
            FileHandle.standardError.write(
                Data("voicegated: its capabilities cannot be kept from other programs: \(reason).\n".utf8))
            Glibc.exit(EX_OSERR)
        }
        _ = ActivatedSockets.ofProcess
    }

    public func run() async throws {
        // A connection takes three descriptors; running out of them would keep new ones from being refused in order.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        do {
            try await Composition(options: self).run()
        } catch {
            FileHandle.standardError.write(Data("voicegated: \(error)\n".utf8))
            throw ExitCode(startFailure: error)
        }
    }
}

/// `--agent`
enum AgentChoice: ExpressibleByArgument, Sendable, Hashable {
    case caller
    case terminal
    case desktop
    case script(path: String)

    init?(argument: String) {
        switch argument {
        case "caller": self = .caller
        case "terminal": self = .terminal
        case "desktop": self = .desktop
        default:
            guard argument.hasPrefix("script:"), argument.count > "script:".count else { return nil }
            self = .script(path: String(argument.dropFirst("script:".count)))
        }
    }

    var defaultValueDescription: String { "caller" }
}

/// Tells whoever started the service that it listens: one line, then the end of the descriptor. Ending without the line
/// means that it could not start.
struct ReadyDescriptor: Sendable {
    private let descriptor: Int32?

    init(_ descriptor: Int32?) {
        self.descriptor = descriptor
        // The recognisers must not keep it open beyond this process's own word.
        if let descriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    func tell() {
        guard let descriptor else { return }
        let line = Array("ready\n".utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
    }
}

/// Why the service cannot start or go on.
public struct ServiceError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The path of the socket cannot be used.
        case socketPath
        /// Another service answers on this socket.
        case alreadyRunning
        /// The configuration cannot be read or does not make sense.
        case configuration
        /// A part of the installation is missing.
        case installation
        /// The indicator's file cannot be written.
        case indicatorFile
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

extension ExitCode {
    /// sysexits(3): how the service ends when it cannot start.
    init(startFailure error: any Error) {
        switch error {
        case let error as ServiceError where error.code == .alreadyRunning: self.init(75)
        case let error as ServiceError where error.code == .installation: self.init(69)
        case let error as StorageError where error.code == .locked: self.init(75)
        default: self.init(78)
        }
    }
}
