import RecognizerWorker
import Speech

/// Models that Vosk runs.
public struct VoskEngine: LibraryEngine {
    public static let program = "voicegate-recognizer-vosk"
    /// Where the library's linear algebra learns which instructions it may use.
    public static let readable = ["/proc/cpuinfo", "/sys/devices/system/cpu"]
    public static let systemLibraries = [
        "libatomic.so.1", "libstdc++.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "libm.so.6",
    ]

    public let capabilities: EngineCapabilities
    private let model: VoskModel
    private let decoders: DecoderThreads<VoskDecoder>

    public init(_ description: EngineDescription, decoders count: Int) throws(RecognitionError) {
        guard description.family == .vosk else {
            throw .unusableEngine(
                "\(description.folder)/engine.json names the family \(description.family.rawValue), which "
                    + "\(Self.program) does not run")
        }
        let model = try VoskModel(description)
        self.model = model
        decoders = DecoderThreads(count: count, waiting: count > 1 ? count : 16) { () throws(RecognitionError) in
            try VoskDecoder(model)
        }
        try decoders.ready()
        capabilities = description.capabilities(
            for: model.hasDynamicGraph ? [.dictation, .phrases, .grammar] : [.dictation])
    }

    public func session(
        _ configuration: RecognitionConfiguration, _ outbox: Outbox
    ) throws(RecognitionError) -> UtteranceSession {
        decoders.prepare {
            $0.onFailure = outbox.failed
            $0.alternatives = configuration.alternatives
        }
        return UtteranceSession(configuration, try strategy(configuration, outbox))
    }

    private func strategy(
        _ configuration: RecognitionConfiguration, _ outbox: Outbox
    ) throws(RecognitionError) -> any UtteranceStrategy {
        switch configuration.task {
        case .dictation where configuration.input == .live: return VoskDictation(decoders: decoders, outbox: outbox)
        case .dictation:
            return FileDictation(configuration, decoders: decoders, outbox: outbox) { $1.transcript(of: $0) }
        case .grammar(let text):
            guard model.hasDynamicGraph else {
                throw RecognitionError(
                    code: .grammarRefused, message: "This model recognises no grammar; use one with a dynamic graph.")
            }
            let judge = try judge(of: try Grammar(text).graph, refusal: Grammar.unknown)
            return JudgedSpeech(configuration, outbox: outbox, verdict: judge.verdict)
        case .phrases(let phrases):
            guard model.hasDynamicGraph else { throw Self.noPhrases }
            let book = try PhraseBook(phrases)
            let judge = try judge(of: GrammarGraph(phrases: book.spoken), refusal: PhraseBook.unknown)
            return JudgedSpeech(outbox: outbox) { utterance in
                let words = judge.verdict(on: utterance).sentence?.map(\.word)
                let phrase = words.flatMap { book.phrase($0.joined(separator: " ")) }
                return phrase.map { [utterance.transcript(saying: $0)] } ?? []
            }
        case .keyPhrases: throw Self.noPhrases
        }
    }

    private func judge(
        of graph: GrammarGraph, refusal: (_ word: String) -> RecognitionError
    ) throws(RecognitionError) -> VoskSentenceJudge {
        VoskSentenceJudge(
            graph: graph, sentences: try WordPieces(knows: model.knows).sentences(of: graph, refusal: refusal),
            decoders: decoders)
    }

    private static let noPhrases = RecognitionError(
        code: .phraseRefused, message: "This engine does not recognise these phrases; use PocketSphinx.")
}
