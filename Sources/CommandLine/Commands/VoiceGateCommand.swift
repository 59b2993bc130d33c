import ArgumentParser
import Base
import Glibc
import LinuxSystem
import SocketAPI
import Speech

public struct VoiceGateCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "voicegate", abstract: "Speech recognition on this machine, only with your consent.",
        discussion: """
            To start:  voicegate dictate, or voicegate setup to choose a microphone and more
            It first asks for permission to use speech recognition and the microphone. Your answers are recorded in a log \
            (voicegate audit records), and you can change them at any time (voicegate settings).

            Text and JSON go to standard output, everything else to standard error.
            Exit codes: 0 success, 1 doctor or setup found something that needs you, 64 wrong usage, 65 unreadable audio \
            or failed verification, 66 no such input, 69 the service, the recogniser or the device is unavailable, 70 \
            internal error, 74 output cannot be written, 75 busy, 76 a checkpoint that you supplied contradicts the log or \
            the bundle, 77 no permission, 78 wrong configuration, 130 interrupted.

            The service is started if it is not running (voicegate service stop stops it); VOICEGATE_NO_START=1 in the \
            environment prevents that.
            """,
        version: ServiceVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Speech",
                subcommands: [DictateCommand.self, ControlCommand.self, TranscribeCommand.self, DevicesCommand.self]),
            CommandGroup(
                name: "Permissions",
                subcommands: [
                    StatusCommand.self, SettingsCommand.self, AllowCommand.self, RequestCommand.self, ResetCommand.self,
                    ForgetCommand.self, AgentCommand.self, MuteCommand.self, UnmuteCommand.self, DashboardCommand.self,
                ]),
            CommandGroup(name: "Records", subcommands: [AuditCommand.self, HistoryCommand.self]),
            CommandGroup(name: "Programs", subcommands: [ManifestCommand.self, RunCommand.self, MonitorCommand.self]),
            CommandGroup(
                name: "Recogniser and service",
                subcommands: [SetupCommand.self, EngineCommand.self, ServiceControlCommand.self, DoctorCommand.self]),
        ])

    /// Errors of the command line have the prefix of all other messages.
    public static let _errorLabel = "voicegate"

    public init() {}

    /// Runs the command of the process's arguments; ends the process if it fails.
    public static func start() async {
        // Ctrl-\ ends the command at once: Swift's runtime would write a backtrace for seconds, and go on.
        let before = unsafeBitCast(signal(SIGQUIT, SIG_DFL), to: Int.self)
        if before == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGQUIT, SIG_IGN) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let problem = ProcessTexts.problem() ?? Suggestion.unknownCommand(arguments, of: Self.self)
            ?? Suggestion.fileAsOption(arguments)
        {
            Output(isQuiet: false, isJSON: false).warn(problem)
            exit(withError: ExitCode(ExitStatus.usage.rawValue))
        }
        await main()
    }
}
