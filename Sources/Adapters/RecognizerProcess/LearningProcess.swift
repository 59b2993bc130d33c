import CLinux
import Foundation
import Logging
import RecognizerProtocol
import Speech
import Synchronization

/// One run of the process that learns a voice. `run` blocks; `cancel` may come from any thread.
final class LearningProcess: Sendable {
    /// Seconds that it may be silent: loading its model, or decoding the longest recording.
    private static let longestSilence = 120
    private static let longestWork = Duration.seconds(1_800)

    private enum State {
        case waiting
        case running(pid_t)
        case cancelled
        case over
    }

    private let executable: String
    private let modelFolder: String
    private let tools: String
    private let logger: Logger
    private let onProgress: @Sendable (Double) -> Void
    private let state = Mutex(State.waiting)

    init(
        executable: String, modelFolder: String, tools: String, logger: Logger,
        onProgress: @escaping @Sendable (Double) -> Void
    ) {
        self.executable = executable
        self.modelFolder = modelFolder
        self.tools = tools
        self.logger = logger
        self.onProgress = onProgress
    }

    /// Ends it and what it started.
    func cancel() {
        state.withLock { state in
            // Not waited for yet, so the identifier is its own; its group has its tools.
            if case .running(let process) = state { kill(-process, SIGKILL) }
            if case .over = state { return }
            state = .cancelled
        }
    }

    func run(_ clips: [EnrolmentClip]) throws(EnrolmentError) -> Adaptation {
        let folder = try MemoryFolder()
        guard let (socket, theirs) = SocketPair.make() else { throw Self.cannotStart(errno) }
        defer { close(socket) }
        guard let (log, theirLog) = SocketPair.make() else {
            close(theirs)
            throw Self.cannotStart(errno)
        }
        defer { close(log) }
        // A process that complains without end is not held up by it.
        SocketPair.makeNonBlocking(theirLog)
        let process = try start(folder.path, theirs, theirLog)
        defer { finish(process, log) }
        var patience = timeval(tv_sec: Self.longestSilence, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        do throws(EnrolmentError) {
            return try converse(clips, socket)
        } catch {
            if case .cancelled = state.withLock({ $0 }) { throw Self.cancelled }
            throw error
        }
    }

    private func start(_ work: String, _ socket: Int32, _ log: Int32) throws(EnrolmentError) -> pid_t {
        defer { for descriptor in [socket, log] { close(descriptor) } }
        var process: pid_t = 0
        let words = [executable, "--model", modelFolder, "--learn", work, "--tools", tools]
        let error: Int32? = state.withLock { state in
            if case .cancelled = state { return nil }
            let error = WorkerProcess.withCStrings(words) { arguments in
                WorkerProcess.withCStrings(WorkerProcess.environment) { environment in
                    vg_worker_spawn(executable, arguments, environment, socket, log, &process)
                }
            }
            if error == 0 { state = .running(process) }
            return error
        }
        guard let error else { throw Self.cancelled }
        guard error == 0 else { throw Self.cannotStart(error) }
        return process
    }

    private func converse(_ clips: [EnrolmentClip], _ socket: Int32) throws(EnrolmentError) -> Adaptation {
        let deadline = ContinuousClock.now + Self.longestWork
        var decoder = WyomingDecoder()
        guard case .ready = try next(&decoder, socket) else { throw Self.unexpected }
        for clip in clips {
            let (input, bytes): (RecognitionConfiguration.Input, [UInt8]) =
                switch clip.sound {
                case .samples(let samples): (.live, samples.withUnsafeBytes { Array($0) })
                case .file(let bytes): (.file, bytes)
                }
            try send(.clip(text: clip.text, input: input), socket)
            for start in stride(from: 0, to: bytes.count, by: EnrolmentRequest.largestPiece) {
                try send(.piece(Array(bytes[start..<min(start + EnrolmentRequest.largestPiece, bytes.count)])), socket)
            }
        }
        try send(.learn, socket)
        while ContinuousClock.now < deadline {
            switch try next(&decoder, socket) {
            case .progress(let share): onProgress(share)
            case .learnt(let adaptation): return adaptation
            case .failed(let error): throw error
            case .ready: throw Self.unexpected
            }
        }
        throw Self.tooSlow
    }

    private func next(_ decoder: inout WyomingDecoder, _ socket: Int32) throws(EnrolmentError) -> EnrolmentReply {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            do {
                if let event = try decoder.next() { return try EnrolmentReply(event) }
            } catch {
                throw Self.unexpected
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw Self.tooSlow }
            guard count > 0 else { throw Self.died }
            decoder.append(buffer[..<count])
        }
    }

    private func send(_ request: EnrolmentRequest, _ socket: Int32) throws(EnrolmentError) {
        guard let bytes = try? request.event.encoded() else { throw Self.unexpected }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            // It refuses in the middle: why, stands in what there is to read.
            if count < 0, errno == EPIPE { return }
            guard count > 0 else { throw errno == EAGAIN ? Self.tooSlow : Self.died }
            sent += count
        }
    }

    /// Ends it, takes its last words, and waits for it.
    private func finish(_ process: pid_t, _ log: Int32) {
        state.withLock { state in
            kill(-process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            if case .running = state { state = .over }
        }
        var lines = LogLines()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(log, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            for line in lines.take(Array(buffer[..<count])) where line.isError {
                logger.error("learning a voice", metadata: ["said": "\(line.text)"])
            }
        }
    }
}

extension LearningProcess {
    static let cancelled = EnrolmentError(code: .cancelled, message: "It was given up; nothing of it is kept.")

    static let died = EnrolmentError(
        code: .failed,
        message: "The process that learns a voice ended too early; the service's log may say why. "
            + ""
            + "Try again.")

    static let tooSlow = EnrolmentError(
        code: .failed, message: "Learning the voice took too long and was ended; try again when the machine is idle.")

    static let unexpected = EnrolmentError(
        code: .protocolViolation,
        message: "The process that learns a voice said something else than it should; install VoiceGate again.")

    static func cannotStart(_ number: Int32) -> EnrolmentError {
        EnrolmentError(
            code: .failed,
            message: "The process that learns a voice cannot be started: \(String(cString: strerror(number))).")
    }
}

/// An empty folder on a file system in memory, for its owner alone, for what must not reach a disk. Removed with all that
/// is in it when this object goes, and by the next one's maker where a service was killed meanwhile.
final class MemoryFolder {
    private static let place = "/dev/shm"
    private static let prefix = "voicegate-voice-"

    let path: String
    /// Holds a lock, by which others see that somebody uses it.
    private let descriptor: Int32

    init() throws(EnrolmentError) {
        guard vg_is_in_memory(Self.place) == 1 else {
            throw EnrolmentError(
                code: .noMemory,
                message: "\(Self.place) is no file system in memory, and what you read must not reach a disk. Mount a "
                    + "tmpfs there.")
        }
        Self.removeForgotten()
        var template = Array((Self.place + "/" + Self.prefix + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.failure(errno) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    /// Folders of our own that nobody holds any more.
    static func removeForgotten() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let descriptor = open(place + "/" + name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: place + "/" + name)
        }
    }

    private static func failure(_ number: Int32) -> EnrolmentError {
        EnrolmentError(
            code: .noMemory,
            message: "No folder can be made in \(place): \(String(cString: strerror(number))). Free some room there.")
    }
}
