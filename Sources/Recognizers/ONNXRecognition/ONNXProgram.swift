import CLinux
import Foundation
import RecognizerProtocol
import RecognizerWorker
import Speech

/// The worker for engines whose models onnxruntime runs: one session of recognition for the service at the other end of
/// descriptor 3. The process ends with the session, and with it every memory of what was heard.
public enum ONNXProgram {
    /// `--model FOLDER [--inspect]`, or `--model FOLDER --file-decoders COUNT [--give-way]` for a sound file.
    private struct Work {
        let folder: String
        /// 0: for any session.
        var fileDecoders = 0
        var givesWay = false

        init?(_ arguments: [String]) {
            guard arguments.count >= 2, arguments[0] == "--model" else { return nil }
            folder = arguments[1]
            let rest = Array(arguments.dropFirst(2))
            // An engine's files are verified by their digests before it is started.
            if rest.isEmpty || rest == ["--inspect"] { return }
            guard rest.count == 2 || Array(rest.dropFirst(2)) == ["--give-way"], rest[0] == "--file-decoders",
                let count = Int(rest[1]), (1...64).contains(count)
            else { return nil }
            fileDecoders = count
            givesWay = rest.count == 3
        }
    }

    /// What is loaded before there is audio.
    private struct Loaded {
        let capabilities: EngineCapabilities
        let detector: VoiceDetector
        let readers: [PieceReader]

        init(_ folder: EngineFolder, readers count: Int) throws(RecognitionError) {
            try SherpaONNX.load(folder.library)
            capabilities = folder.capabilities
            // First, because loading it takes most memory for a moment.
            let model = try SpeechModel(folder)
            detector = try VoiceDetector(folder)
            var readers: [PieceReader] = []
            for _ in 0..<count { readers.append(PieceReader(model, try VoiceDetector(folder))) }
            self.readers = readers
            // The first decoding allocates, and reads what the library reads late.
            for reader in readers { try reader.warmUp() }
        }
    }

    /// - Parameter arguments: without the program's name.
    public static func run(arguments: [String]) -> Never {
        guard fcntl(ServiceConnection.descriptor, F_GETFD) >= 0, let work = Work(arguments) else {
            EngineLog.write("error", "voicegate-recognizer-onnx is started by voicegated and cannot be used alone.")
            exit(EX_USAGE)
        }
        do {
            try serve(work)
            // Without the library's own end, which waits for nothing of value.
            _exit(EXIT_SUCCESS)
        } catch {
            ServiceConnection.send(WorkerReply.recognized(.failed(RecognitionError(error))))
        }
        _exit(EXIT_FAILURE)
    }

    /// Where onnxruntime learns which instructions it may use; it logs an error if it cannot.
    private static let processors = ["/proc/cpuinfo", "/sys/devices/system/cpu"]

    private static func serve(_ work: Work) throws {
        Confinement.confine("harden the process", vg_sandbox_begin(VG_LOADING))
        // Fails if the priority is lower already.
        if work.givesWay { _ = vg_worker_give_way() }
        SherpaONNX.prepare()
        // Without Landlock the model is read by a process that may read other files, but cannot communicate. Before there is
        // audio, the second filter forbids opening any file.
        Confinement.confineFiles(VG_LOADING, reading: [work.folder] + processors)
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_LOADING))
        let loaded = try Loaded(EngineFolder(work.folder), readers: max(work.fileDecoders, 1))
        let pipe = FileFeed.Pipe()
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_RECOGNIZER))
        ServiceConnection.send(WorkerReply.ready(loaded.capabilities))
        let connection = ServiceConnection()
        guard let first = try connection.next() else { return }
        guard case .start(let configuration) = first else { throw RecognitionError.outOfOrder }
        try check(configuration.task)
        let isFile = configuration.input == .file
        guard work.fileDecoders == 0 || isFile else { throw RecognitionError.outOfOrder }
        let outbox = Outbox(isFile: isFile, write: ServiceConnection.send)
        let dictation = NeuralDictation(configuration, threads: PieceThreads(loaded.readers), outbox: outbox)
        let session = UtteranceSession(configuration, dictation, detector: StreamedVoices(loaded.detector))
        guard !isFile else { return try session.takeFile(FileFeed(pipe: pipe, connection)) }
        try session.takeAudio(from: connection)
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
