import ArgumentParser
import SocketAPI

public struct VoiceGateCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "voicegate",
        abstract: "Turns speech into text on this machine, and only after you allowed it.",
        discussion: """
            Begin with:  voicegate dictate
            It asks you first whether it may recognise speech and use the microphone. What you answered is kept in a \
            log (voicegate audit records) and can be changed at any time (voicegate settings).

            Text and JSON go to standard output, everything else to standard error.
            Exit codes: 0 done, 64 wrong usage, 65 audio that cannot be read, 66 no such input, 69 the service, \
            the recogniser or the device is not available, 74 output that cannot be written, 75 busy, \
            77 no permission, 78 wrong configuration, 130 interrupted.

            The service is started when it does not run yet; VOICEGATE_NO_START=1 in the environment keeps it from that.
            """,
        version: ServiceVersion.current,
        subcommands: [
            DictateCommand.self, TranscribeCommand.self, StatusCommand.self, RequestCommand.self, AgentCommand.self,
            SettingsCommand.self, ResetCommand.self, MuteCommand.self, UnmuteCommand.self, DevicesCommand.self,
            ManifestCommand.self, MonitorCommand.self, RunCommand.self, AuditCommand.self, HistoryCommand.self,
            EnrollCommand.self, ModelsCommand.self, EngineCommand.self, DoctorCommand.self,
            ControlCommand.self,
        ])

    public init() {}

    /// Runs what the process's arguments say, and ends the process where that fails.
    public static func start() async { await main() }
}
