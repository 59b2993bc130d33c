import ArgumentParser
import Authorization
import Base
import CommandClient
import Foundation
import SocketAPI
import Speech

struct TranscribeCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe", abstract: "Transcribe sound files.",
        discussion: """
            Requires permission for speech recognition, not for the microphone. Unreadable files are reported and \
            skipped, and the exit code is 65 or 66 at the end. With --json each event is a line; --format json prints one \
            object per file.

            Long files are transcribed in a stream, on all processors. With --output each utterance is written at once. \
            After an interruption the same command with --resume continues after the last written utterance; it does \
            nothing if the file is complete. Until then there is a file FILE.resume beside it.

            With several files, text on standard output has a line ==> FILE <== before each, and events have a member file; \
            --output-dir writes a file for each: talk.flac becomes DIR/talk.txt.
            """)

    @Argument(help: "WAV, FLAC, Ogg, MP3 and other sound files; - is standard input.", completion: .file())
    var files: [String]

    @Option(help: "text, json, srt or vtt.")
    var format = TranscriptFormat.text

    @Option(
        name: .shortAndLong, help: .init("A new file to write to instead of standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: .init("An existing folder for one new file per sound file.", valueName: "folder"), completion: .directory)
    var outputDir: String?

    @Flag(help: "Continue an interrupted output, and skip complete ones.")
    var resume = false

    @OptionGroup(title: "Text format") var form: TextFormOptions
    @OptionGroup(title: "Words") var words: WordOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if words.alternatives != nil, format != .json, !options.outputOptions.json {
            throw ValidationError("--alternatives requires --json or --format json, which have them.")
        }
        if [.srt, .vtt].contains(format), files.count > 1, outputDir == nil {
            throw ValidationError("Subtitles of several files require --output-dir FOLDER.")
        }
        if output != nil, outputDir != nil { throw ValidationError("--output and --output-dir exclude each other.") }
        if let outputDir {
            let outputs = files.map { outputPath(of: $0, in: outputDir) }
            if files.contains("-") { throw ValidationError("Standard input has no name for --output-dir.") }
            if Set(outputs).count < outputs.count {
                throw ValidationError("Two of the sound files would be written to the same file in \(outputDir).")
            }
        }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read only once.") }
        try refuse(if: resume && output == nil && outputDir == nil, "--resume requires --output or --output-dir.")
    }

    func run(_ context: CommandContext) async throws {
        if output == nil, outputDir == nil { try context.output.requireResults() }
        let request = try await words.read(reportingTo: context.output)
        // Safe: only the task uses it, and this function waits for the task.
        nonisolated(unsafe) let file = try output.flatMap {
            try TranscriptFile.open($0, files: files, format: format, resumes: resume)
        }
        if let output, file == nil { return context.output.note("\(output) is complete.") }
        let signals = SignalWatch(removingEchoFrom: context.output)
        do {
            try await signals.cancelling { try await transcribe(context, request, into: file) }
        } catch  where Self.isInterruption(error) {
            let status = context.output.report(error)
            let wording = Language.ofPerson.commandWording
            if let place = output ?? outputDir {
                if canContinue(file) { context.output.note(wording.toContinue(place: place)) }
            } else if status != .interrupted {
                context.output.note(wording(.useOutput))
            }
            throw CommandError.reported(status)
        }
    }

    /// Whether the same command may do what is left.
    private static func isInterruption(_ error: any Error) -> Bool {
        switch error {
        case let error as ClientError where error.code == .disconnected || error.code == .notRead: true
        case let error as CommandError:
            error.isReported ? ![.badData, .noInput].contains(error.status) : error.code == .cannotWrite
        default: false
        }
    }

    /// - Parameter common: of all files.
    private func canContinue(_ common: TranscriptFile?) -> Bool {
        if let common { return common.place != ResumePlace(files: files, format: format) }
        guard let outputDir else { return false }
        return files.contains { access(TranscriptFile.placePath(of: outputPath(of: $0, in: outputDir)), F_OK) == 0 }
    }

    /// - Returns: the file in the folder that the text of a sound file is written to.
    private func outputPath(of file: String, in folder: String) -> String {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        return folder + "/" + name + "." + format.fileExtension
    }

    /// - Parameter common: for all files; `nil`: standard output, or a file of each.
    private func transcribe(
        _ context: CommandContext, _ request: TranscriptionRequest, into common: TranscriptFile?
    ) async throws {
        let former = try await form.former()
        let client = try await context.client()
        let program = try await context.requestUndecided(
            from: client, withMicrophone: false, language: words.spokenLanguage
        ).client
        var worst = ExitStatus.success
        for (index, file) in files.enumerated() where index >= common?.place.input ?? 0 {
            var target = common
            if let path = outputDir.map({ outputPath(of: file, in: $0) }) {
                target = try TranscriptFile.open(path, files: [file], format: format, resumes: resume)
                if target == nil {
                    context.output.note("\(path) is complete.")
                    continue
                }
            }
            defer { if outputDir != nil, target?.place.input == 1 { target?.complete() } }
            let run = FileRun(
                client: client, program: program, output: context.output, file: file, number: index + 1,
                count: files.count, format: format, request: request, language: words.spokenLanguage, former: former,
                target: target)
            do {
                let status = try await run.run()
                if worst == .success { worst = status }
            } catch let error where [.badData, .noInput].contains(ExitStatus(error)) {
                // The other files can still be transcribed.
                let status = context.output.report(error)
                if worst == .success { worst = status }
                if outputDir == nil { try target?.write([]) { $0.nextInput() } } else { target?.discard() }
            }
        }
        common?.complete()
        try worst.check()
    }
}

enum TranscriptFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// A line per utterance.
    case text
    /// An object per file with its name, its text, and the words and times of each utterance.
    case json
    /// SubRip and WebVTT subtitles.
    case srt, vtt

    var fileExtension: String { self == .text ? "txt" : rawValue }
}

/// An event with the sound file that it is about, as the command was given it.
private struct FileEvent<Event: Encodable>: Encodable {
    let file: String
    let event: Event

    private enum CodingKeys: CodingKey { case file }

    func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
    }
}

/// The transcription of one sound file.
struct FileRun {
    let client: ServiceClient
    /// The client that this command is.
    let program: String
    let output: Output
    let file: String
    /// The file's number among `count`, from 1.
    let number: Int
    let count: Int
    let format: TranscriptFormat
    let request: TranscriptionRequest
    let language: String?
    /// For the first utterance.
    let former: TextFormer
    /// `nil`: to standard output.
    let target: TranscriptFile?

    /// - Returns: `badData` if the rest of the file cannot be read.
    func run() async throws -> ExitStatus {
        let input = try await SoundInput.open(file)
        let place = target?.place
        var writer = try TranscriptWriter(
            file: file, format: format, isPiecemeal: target != nil, isNamed: count > 1 && target == nil,
            captions: place?.captions ?? 0, after: place?.hasBegun == true ? target?.writtenLines() ?? [] : [])
        var former = former
        var progress = FileProgress(from: place?.from ?? 0)
        do {
            for try await event in try await client.transcribe(
                input, told: request, language: language, from: place?.from ?? 0)
            {
                if output.isJSON {
                    try count > 1 ? output.json(FileEvent(file: file, event: event)) : output.json(event)
                }
                switch event.event {
                case .started: if place?.hasBegun != true { try write(writer.head()) { $0.hasBegun = true } }
                case .progress(let seconds, let duration):
                    progress.advance(to: seconds, of: duration, at: .now)
                    show(progress)
                case .final(let transcript):
                    if !transcript.text.isEmpty { progress.hasText = true }
                    let lines = try writer.lines(
                        for: former.changesText ? former.transcript(transcript, oneLine: format != .text) : transcript)
                    try write(lines) {
                        $0.from = transcript.end
                        $0.captions = writer.captions
                    }
                case .ended(let ending, let message):
                    output.clearLive()
                    let status = ExitStatus(ending)
                    if status == .success || ending == .incomplete { try write(writer.tail()) { $0.nextInput() } }
                    if status == .success {
                        report(progress)
                        return status
                    }
                    output.warn("\(file): \(await reason(ending, message))")
                    if ending == .incomplete { return status }
                    throw CommandError.reported(status)
                default: break
                }
            }
        } catch let error as ClientError where error.reply != nil {
            output.clearLive()
            throw named(error)
        }
        throw ClientError.disconnected
    }

    private func report(_ progress: FileProgress) {
        guard !progress.hasText, progress.from == 0 else { return }
        let name = file == "-" ? "standard input" : file
        output.note(
            Language.ofPerson.commandWording.noSpeech(file: name, time: FileProgress.clock(progress.seconds)))
    }

    private func reason(_ ending: DictationEnding, _ message: String?) async -> String {
        let mute = ending == .muted ? try? await client.authorization().mutedBy : nil
        return Language.ofPerson.commandWording.sentence(
            for: ending, on: file, reason: message,
            settings: "voicegate settings \(program) --allow \(Resource.speechRecognition.rawValue)", mute: mute,
            silence: nil)
            ?? ending.rawValue
    }

    private func write(_ lines: [String], _ advance: (inout ResumePlace) -> Void) throws {
        if let target { return try target.write(lines, advance) }
        guard !output.isJSON else { return }
        for line in lines { try output.line(line) }
    }

    /// Adds the file's name, which the service does not know.
    private func named(_ error: ClientError) -> any Error {
        guard var reply = error.reply, reply.error.code == ErrorCode.badAudio.rawValue else { return error }
        reply.error.message = "\(file): \(reply.error.message)"
        if ForeignSound.isPossible(file) { reply.error.message += " " + ForeignSound.advice(for: file) }
        return reply
    }

    private func show(_ progress: FileProgress) {
        // A short file is done before the first step of it is.
        if progress.percent == 0, progress.duration ?? 0 < 60 { return }
        output.live(
            Language.ofPerson.commandWording.transcribing(
                file, part: count > 1 ? (number, count) : nil, done: FileProgress.clock(progress.seconds),
                percent: progress.percent, left: progress.left.map(FileProgress.clock)))
    }
}
