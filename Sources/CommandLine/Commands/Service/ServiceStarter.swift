import CLinux
import Foundation
import LinuxSystem
import SocketAPI

/// Starts the service once, even if several commands find it missing at the same time.
struct ServiceStarter: Sendable {
    let socketPath: String
    let paths: ServicePaths

    /// Returns when the service listens.
    ///
    /// - Parameter isRunning: whether another command has started it meanwhile.
    func start(unless isRunning: @Sendable () async -> Bool) async throws {
        try SocketPath.check(socketPath)
        let directory = SocketPath.directory(of: socketPath)
        if access(directory, F_OK) != 0 { try PrivateDirectory.make(directory) }
        try PrivateDirectory.make(paths.stateDirectory)
        let program = try ServiceProgram.find()
        let lock = try await Blocking.run { try StartLock(directory: directory) }
        // Held until the service listens; waiting commands then find it running.
        defer { withExtendedLifetime(lock) {} }
        if await isRunning() { return }
        let log = paths.log
        let logStart = (try? FileMetadata(path: log))?.size ?? 0
        if try await Blocking.run({ try program.start(socketPath: socketPath, log: log) }) { return }
        // A service started by hand has the socket.
        if await isRunning() { return }
        let messages = lastMessages(from: UInt64(logStart))
        throw CommandError(
            .cannotStart,
            "The VoiceGate service could not be started. "
                + (messages.isEmpty ? "It left no message in \(log)." : "Its last messages (\(log)):\n\(messages)"))
    }

    /// The end of what the service has logged since it was started.
    private func lastMessages(from start: UInt64) -> String {
        guard let file = FileHandle(forReadingAtPath: paths.log) else { return "" }
        defer { try? file.close() }
        let end = (try? file.seekToEnd()) ?? 0
        let mostBytes: UInt64 = 4_096
        guard end > start, (try? file.seek(toOffset: max(start, end - min(end, mostBytes)))) != nil else { return "" }
        let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").suffix(5).map { "  " + $0 }.joined(separator: "\n")
    }
}

/// The lock of the command that starts the service; released with the object.
private final class StartLock: Sendable {
    private let descriptor: OwnedDescriptor

    /// Waits until no other command has it.
    init(directory: String) throws {
        let path = directory + "/start.lock"
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.cannotLock(path, errno) }
        descriptor = OwnedDescriptor(owning: number)
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.cannotLock(path, errno) }
        }
    }

    private static func cannotLock(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .cannotStart,
            "The VoiceGate service cannot be started, because \(path) cannot be locked: \(systemMessage(number)).")
    }
}

/// The service's program, started in its own session, so that it outlives this command and its terminal.
private struct ServiceProgram {
    private static let name = "voicegated"
    /// The service writes a byte to this descriptor when it listens.
    private static let readyDescriptor: CInt = 3
    /// Milliseconds until a silent service counts as failed.
    private static let timeout: Int32 = 60_000

    let path: String

    /// The one beside this program, otherwise the first in PATH.
    static func find() throws -> ServiceProgram {
        let sibling = ownFolder.map { $0 + "/" + name }
        if let sibling, ProgramEnvironment.isExecutable(sibling) { return ServiceProgram(path: sibling) }
        let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
        if let path = ProgramEnvironment.find(name, in: searchPath) { return ServiceProgram(path: path) }
        throw CommandError(
            .cannotStart,
            "The VoiceGate service is not running, and \(name) is neither beside this program nor in PATH. "
                + "Install all of VoiceGate.")
    }

    /// Read from the kernel, so that links to the program work.
    private static var ownFolder: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            ($0 as NSString).deletingLastPathComponent
        }
    }

    /// Blocks until the service listens, ends, or is silent for too long.
    ///
    /// - Parameter log: where the service's output is appended.
    /// - Returns: whether the service listens.
    func start(socketPath: String, log: String) throws -> Bool {
        var ends: [CInt] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { throw CommandError.cannotStart(path, errno: errno) }
        let ready = OwnedDescriptor(owning: ends[0])
        do {
            // The end of the pipe is visible only if this copy is closed.
            defer { close(ends[1]) }
            try spawn(socketPath: socketPath, log: log, ready: ends[1])
        }
        var state = pollfd(fd: ready.rawValue, events: Int16(POLLIN), revents: 0)
        var result = poll(&state, 1, Self.timeout)
        while result < 0, errno == EINTR { result = poll(&state, 1, Self.timeout) }
        guard result > 0 else { return false }
        var byte: UInt8 = 0
        return read(ready.rawValue, &byte, 1) == 1
    }

    private func spawn(socketPath: String, log: String, ready: CInt) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ready, Self.readyDescriptor)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        // Descriptors that the shell left open would stay open in the service.
        vg_spawn_close_from(&actions, Self.readyDescriptor + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The service would inherit the ignored signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(Int32(vg_spawn_setsid) | Int32(POSIX_SPAWN_SETSIGDEF)))

        let words = [path, "--socket", socketPath, "--ready-file-descriptor", "\(Self.readyDescriptor)"]
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let result = CStrings.with(words) { arguments in
            CStrings.with(environment) { posix_spawn(&process, path, &actions, &attributes, arguments, $0) }
        }
        guard result == 0 else { throw CommandError.cannotStart(path, errno: result) }
    }
}
