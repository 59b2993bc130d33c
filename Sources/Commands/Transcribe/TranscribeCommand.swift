import ArgumentParser
import Authorization
import SocketAPI

struct TranscribeCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Write what is said in sound files.",
        discussion: """
            Needs speech recognition, not the microphone. A file that cannot be read is named, the others are still \
            done, and the exit code is 65 or 66 at the end. With --json each event is a line; --format json gives one \
            object for each file.
            """)

    @Argument(help: "WAV, FLAC, Ogg and other sound files; - is standard input.")
    var files: [String]

    @Option(help: "text, json, srt or vtt.")
    var format = TranscriptFormat.text

    @OptionGroup(title: "Words") var words: WordOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if [.srt, .vtt].contains(format), files.count > 1 {
            throw ValidationError("Subtitles are for one file; run the command once for each.")
        }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read only once.") }
    }

    func run(_ context: CommandContext) async throws {
        let given = try await words.read(telling: context.output)
        let told = TranscriptionRequest(
            taskHint: given.taskHint, contextPhrases: given.contextPhrases, words: given.text, grammar: given.grammar,
            alternatives: given.alternatives)
        let client = try await context.client()
        if try await client.authorization().speechRecognition == .notDetermined {
            try await context.conversation(with: client).request(.speechRecognition)
        }
        var worst = ExitStatus.success
        for file in files {
            do {
                try await FileRun(client: client, output: context.output, format: format, told: told).run(file)
            } catch let error where isAboutFile(error) {
                let status = context.report(error)
                if worst == .success { worst = status }
            }
        }
        if worst != .success { throw CommandError.alreadyTold(worst) }
    }

    /// Whether another file can still be done.
    private func isAboutFile(_ error: any Error) -> Bool {
        [.badData, .noInput].contains(ExitStatus(error))
    }
}
