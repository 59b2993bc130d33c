import RecognizerWorker
import Speech

/// Models that onnxruntime runs.
public struct ONNXEngine: LibraryEngine {
    public static let program = "voicegate-recognizer-onnx"
    /// Where onnxruntime learns which instructions it may use; it logs an error if it cannot.
    public static let readable = ["/proc/cpuinfo", "/sys/devices/system/cpu"]
    public static let systemLibraries = [
        "libstdc++.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libm.so.6",
    ]

    public let capabilities: EngineCapabilities
    private let detector: VoiceDetector
    private let readers: [PieceReader]

    public init(_ description: EngineDescription, decoders: Int) throws(RecognitionError) {
        let folder = try EngineFolder(description)
        try SherpaONNX.load(folder.library)
        capabilities = folder.capabilities
        // First, because loading it takes most memory for a moment.
        let model = try SpeechModel(folder)
        detector = try VoiceDetector(folder)
        var readers: [PieceReader] = []
        for _ in 0..<decoders { readers.append(PieceReader(model, try VoiceDetector(folder))) }
        self.readers = readers
        // The first decoding allocates, and reads what the library reads late.
        for reader in readers { try reader.warmUp() }
    }

    public func session(
        _ configuration: RecognitionConfiguration, _ outbox: Outbox
    ) throws(RecognitionError) -> UtteranceSession {
        try Self.check(configuration.task)
        let strategy: any UtteranceStrategy =
            configuration.input == .live
            ? NeuralDictation(threads: PieceThreads(readers), outbox: outbox) : fileDictation(configuration, outbox)
        return UtteranceSession(configuration, strategy, detector: StreamedVoices(detector))
    }

    /// Utterances of a file are cut only where the model's bounds need it (`SpeechPart`): cut after 6 s at a breath, and at 10 s in
    /// any case, as live speech is, they have 10.3 errors in 100 words instead of 8.4 (clips joined to 40 s).
    private func fileDictation(
        _ configuration: RecognitionConfiguration, _ outbox: Outbox
    ) -> FileDictation<PieceReader> {
        let unused = BlockingQueue<PieceReader>(capacity: readers.count)
        for reader in readers { unused.put(reader) }
        let decoders = DecoderThreads<PieceReader>(count: readers.count, waiting: 2 * readers.count) {
            () throws(RecognitionError) in
            guard let reader = unused.take() else { throw RecognitionError.outOfOrder }
            return reader
        }
        // Speech without a breath for a minute is cut at its longest pause: its parts may overlap, utterances may not.
        return FileDictation(
            configuration, decoders: decoders, outbox: outbox, breath: 25, longLength: 2_500, maximumLength: 6_000,
            lookBack: 3_500
        ) { utterance, reader in
            do throws(RecognitionError) {
                return utterance.transcript(
                    of: try reader.text(of: utterance.samples), decibels: NoiseMeter.decibels(of: utterance.samples))
            } catch {
                outbox.failed(error)
                return utterance.transcript(of: [])
            }
        }
    }

    private static func check(_ task: RecognitionTask) throws(RecognitionError) {
        switch task {
        case .dictation: return
        case .phrases, .keyPhrases:
            throw RecognitionError(
                code: .phraseRefused, message: "This engine recognises no phrases; use PocketSphinx.")
        case .grammar:
            throw RecognitionError(
                code: .grammarRefused, message: "This engine recognises no grammar; use PocketSphinx.")
        }
    }
}
