import ArgumentParser
import Authorization
import SocketAPI
import Speech
import VoiceGateClient

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

/// How a file's text is written.
enum TranscriptFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// A line for each utterance.
    case text
    /// An object for each file, with its name, its text and each utterance's words and times.
    case json
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
}

/// One sound file from its first byte to its last word.
struct FileRun {
    let client: VoiceGateClient
    let output: Output
    let format: TranscriptFormat
    let told: TranscriptionRequest
    let form: TextForm
    /// `nil`: to standard output.
    let target: TranscriptFile?

    /// - Parameters:
    ///   - number: of the file, of so many; the first is 1.
    func run(_ file: String, number: Int = 1, of count: Int = 1) async throws {
        let input = try await SoundInput.open(file)
        let place = target?.place
        var writer = try TranscriptWriter(
            file: file, format: format, isPiecemeal: target != nil, captions: place?.captions ?? 0,
            after: place?.hasBegun == true ? target?.writtenLines() ?? [] : [])
        var former = TextFormer(form)
        var progress = FileProgressLine(output, file: file, number: number, of: count)
        do {
            for try await event in try await client.transcribe(input, told: told, from: place?.from ?? 0) {
                if output.isJSON { try output.json(event) }
                switch event.event {
                case .started:
                    if place?.hasBegun != true { try write(writer.head()) { $0.hasBegun = true } }
                case .progress(let seconds, let duration):
                    progress.tell(seconds, of: duration)
                case .final(let transcript):
                    let lines = try writer.lines(
                        for: form == .asSaid ? transcript : former.transcript(transcript, oneLine: format != .text))
                    try write(lines) {
                        $0.from = transcript.end
                        $0.captions = writer.captions
                    }
                case .ended(let ending, let message):
                    output.clearLive()
                    return try finish(ending, message, file, writer)
                default:
                    break
                }
            }
        } catch let error as ClientError where error.reply != nil {
            output.clearLive()
            throw named(error, file)
        }
        throw ClientError.disconnected
    }

    private func finish(
        _ ending: DictationEnding, _ message: String?, _ file: String, _ writer: TranscriptWriter
    ) throws {
        let status = ExitStatus(ending)
        guard status != .success else { return try write(writer.tail()) { $0.nextInput() } }
        output.warn("\(file): \(message ?? "It ended before its last word (\(ending.rawValue)).")")
        throw CommandError.alreadyTold(status)
    }

    private func write(_ lines: [String], _ advance: (inout ResumePlace) -> Void) throws {
        if let target { return try target.write(lines, advance) }
        guard !output.isJSON else { return }
        for line in lines { try output.line(line) }
    }

    /// The service does not know what the file is called.
    private func named(_ error: ClientError, _ file: String) -> any Error {
        guard var reply = error.reply, reply.error.code == ErrorCode.badAudio.rawValue else { return error }
        reply.error.message = "\(file): \(reply.error.message)"
        return reply
    }
}

/// The line at a terminal that says how far a file is.
struct FileProgressLine {
    private let output: Output
    private let file: String
    private let number: Int
    private let count: Int
    private var first: (seconds: Double, at: ContinuousClock.Instant)?

    /// - Parameter number: of the file, of so many; the first is 1.
    init(_ output: Output, file: String, number: Int, of count: Int) {
        self.output = output
        self.file = file
        self.number = number
        self.count = count
    }

    mutating func tell(_ seconds: Double, of duration: Double?, at now: ContinuousClock.Instant = .now) {
        guard output.isLive else { return }
        let began = first ?? (seconds, now)
        first = began
        output.live(
            Language.ofPerson.commandWording.transcribing(
                file, part: count > 1 ? (number, count) : nil, done: Self.clock(seconds),
                percent: duration.flatMap { Self.percent(seconds, of: $0) },
                left: duration.flatMap { duration in
                    Self.left(seconds, of: duration, since: began.seconds, taking: began.at.duration(to: now))
                }.map(Self.clock)))
    }

    /// `nil` when the file's length cannot be right.
    static func percent(_ seconds: Double, of duration: Double) -> Int? {
        duration > 0 && seconds <= duration + 1 ? Int(min(100 * seconds / duration, 100)) : nil
    }

    /// Seconds that the rest will take at the pace so far; `nil` while that is a guess.
    static func left(_ seconds: Double, of duration: Double, since start: Double, taking time: Duration) -> Double? {
        let elapsed = time / .seconds(1)
        guard elapsed >= 2, seconds > start, seconds <= duration else { return nil }
        return (duration - seconds) * elapsed / (seconds - start)
    }

    /// `1:02:03`, `2:03`.
    static func clock(_ seconds: Double) -> String {
        let seconds = Int(min(max(seconds, 0), 1e9).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
    }
}
