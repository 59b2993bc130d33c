import ArgumentParser
import SocketAPI
import VoiceGateClient

struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Begin a dictation, and steer the one that runs, from a hot key or another terminal.",
        discussion: """
            They mean the newest dictation of the command line; --session names another one. voicegate control toggle \
            with --type, or with a profile, is what a hot key needs. For push to talk begin where the key is pressed, and \
            end where it is let go. Documentation/Delivery.md has examples for sway, Hyprland and i3.
            """,
        subcommands: [
            ControlBeginCommand.self, ControlEndCommand.self, ControlCancelCommand.self, ControlSuspendCommand.self,
            ControlResumeCommand.self, ControlToggleCommand.self, ControlStatusCommand.self,
        ])
}

struct ControlBeginCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin",
        abstract: "Begin a dictation, unless one runs.",
        discussion: """
            This command is the dictation: it runs until that ends, as voicegate dictate does. Where one runs already \
            the exit code is 75. Whether the person has it before them is told as for any program; a hot key of a \
            desktop that does not start programs as applications needs systemd-run: Documentation/Delivery.md.
            """)

    @OptionGroup var dictation: DictateOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        guard try await Self.begin(context, dictation) else {
            throw CommandError(
                .dictationRuns, .busy, "A dictation runs already. To end it: voicegate control end")
        }
    }

    /// - Returns: `false` when one runs already or is being begun.
    static func begin(_ context: CommandContext, _ options: DictateOptions) async throws -> Bool {
        guard let lock = try DictationLock.take() else { return false }
        // Asked with the lock in hand: nobody begins one in between.
        let running = try await RunningDictation(client: context.clientOfRunningService).newest()
        guard running == nil else { return false }
        try await DictationBegin(context: context, options: options, onStarted: { lock.release() }).run()
        return true
    }
}

struct ControlToggleCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "End the dictation that runs, or begin one where there is none.",
        discussion: "For one hot key. The options are for the one that is begun.")

    @OptionGroup var dictation: DictateOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let running = RunningDictation(client: context.clientOfRunningService)
        if let session = try await running.begun() {
            return try await running.control(.end, session: session.session)
        }
        guard try await ControlBeginCommand.begin(context, dictation) else {
            // Begun by another command in this very moment: the person struck the key twice.
            return try await running.control(.end, session: nil)
        }
    }
}

struct ControlEndCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End it; what was said until now is still written.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.end, session: control.session)
    }
}

struct ControlCancelCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "End it, and throw away what was not written yet.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.cancel, session: control.session)
    }
}

struct ControlSuspendCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Listen no more until it is resumed; the device stays open, its sound is dropped.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.suspend, session: control.session)
    }
}

struct ControlResumeCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on listening.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await RunningDictation(client: context.clientOfRunningService).control(.resume, session: control.session)
    }
}

struct ControlStatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say in one word how the dictation stands: listening, suspended, paused, ending, beginning or idle.",
        discussion: "paused: the device is away, or the program is in the background. With --json: all of them.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let isBeginning = DictationLock.isHeld
        let reply: DictationsReply
        do {
            reply = try await context.clientOfRunningService.dictations()
        } catch let error as ClientError where error.code == .notRunning {
            reply = DictationsReply(sessions: [])
        }
        if context.output.isJSON { return try context.output.json(reply) }
        try context.output.line(Self.word(reply.sessions.first { !$0.isEnding } ?? reply.sessions.first, isBeginning))
    }

    private static func word(_ session: DictationsReply.Session?, _ isBeginning: Bool) -> String {
        guard let session else { return isBeginning ? "beginning" : "idle" }
        if session.isEnding { return "ending" }
        if session.paused.contains(.suspended) { return "suspended" }
        return session.paused.isEmpty ? "listening" : "paused"
    }
}

/// Which session is meant.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Another session than the newest; voicegate control status --json has them.", valueName: "id"))
    var session: String?
}
