import CLinux
import Foundation
import LinuxSystem
import Logging
import RecognizerProtocol
import Speech
import Synchronization

/// One run of the process that learns a voice. `run` blocks; `cancel` may be called on any thread.
final class LearningProcess: Sendable {
    /// Seconds that it may be silent: while it loads its model, or decodes the longest recording.
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

    /// Kills the process and its tools.
    func cancel() {
        state.withLock { state in
            // It was not waited for yet, so that its identifier is still reserved. Its tools are in its group.
            if case .running(let process) = state { kill(-process, SIGKILL) }
            if case .over = state { return }
            state = .cancelled
        }
    }

    func run(_ clips: [EnrolmentClip]) throws(EnrolmentError) -> Adaptation {
        let folder = try MemoryFolder()
        let program = try start(folder.path)
        defer {
            finish(program)
            for descriptor in [program.socket, program.log] { close(descriptor) }
        }
        var timeout = timeval(tv_sec: Self.longestSilence, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(program.socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        do throws(EnrolmentError) {
            return try converse(clips, program.socket)
        } catch {
            if case .cancelled = state.withLock({ $0 }) { throw Self.cancelled }
            throw error
        }
    }

    private func start(_ work: String) throws(EnrolmentError) -> SpawnedProgram {
        // Under the lock, so that `cancel` finds either no process or one that it can kill.
        let result: Result<SpawnedProgram, EnrolmentError> = state.withLock { state in
            if case .cancelled = state { return .failure(Self.cancelled) }
            do throws(SpawnError) {
                let program = try SpawnedProgram(
                    [executable, "--model", modelFolder, "--learn", work, "--tools", tools], dropsLog: true)
                state = .running(program.process)
                return .success(program)
            } catch {
                return .failure(
                    EnrolmentError(code: .failed, message: "The voice learning process cannot be started: \(error)."))
            }
        }
        return try result.get()
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
            // It refused before the end; its reply gives the reason.
            if count < 0, errno == EPIPE { return }
            guard count > 0 else { throw errno == EAGAIN ? Self.tooSlow : Self.died }
            sent += count
        }
    }

    /// Kills it, logs its last errors, and waits for it.
    private func finish(_ program: SpawnedProgram) {
        state.withLock { state in
            kill(-program.process, SIGKILL)
            while waitpid(program.process, nil, 0) < 0, errno == EINTR {}
            if case .running = state { state = .over }
        }
        var lines = LogLines()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(program.log, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            for line in lines.take(Array(buffer[..<count])) where line.isError {
                logger.error("learning a voice", metadata: ["error": "\(line.text)"])
            }
        }
    }

    private static let cancelled = EnrolmentError(
        code: .cancelled, message: "The enrolment was cancelled; nothing was kept.")
    private static let died = EnrolmentError(
        code: .failed, message: "The voice learning process ended too early. See the service's log, then try again.")
    private static let tooSlow = EnrolmentError(
        code: .failed, message: "Learning the voice took too long and was stopped. Try again when the machine is idle.")
    private static let unexpected = EnrolmentError(
        code: .protocolViolation,
        message: "The voice learning process broke its protocol. Install VoiceGate again.")
}

/// A folder in memory for its owner alone, for data that must not reach a disk. `deinit` removes it with its content; after a
/// kill of the service the next folder's `init` does.
final class MemoryFolder {
    private static let place = "/dev/shm"
    private static let prefix = "voicegate-voice-"

    let path: String
    /// Its lock shows that the folder is in use.
    private let descriptor: Int32

    init() throws(EnrolmentError) {
        guard vg_is_in_memory(Self.place) == 1 else {
            throw EnrolmentError(
                code: .noMemory,
                message:
                    "\(Self.place) is not in memory, and your recordings must not reach a disk. Mount a tmpfs there.")
        }
        Self.removeForgotten()
        // Another process may take it for a forgotten one before it is held.
        while true {
            var template = Array((Self.place + "/" + Self.prefix + "XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else { throw Self.failure(errno) }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0, errno == ENOENT { continue }
            guard descriptor >= 0 else { throw Self.failure(errno) }
            var status = stat()
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            let reason = errno
            if isLocked, stat(path, &status) == 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
            rmdir(path)
            guard isLocked || reason == EWOULDBLOCK else { throw Self.failure(reason) }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    /// Removes our folders that are no longer in use.
    private static func removeForgotten() {
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
            message: "No folder can be created in \(place): \(String(cString: strerror(number))). Free space there.")
    }
}
