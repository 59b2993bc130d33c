import ArgumentParser
import CLinux
import Consent
import Foundation
import Glibc
import LinuxSystem
import Server
import SocketAPI
import Storage

/// `voicegated`: runs the service in the foreground until SIGTERM or SIGINT.
public struct VoicegateDaemon: AsyncParsableCommand, Sendable {
    public static let configuration = CommandConfiguration(
        commandName: "voicegated",
        abstract: "Owns the microphone and the recogniser, and opens both only to programs that you allowed.",
        discussion: """
            Runs as a user and serves that user (advisory mode). voicegate starts it when needed. With --mode enforced it \
            serves all users of the machine.
            """,
        version: ServiceVersion.current)

    @Option(help: "The Unix socket to listen on.")
    var socket = ServicePaths().ownSocket

    @Option(help: "The folder of the consent log; created with mode 0700.")
    var stateDirectory = ServicePaths().stateDirectory

    @Option(name: .customLong("configuration"), help: "The configuration, YAML. Must exist if named.")
    var configurationFile: String?

    @Option(help: "The administrator's policy files (*.yaml).")
    var policyDirectory = "/etc/voicegate/policy.d"

    @Option(
        help: "The folder of this user's manifests; in enforced mode it has a folder for each user."
    )
    var clientsDirectory = ServicePaths().configurationDirectory + "/clients"

    @Option(
        help: ArgumentHelp(
            "The file that shows status bars what listens. (default: indicator.json beside the socket)",
            valueName: "path"))
    var indicatorFile: String?

    @Option(help: "The recogniser's model folder; overrides the configuration.")
    var model: String?

    @Option(
        help: """
            What shows prompts: 'caller' (each command at its own terminal, and voicegate agent), 'terminal' or 'desktop' \
            (this service itself), or 'script:FILE' (answers as JSON lines; recorded as such).
            """)
    var agent: AgentChoice = .caller

    @Option(
        help: """
            'advisory' (runs as a user and serves that user) or 'enforced' (runs as its own user, serves all users, and \
            makes them confirm through polkit).
            """)
    var mode: ServiceMode = .advisory

    @Flag(help: "Read the configuration, say what is wrong with it, and exit.")
    var checkConfiguration = false

    @Flag(help: ArgumentHelp("Print the routes and who may call them, and exit.", visibility: .hidden))
    var listRoutes = false

    @Flag(
        help: """
            Make a new key for the consent log's checkpoints if the old one is lost or was replaced by another. Give the \
            new verifier key to all who have the old one. This is recorded.
            """)
    var replaceLostKey = false

    @Flag(
        help: """
            Continue with a consent log that is older than its last signed checkpoint, or whose checkpoint is lost or of \
            another log. This is recorded, and the log gets a new key.
            """)
    var acceptRestoredLog = false

    var allowedStart: LogStart.Options {
        let variable = ProcessInfo.processInfo.environment[LogStart.Options.variable]
        var allowed = LogStart.Options(environmentValue: variable ?? "", atSecondOfBoot: BootClock.second)
        if replaceLostKey { allowed.insert(.replaceLostKey) }
        if acceptRestoredLog { allowed.insert(.acceptRestoredLog) }
        return allowed
    }

    @Option(
        help: ArgumentHelp(
            "Seconds without a session before you are asked questions that can wait.", visibility: .hidden))
    var quietPause = 5.0

    @Option(
        help: ArgumentHelp(
            "Seconds after which you are asked whether always is to stay; overrides the configuration's days.",
            visibility: .hidden))
    var reviewAfter: Double?

    @Option(
        help: ArgumentHelp(
            "Seconds in the background after which a permission for one use ends.", visibility: .hidden))
    var onceInBackground = 10.0

    @Option(help: ArgumentHelp("Seconds that a request waits for an agent.", visibility: .hidden))
    var agentTimeout: Double?

    @Option(
        help: ArgumentHelp("The timeout for a client of the Wyoming socket, in seconds.", visibility: .hidden))
    var wyomingPatience = 30.0

    @Option(help: ArgumentHelp("Seconds that a connection may wait for a request.", visibility: .hidden))
    var idleTimeout = 30.0

    @Option(
        help: ArgumentHelp("Seconds that a client may pause in the middle of a request's body.", visibility: .hidden))
    var bodyTimeout = 120.0

    @Option(help: ArgumentHelp("Write 'ready' to this descriptor when listening.", visibility: .hidden))
    var readyFileDescriptor: Int32?

    public init() {}

    /// Prepares the process while it has one thread: takes the inherited sockets, capabilities and the service manager's
    /// address, so that child processes do not inherit them.
    public static func prepareProcess() {
        // A closed connection must fail one write and not end the service.
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        vg_return_freed_memory()
        // No core dump: keys, texts and sound are in the memory. 1 and not 0, which does not hold for a core_pattern that is a
        // pipe (do_coredump in the kernel's fs/coredump.c).
        var noCore = rlimit(rlim_cur: 1, rlim_max: 1)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
        let number = vg_keep_capabilities()
        guard number == 0 else {
            let reason = String(cString: strerror(number))
            ErrorOutput().write("voicegated: its capabilities cannot be kept from other programs: \(reason).")
            Glibc.exit(EX_OSERR)
        }
        if let problem = ProcessTexts.problem() {
            ErrorOutput().write("voicegated: \(problem)")
            Glibc.exit(EX_USAGE)
        }
        _ = ActivatedSockets.ofProcess
        _ = ServiceManager.ofProcess
    }

    public func run() async throws {
        // How many connections and sessions there may be follows from it (`ServiceQuotas`).
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        do {
            if checkConfiguration { return try check() }
            try await Composition.run(self)
        } catch {
            ErrorOutput().write("voicegated: \(error)")
            throw ExitCode(Self.exitCode(of: error))
        }
    }

    private func check() throws {
        let configuration = try readConfiguration()
        _ = try Composition.outsideEngine(configuration, policyDirectory: policyDirectory)
    }

    func readConfiguration() throws(ServiceError) -> ConfigurationFile {
        try ConfigurationFile.read(
            configurationFile ?? ServicePaths().configurationDirectory + "/config.yaml",
            mustExist: configurationFile != nil)
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

extension VoicegateDaemon {
    /// The exit code of a failure (sysexits(3)). If another start would fail too it is 69 or 78, after which systemd makes none.
    /// A failure after a successful start may not recur after a restart.
    static func exitCode(of failure: any Error) -> Int32 {
        switch failure {
        case let ended as ServiceEnded:
            switch exitCode(of: ended.reason) {
            case EX_CONFIG, EX_UNAVAILABLE: EX_SOFTWARE
            case let code: code
            }
        case let error as ServiceError where error.code == .alreadyRunning: EX_TEMPFAIL
        case let error as ServiceError where error.code == .installation: EX_UNAVAILABLE
        case let error as ServiceError where error.code == .deviceHeld: EX_TEMPFAIL
        case let error as StorageError where error.code == .locked: EX_TEMPFAIL
        case let error as StorageError where [.full, .inputOutput].contains(error.code): EX_IOERR
        case let error as ConsentError where [.notRecorded, .failed].contains(error.code): EX_IOERR
        default: EX_CONFIG
        }
    }
}

/// The service had begun to serve, and cannot continue.
struct ServiceEnded: Error, CustomStringConvertible {
    let reason: any Error

    var description: String { "\(reason)" }
}

extension HealthReply.Mode: ExpressibleByArgument {}

extension ServiceMode {
    /// - Throws: for an agent that does not ask the requesting user.
    func check(_ agent: AgentChoice) throws(ServiceError) {
        guard self == .enforced, agent != .caller else { return }
        throw ServiceError(
            code: .configuration,
            message:
                "In enforced mode only the users themselves answer, at their terminals or through voicegate agent. "
                + "Remove --agent, or run in advisory mode.")
    }
}
