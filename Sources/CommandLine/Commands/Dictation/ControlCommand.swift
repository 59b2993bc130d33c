import ArgumentParser
import CommandClient
import SocketAPI
import Speech

struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Start a dictation, or control the running one, from a hot key or another terminal.",
        discussion: """
            The commands apply to the newest dictation of the command line, or to --session. A hot key needs only \
            voicegate control toggle with --type or a profile. For push to talk, begin when the key is pressed and end \
            when it is released. Documentation/Delivery.md has examples for sway, Hyprland and i3.
            """,
        subcommands: [
            Begin.self, End.self, Cancel.self, Suspend.self, Resume.self, Toggle.self, Status.self,
        ])

    struct Begin: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "begin", abstract: "Start a dictation, unless one is running.",
            discussion: """
                This command is the dictation: it runs until the dictation ends, like voicegate dictate. If one is \
                running, the exit code is 75. On a desktop whose hot keys do not start programs as applications, start \
                it with systemd-run so that it counts as in the foreground: Documentation/Delivery.md.
                """)

        @OptionGroup var dictation: DictateOptions
        @OptionGroup var options: GlobalOptions

        func run(_ context: CommandContext) async throws {
            guard try await Self.begin(context, dictation) else {
                throw CommandError(.dictationRuns, "A dictation is running already. To end it: voicegate control end")
            }
        }

        /// - Returns: `false` if one is running or starting.
        static func begin(_ context: CommandContext, _ options: DictateOptions) async throws -> Bool {
            guard let lock = try DictationLock.take() else { return false }
            // Under the lock: no other command starts one in between.
            guard try await context.newestDictation() == nil else { return false }
            try await options.dictate(context, onStarted: { lock.release() })
            return true
        }
    }

    struct Toggle: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "toggle", abstract: "End the running dictation, or start one if none is running.",
            discussion: "For a single hot key. The options apply to a dictation that is started.")

        @OptionGroup var dictation: DictateOptions
        @OptionGroup var options: GlobalOptions

        func run(_ context: CommandContext) async throws {
            if let session = try await context.begunDictation() {
                return try await context.controlDictation(.end, session: session.session)
            }
            guard try await Begin.begin(context, dictation) else {
                // Another command has just started one: the user pressed the key twice.
                return try await context.controlDictation(.end, session: nil)
            }
        }
    }

    struct End: DictationControl {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "End the dictation; speech so far is still written.")
        static let control = SessionControl.end
        @OptionGroup var target: Target
        @OptionGroup var options: GlobalOptions
    }

    struct Cancel: DictationControl {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "End the dictation, and discard unwritten text.")
        static let control = SessionControl.cancel
        @OptionGroup var target: Target
        @OptionGroup var options: GlobalOptions
    }

    struct Suspend: DictationControl {
        static let configuration = CommandConfiguration(
            commandName: "suspend",
            abstract: "Stop listening until resume; the device stays open, its sound is dropped.")
        static let control = SessionControl.suspend
        @OptionGroup var target: Target
        @OptionGroup var options: GlobalOptions
    }

    struct Resume: DictationControl {
        static let configuration = CommandConfiguration(commandName: "resume", abstract: "Listen again.")
        static let control = SessionControl.resume
        @OptionGroup var target: Target
        @OptionGroup var options: GlobalOptions
    }

    struct Target: ParsableArguments {
        @Option(
            help: .init(
                "Another session than the newest; voicegate control status --json lists them.", valueName: "id"))
        var session: String?
    }

    struct Status: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Print the state of the dictation: listening, suspended, paused, ending, beginning or idle.",
            discussion: """
                paused: the device is disconnected, or the program is in the background. With --json: all dictations.
                """)

        @OptionGroup var options: GlobalOptions

        func run(_ context: CommandContext) async throws {
            let isBeginning = DictationLock.isHeld
            let reply = try await context.dictations()
            let session = reply.sessions.first { !$0.isEnding } ?? reply.sessions.first
            try context.output.result(reply, [Self.word(session, isBeginning)])
        }

        private static func word(_ session: DictationsReply.Session?, _ isBeginning: Bool) -> String {
            guard let session else { return isBeginning ? "beginning" : "idle" }
            if session.isEnding { return "ending" }
            if session.paused.contains(.suspended) { return "suspended" }
            return session.paused.isEmpty ? "listening" : "paused"
        }
    }
}

/// A command that sends one control to a running dictation.
protocol DictationControl: ServiceCommand {
    static var control: SessionControl { get }
    var target: ControlCommand.Target { get }
}

extension DictationControl {
    func run(_ context: CommandContext) async throws {
        try await context.controlDictation(Self.control, session: target.session)
    }
}
