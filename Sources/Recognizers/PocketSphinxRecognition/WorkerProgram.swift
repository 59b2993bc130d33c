import CLinux
import Foundation
import RecognizerProtocol
import RecognizerWorker
import SoundFiles
import Speech

/// The worker: one session of recognition for the service at the other end of descriptor 3. The process ends with the
/// session, and with it every memory of what was heard.
public enum WorkerProgram {
    /// What the service starts the worker for.
    private enum Work {
        /// `--model FOLDER [--inspect]`: a live session, or a check of phrases. `--inspect` checks the model's files first.
        case session(model: String, inspectsModel: Bool)
        /// `--model FOLDER --file-decoders COUNT [--give-way]`: a sound file; `--give-way` lowers the priority.
        case file(model: String, decoders: Int, givesWay: Bool)

        init?(_ arguments: [String]) {
            guard arguments.count >= 2, arguments[0] == "--model" else { return nil }
            let model = arguments[1]
            let rest = Array(arguments.dropFirst(2))
            switch rest.first {
            case nil: self = .session(model: model, inspectsModel: false)
            case "--inspect" where rest.count == 1: self = .session(model: model, inspectsModel: true)
            case "--file-decoders" where rest.count == 2 || Array(rest.dropFirst(2)) == ["--give-way"]:
                guard let decoders = Int(rest[1]), (1...64).contains(decoders) else { return nil }
                self = .file(model: model, decoders: decoders, givesWay: rest.count == 3)
            default: return nil
            }
        }
    }

    /// - Parameter arguments: without the program's name.
    public static func run(arguments: [String]) -> Never {
        EngineLog.begin()
        guard fcntl(ServiceConnection.descriptor, F_GETFD) >= 0, let work = Work(arguments) else {
            EngineLog.write("error", "voicegate-recognizer is started by voicegated and cannot be used alone.")
            exit(EX_USAGE)
        }
        do {
            switch work {
            case .session(let model, let inspects): try serve(model, inspectsModel: inspects)
            case .file(let model, let decoders, let givesWay):
                try serve(model, fileDecoders: decoders, givesWay: givesWay)
            }
            exit(EXIT_SUCCESS)
        } catch {
            ServiceConnection.send(WorkerReply.recognized(.failed(RecognitionError(error))))
        }
        exit(EXIT_FAILURE)
    }

    /// - Parameters:
    ///   - fileDecoders: how many decode a sound file; 0: one, for any session.
    ///   - givesWay: whether it waits for live speech.
    private static func serve(
        _ folder: String, fileDecoders: Int = 0, givesWay: Bool = false, inspectsModel: Bool = false
    ) throws {
        Confinement.confine("harden the process", vg_sandbox_begin(VG_LOADING))
        // Fails if the priority is lower already.
        if givesWay { _ = vg_worker_give_way() }
        if fileDecoders > 0 { FFmpeg.load() }
        let model = try confinedModel(folder)
        if inspectsModel { try ModelInspection(model: model).check() }
        let pipe = FileFeed.Pipe()
        let decoders = Decoders(
            model: model, isForDictation: fileDecoders > 0, count: max(fileDecoders, 1),
            waiting: fileDecoders > 0 ? fileDecoders : 16)
        guard let (connection, configuration) = try start(decoders, model.capabilities) else { return }
        let isFile = configuration.input == .file
        guard fileDecoders == 0 || isFile && configuration.task == .dictation else { throw RecognitionError.outOfOrder }
        let outbox = Outbox(isFile: isFile, write: ServiceConnection.send)
        decoders.prepare {
            $0.onFailure = outbox.failed
            $0.prepare(for: configuration)
        }
        let session = UtteranceSession(configuration, try strategy(configuration, decoders, outbox))
        guard !isFile else { return try session.takeFile(FileFeed(pipe: pipe, connection)) }
        try session.takeAudio(from: connection)
    }

    private static func confinedModel(_ folder: String) throws(RecognitionError) -> Model {
        // Without Landlock the model is read by a process that may read other files, but cannot communicate. Before there is
        // audio, the second filter forbids opening any file.
        Confinement.confineFiles(VG_LOADING, reading: [folder])
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_LOADING))
        return try Model(folder: folder)
    }

    /// Waits for the model, confines the process and waits for the session; `nil`: the service wants none.
    private static func start(
        _ decoders: Decoders, _ capabilities: EngineCapabilities
    ) throws -> sending (ServiceConnection, RecognitionConfiguration)? {
        try decoders.ready()
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_RECOGNIZER))
        ServiceConnection.send(WorkerReply.ready(capabilities))
        let connection = ServiceConnection()
        guard let first = try connection.next() else { return nil }
        guard case .start(let configuration) = first else { throw RecognitionError.outOfOrder }
        return (connection, configuration)
    }

    private static func strategy(
        _ configuration: RecognitionConfiguration, _ decoders: Decoders, _ outbox: Outbox
    ) throws(RecognitionError) -> any UtteranceStrategy {
        switch configuration.task {
        case .dictation where configuration.input == .live: return LiveDictation(decoders: decoders, outbox: outbox)
        case .dictation: return FileDictation(configuration, decoders: decoders, outbox: outbox)
        case .grammar(let text):
            let grammar = try Grammar(text)
            if let word = decoders.unknown(in: grammar.words.sorted()) { throw Grammar.unknown(word) }
            let judge = SentenceJudge(graph: grammar.graph, decoders: decoders)
            return JudgedSpeech(configuration, outbox: outbox) { utterance in
                switch judge.verdict(on: utterance.samples) {
                case .sentence(let segments): .sentence(utterance.transcript(of: segments).words)
                case .otherSpeech: .otherSpeech
                case .noise: .noise
                }
            }
        case .phrases(let phrases):
            let book = try knownPhrases(phrases, decoders)
            let judge = SentenceJudge(graph: GrammarGraph(phrases: book.spoken), decoders: decoders)
            return JudgedSpeech(outbox: outbox) { utterance in
                let words = judge.verdict(on: utterance.samples).sentence?.compactMap { Vocabulary.word($0.word) }
                let phrase = words.flatMap { book.phrase($0.joined(separator: " ")) }
                return phrase.map { [utterance.transcript(saying: $0)] } ?? []
            }
        case .keyPhrases(let phrases):
            _ = try knownPhrases(phrases.map(\.text), decoders)
            let judge = KeyPhraseJudge(phrases, decoders: decoders, worked: outbox.worked)
            return JudgedSpeech(
                outbox: outbox, longLength: KeyPhraseJudge.longLength, judge: judge.transcripts)
        }
    }

    /// - Throws: `phraseRefused` naming a phrase, or a word that the model does not know.
    private static func knownPhrases(
        _ phrases: [String], _ decoders: Decoders
    ) throws(RecognitionError) -> PhraseBook {
        let book = try PhraseBook(phrases)
        if let word = decoders.unknown(in: Array(book.spoken.joined())) { throw PhraseBook.unknown(word) }
        return book
    }
}
