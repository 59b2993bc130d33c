import CLinux
import Foundation
import Recognition
import RecognizerProtocol

/// The worker: one session of recognition for the service at the other end of descriptor 3, then the process ends, and
/// with it every memory of what was heard.
public enum WorkerProgram {
    /// - Parameter arguments: without the program's name: `--model FOLDER`; then `--inspect` to look at the
    ///   model closely before it is loaded, or `--learn FOLDER --tools FOLDER` to learn a voice.
    public static func run(arguments: [String]) -> Never {
        EngineLog.begin()
        let isConnected = fcntl(ServiceConnection.descriptor, F_GETFD) >= 0
        if isConnected, EnrolmentProgram.isMeant(by: arguments) { EnrolmentProgram.run(arguments: arguments) }
        guard isConnected, arguments.first == "--model", [2, 3].contains(arguments.count),
            arguments.dropFirst(2).allSatisfy({ $0 == "--inspect" })
        else {
            EngineLog.write("error", "voicegate-recognizer is started by voicegated; there is nothing to do here.")
            exit(EX_USAGE)
        }
        do {
            try serve(modelFolder: arguments[1], inspects: arguments.count == 3)
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

    private static func serve(modelFolder: String, inspects: Bool) throws {
        lockIn("harden the process", vg_worker_harden())
        let confined = vg_worker_confine_files(modelFolder)
        // Before kernel 5.13, or where it is switched off: the filter below still forbids opening any file.
        if ![0, ENOSYS, EOPNOTSUPP, ENOENT, ENOTDIR].contains(confined) { lockIn("confine files", confined) }
        let model = try Model(folder: modelFolder)
        if inspects { try ModelInspection(model: model).check() }
        let finalPass = FinalPass(model: model)
        let decoder = try Decoder(model: model, purpose: .live)
        let statistics = try ModelStatistics(model)
        try finalPass.ready()
        lockIn("confine system calls", vg_worker_confine_calls())
        ServiceConnection.send(.ready)

        let connection = ServiceConnection()
        guard let first = try connection.next() else { return }
        guard case .start(let configuration) = first else { throw outOfOrder }
        let outbox = Outbox(send: ServiceConnection.send)
        let parts = Parts(decoder: decoder, finalPass: finalPass, outbox: outbox)
        adapt(decoder, finalPass, configuration, statistics)
        prepare(decoder, finalPass, configuration)
        let listener = try parts.listener(configuration)
        switch configuration.input {
        case .live:
            while let request = try connection.next() {
                switch request {
                case .audio(let samples, let position): listener.take(samples, at: position)
                case .finish: return listener.finish()
                case .start, .file: throw outOfOrder
                }
            }
        case .file:
            let session = try FileSession(listener: listener)
            while let request = try connection.next() {
                switch request {
                case .file(let bytes): try session.take(bytes)
                case .finish: return try session.finish()
                case .start, .audio: throw outOfOrder
                }
            }
        }
    }

    /// Lets both decoders hear as the speaker's voice was learnt; before any audio.
    private static func adapt(
        _ live: Decoder, _ finalPass: FinalPass, _ configuration: RecognitionConfiguration,
        _ statistics: ModelStatistics
    ) {
        guard let transform = configuration.adaptation.transform else { return }
        let apply: @Sendable (Decoder) -> Void = { decoder in
            guard !statistics.apply(transform, to: decoder) else { return }
            EngineLog.write("error", "The voice profile does not fit the model and is not used; enrol again.")
        }
        finalPass.prepare(apply)
        if configuration.input == .live { apply(live) }
    }

    /// Teaches both decoders what the session's client told; before its audio, so that no utterance is begun.
    private static func prepare(_ live: Decoder, _ finalPass: FinalPass, _ configuration: RecognitionConfiguration) {
        finalPass.prepare { $0.alternatives = configuration.alternatives }
        // Phrases and grammars have words of their own.
        guard case .dictation = configuration.task, !configuration.userWords.isEmpty else { return }
        let lesson = WordLesson(configuration.userWords) { live.phones(of: $0) }
        if lesson.unsayable > 0 {
            // Not which: they are the client's.
            EngineLog.write("warning", "\(lesson.unsayable) of the user's words have no pronunciation and are left out.")
        }
        finalPass.prepare { teach($0, lesson) }
        if configuration.input == .live { teach(live, lesson) }
    }

    private static func teach(_ decoder: Decoder, _ lesson: WordLesson) {
        if !decoder.learn(lesson) { EngineLog.write("error", "The recogniser did not take the user's words.") }
    }

    /// What a session is made of.
    private struct Parts {
        let decoder: Decoder
        let finalPass: FinalPass
        let outbox: Outbox

        func listener(_ configuration: RecognitionConfiguration) throws(RecognitionError) -> any Listener {
            switch configuration.task {
            case .dictation where configuration.input == .live:
                LiveSession(configuration: configuration, decoder: decoder, finalPass: finalPass, outbox: outbox)
            case .dictation:
                FinalSession(configuration: configuration, finalPass: finalPass, outbox: outbox)
            case .grammar(let text):
                GrammarSession(
                    configuration: configuration,
                    judge: try GrammarJudge(grammar: Grammar(text), finalPass: finalPass), outbox: outbox)
            case .phrases(let phrases):
                PhraseSession(
                    configuration: configuration,
                    judge: try PhraseJudge(book: PhraseBook(phrases), finalPass: finalPass), outbox: outbox)
            case .keyPhrases(let phrases):
                KeyPhraseSession(
                    configuration: configuration,
                    judge: try KeyPhraseJudge(phrases: phrases, finalPass: finalPass), outbox: outbox)
            }
        }
    }

    /// A worker that is not locked in must not see audio.
    static func lockIn(_ what: String, _ error: Int32) {
        guard error != 0 else { return }
        EngineLog.write("error", "cannot \(what): \(String(cString: strerror(error)))")
        exit(EX_OSERR)
    }

    private static let outOfOrder = RecognitionError(
        code: .protocolViolation, message: "The request does not fit what came before it.")
}
