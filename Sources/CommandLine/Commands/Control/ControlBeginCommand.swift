import ArgumentParser

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
