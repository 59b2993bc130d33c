import CLinux
import Foundation
import RecognizerProtocol
import Speech

/// The worker: one session of recognition for the service at the other end of descriptor 3, then the process ends, and
/// with it every memory of what was heard.
public enum WorkerProgram {
    /// - Parameter arguments: without the program's name: `--model FOLDER`, for a worker of a sound file also
    ///   `--file-decoders COUNT`, with `--give-way` whatever else wants a processor gets it first; `--inspect`
    ///   looks at the model closely before it is loaded; to learn a voice `--learn FOLDER --tools FOLDER`.
    public static func run(arguments: [String]) -> Never {
        EngineLog.begin()
        let isConnected = fcntl(ServiceConnection.descriptor, F_GETFD) >= 0
        if isConnected, EnrolmentProgram.isMeant(by: arguments) { EnrolmentProgram.run(arguments: arguments) }
        guard isConnected, arguments.count >= 2, arguments[0] == "--model", let crew = Crew(arguments.dropFirst(2))
        else {
            EngineLog.write("error", "voicegate-recognizer is started by voicegated; there is nothing to do here.")
            exit(EX_USAGE)
        }
        do {
            try serve(modelFolder: arguments[1], crew: crew)
            exit(EXIT_SUCCESS)
        } catch let error as RecognitionError {
            ServiceConnection.send(.recognized(.failed(error)))
        } catch let error as ModelError {
            let failure = RecognitionError(code: .modelUnavailable, message: error.message)
            ServiceConnection.send(.recognized(.failed(failure)))
        } catch {
            let failure = RecognitionError(code: .protocolViolation, message: "\(error)")
            ServiceConnection.send(.recognized(.failed(failure)))
        }
        exit(EXIT_FAILURE)
    }

    /// Who works on a sound file.
    private struct Crew {
        /// 0 in a worker for sessions that are spoken.
        var decoders = 0
        var givesWay = false
        var inspectsModel = false

        /// `nil` when the arguments cannot be read.
        init?(_ arguments: ArraySlice<String>) {
            guard let name = arguments.first else { return }
            if Array(arguments) == ["--inspect"] {
                inspectsModel = true
                return
            }
            let rest = arguments.dropFirst(2)
            guard name == "--file-decoders", let count = arguments.dropFirst().first.flatMap({ Int($0) }),
                (1...64).contains(count), rest.isEmpty || Array(rest) == ["--give-way"]
            else { return nil }
            (decoders, givesWay) = (count, !rest.isEmpty)
        }
    }

    private static func serve(modelFolder: String, crew: Crew) throws {
        lockIn("harden the process", vg_worker_harden())
        // Nobody waits for the next word of a file as one does who speaks. Refused where it is given way already.
        if crew.givesWay { _ = vg_worker_give_way() }
        let confined = vg_worker_confine_files(modelFolder)
        // Before kernel 5.13, or where it is switched off: the filter below still forbids opening any file.
        if ![0, ENOSYS, EOPNOTSUPP, ENOENT, ENOTDIR].contains(confined) { lockIn("confine files", confined) }
        let model = try Model(folder: modelFolder)
        if crew.inspectsModel { try ModelInspection(model: model).check() }
        guard let pipe = FileFeed.Pipe() else { return lockIn("make a pipe", errno) }
        let statistics = try ModelStatistics(model)
        guard crew.decoders == 0 else {
            return try serveFile(DecoderCrew(model: model, count: crew.decoders), statistics, pipe)
        }
        let finalPass = FinalPass(model: model)
        try finalPass.ready()
        lockIn("confine system calls", vg_worker_confine_calls())
        ServiceConnection.send(.ready)

        let connection = ServiceConnection()
        guard let configuration = try start(connection) else { return }
        let progress = FileProgress(isFile: configuration.input == .file, send: ServiceConnection.send)
        finalPass.perform { $0.prepare(for: configuration, statistics) }
        let parts = Parts(finalPass: finalPass, outbox: Outbox(send: progress.send))
        let listener = try parts.listener(configuration)
        switch configuration.input {
        case .live:
            while let request = try connection.next() {
                switch request {
                case .audio(let samples, let position): listener.take(samples, at: position)
                case .finish: return listener.finish()
                case .start, .file: throw RecognitionError.outOfOrder
                }
            }
        case .file:
            let feed = FileFeed(pipe: pipe)
            feed.start(connection)
            try FileSession(feed: feed, listener: listener, opened: progress.opened).run()
        }
    }

    /// A sound file, by a whole crew.
    private static func serveFile(
        _ crew: DecoderCrew, _ statistics: ModelStatistics, _ pipe: FileFeed.Pipe
    ) throws {
        try crew.ready()
        lockIn("confine system calls", vg_worker_confine_calls())
        ServiceConnection.send(.ready)

        let connection = ServiceConnection()
        guard let configuration = try start(connection) else { return }
        guard configuration.input == .file, configuration.task == .dictation else { throw RecognitionError.outOfOrder }
        crew.prepare { $0.prepare(for: configuration, statistics) }
        let outbox = FileOutbox(send: ServiceConnection.send)
        let feed = FileFeed(pipe: pipe)
        feed.start(connection)
        let listener = FileDictation(configuration: configuration, crew: crew, outbox: outbox)
        try FileSession(feed: feed, listener: listener, opened: outbox.opened).run()
    }

    /// What to do, or `nil` when the service wants nothing any more.
    private static func start(_ connection: ServiceConnection) throws -> RecognitionConfiguration? {
        guard let first = try connection.next() else { return nil }
        guard case .start(let configuration) = first else { throw RecognitionError.outOfOrder }
        return configuration
    }

    /// What a session is made of.
    private struct Parts {
        let finalPass: FinalPass
        let outbox: Outbox

        func listener(_ configuration: RecognitionConfiguration) throws(RecognitionError) -> any Listener {
            switch configuration.task {
            case .dictation where configuration.input == .live:
                return LiveSession(configuration: configuration, decoding: finalPass, outbox: outbox)
            case .dictation:
                return FinalSession(configuration: configuration, finalPass: finalPass, outbox: outbox)
            case .grammar(let text):
                let judge = try GrammarJudge(grammar: Grammar(text), finalPass: finalPass)
                return JudgedSession(configuration: configuration, outbox: outbox) { utterance in
                    judge.transcript(of: utterance).map { [$0] } ?? []
                }
            case .phrases(let phrases):
                let judge = try PhraseJudge(book: PhraseBook(phrases), finalPass: finalPass)
                return JudgedSession(configuration: configuration, outbox: outbox) { utterance in
                    judge.phrase(in: utterance.samples).map { [utterance.transcript(saying: $0)] } ?? []
                }
            case .keyPhrases(let phrases):
                let judge = try KeyPhraseJudge(phrases: phrases, finalPass: finalPass)
                return JudgedSession(configuration: configuration, outbox: outbox) { judge.transcripts(of: $0) }
            }
        }
    }

    /// A worker that is not locked in must not see audio.
    static func lockIn(_ what: String, _ error: Int32) {
        guard error != 0 else { return }
        EngineLog.write("error", "cannot \(what): \(String(cString: strerror(error)))")
        exit(EX_OSERR)
    }
}

extension RecognitionError {
    static let outOfOrder = RecognitionError(
        code: .protocolViolation, message: "The request does not fit what came before it.")
}
