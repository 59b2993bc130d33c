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

            Files of many hours are worked on as they come, on all processors. With --output what is done is in the file at \
            once; when the command is interrupted, by whatever, the same command with --resume goes on behind the last \
            utterance that is written, and does nothing when the file is complete. Until then FILE.resume lies beside it.
            """)

    @Argument(help: "WAV, FLAC, Ogg and other sound files; - is standard input.")
    var files: [String]

    @Option(help: "text, json, srt or vtt.")
    var format = TranscriptFormat.text

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to this file instead of standard output; it must not be there yet.", valueName: "file"))
    var output: String?

    @Flag(help: "Go on with an output that was interrupted.")
    var resume = false

    @OptionGroup(title: "How it is written") var form: TextFormOptions
    @OptionGroup(title: "Words") var words: WordOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if [.srt, .vtt].contains(format), files.count > 1 {
            throw ValidationError("Subtitles are for one file; run the command once for each.")
        }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read only once.") }
        if resume, output == nil { throw ValidationError("--resume goes on with a file; name it with --output.") }
    }

    func run(_ context: CommandContext) async throws {
        let given = try await words.read(telling: context.output)
        let told = TranscriptionRequest(
            taskHint: given.taskHint, contextPhrases: given.contextPhrases, words: given.text, grammar: given.grammar,
            alternatives: given.alternatives)
        let target = try output.map { path in
            (path, try TranscriptFile.open(path, files: files, format: format, resumes: resume))
        }
        if let (path, file) = target, file == nil { return context.output.note("\(path) is complete already.") }
        let signals = SignalWatch()
        // Safe: the command waits for the task that it is handed to, and touches it no more.
        nonisolated(unsafe) let file = target?.1
        do {
            try await signals.cancelling { try await transcribe(context, told, into: file) }
        } catch let error as CommandError where error.code == .interrupted {
            context.output.clearLive()
            if let path = target?.0 {
                context.output.note("What is done is in \(path). The same command with --resume goes on with it.")
            }
            throw error
        }
    }

    private func transcribe(
        _ context: CommandContext, _ told: TranscriptionRequest, into target: TranscriptFile?
    ) async throws {
        let client = try await context.client()
        if try await client.authorization().speechRecognition == .notDetermined {
            try await context.conversation(with: client).request(.speechRecognition)
        }
        var worst = ExitStatus.success
        let run = FileRun(
            client: client, output: context.output, format: format, told: told, form: form.form, target: target)
        for (index, file) in files.enumerated() where index >= target?.place.input ?? 0 {
            do {
                try await run.run(file, number: index + 1, of: files.count)
            } catch let error where isAboutFile(error) {
                let status = context.report(error)
                if worst == .success { worst = status }
                try target?.write([]) { $0.nextInput() }
            }
        }
        target?.complete()
        if worst != .success { throw CommandError.alreadyTold(worst) }
    }

    /// Whether another file can still be done.
    private func isAboutFile(_ error: any Error) -> Bool {
        [.badData, .noInput].contains(ExitStatus(error))
    }
}
