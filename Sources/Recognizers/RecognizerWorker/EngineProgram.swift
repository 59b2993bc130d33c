import CLinux
import Foundation
import RecognizerProtocol
import SoundFiles
import Speech

/// An engine whose library is in its folder.
public protocol LibraryEngine {
    /// The name of its program.
    static var program: String { get }

    /// What the library reads besides the engine's folder.
    static var readable: [String] { get }

    /// What the library needs of the system, by the names under which it asks for it.
    static var systemLibraries: [String] { get }

    var capabilities: EngineCapabilities { get }

    /// Loads library and model, in the confined process: the library's initialisers run here.
    ///
    /// - Parameter decoders: for one session.
    init(_ description: EngineDescription, decoders: Int) throws(RecognitionError)

    /// - Throws: if it does not do the task.
    func session(
        _ configuration: RecognitionConfiguration, _ outbox: Outbox
    ) throws(RecognitionError) -> UtteranceSession
}

/// The worker for an engine with its own library: one session of recognition for the service at the other end of descriptor 3. The
/// process ends with the session, and with it every memory of what was heard.
public enum EngineProgram<Engine: LibraryEngine> {
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

    /// - Parameter arguments: without the program's name.
    public static func run(arguments: [String]) -> Never {
        guard fcntl(ServiceConnection.descriptor, F_GETFD) >= 0, let work = Work(arguments) else {
            EngineLog.write("error", "\(Engine.program) is started by voicegated and cannot be used alone.")
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

    private static func serve(_ work: Work) throws {
        Confinement.confine("harden the process", vg_sandbox_begin(VG_LOADING))
        // Fails if the priority is lower already.
        if work.givesWay { _ = vg_worker_give_way() }
        if work.fileDecoders > 0 { FFmpeg.load() }
        // The engine's folder is all that can be read once the process is confined.
        for name in Engine.systemLibraries { _ = dlopen(name, RTLD_NOW) }
        // Without Landlock the model is read by a process that may read other files, but cannot communicate. Before there is
        // audio, the second filter forbids opening any file.
        Confinement.confineFiles(VG_LOADING, reading: [work.folder] + Engine.readable)
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_LOADING))
        let engine = try Engine(EngineDescription(work.folder), decoders: max(work.fileDecoders, 1))
        let pipe = FileFeed.Pipe()
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_RECOGNIZER))
        ServiceConnection.send(WorkerReply.ready(engine.capabilities))
        let connection = ServiceConnection()
        guard let first = try connection.next() else { return }
        guard case .start(let configuration) = first else { throw RecognitionError.outOfOrder }
        let isFile = configuration.input == .file
        guard work.fileDecoders == 0 || isFile else { throw RecognitionError.outOfOrder }
        let session = try engine.session(configuration, Outbox(isFile: isFile, write: ServiceConnection.send))
        guard !isFile else { return try session.takeFile(FileFeed(pipe: pipe, connection)) }
        try session.takeAudio(from: connection)
    }
}
