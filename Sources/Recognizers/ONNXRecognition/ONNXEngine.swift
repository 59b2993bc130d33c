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
        let dictation = NeuralDictation(configuration, threads: PieceThreads(readers), outbox: outbox)
        return UtteranceSession(configuration, dictation, detector: StreamedVoices(detector))
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
