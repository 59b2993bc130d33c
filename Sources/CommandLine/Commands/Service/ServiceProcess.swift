import CLinux
import Foundation

/// The service, started in a session of its own, so that it outlives this command and its terminal.
final class ServiceProcess {
    /// The descriptor that the service says on that it listens.
    private static let readyDescriptor: CInt = 3
    /// Milliseconds until a service that says nothing counts as failed.
    private static let patience: Int32 = 60_000

    private let ready: CInt

    /// - Parameter log: where the service's output is appended.
    init(program: String, socketPath: String, log: String) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failed(program, errno) }
        ready = ends[0]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The service has its own copy; the pipe's end is seen only when this one is closed.
        defer { close(ends[1]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], Self.readyDescriptor)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        // What a shell left open here would stay open for as long as the service runs.
        for descriptor in Self.inheritable() where descriptor > Self.readyDescriptor {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this command ignores would be ignored by the service too.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(Int32(vg_spawn_setsid) | Int32(POSIX_SPAWN_SETSIGDEF)))

        let words = [program, "--socket", socketPath, "--ready-file-descriptor", "\(Self.readyDescriptor)"]
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let result = CStrings.with(words) { arguments in
            CStrings.with(environment) { posix_spawn(&process, program, &actions, &attributes, arguments, $0) }
        }
        guard result == 0 else {
            close(ready)
            throw Self.failed(program, result)
        }
    }

    deinit { close(ready) }

    /// - Returns: whether the service listens; `false` when it ended or stays silent. Blocks.
    func waitUntilReady() -> Bool {
        var state = pollfd(fd: ready, events: Int16(POLLIN), revents: 0)
        var result = poll(&state, 1, Self.patience)
        while result < 0, errno == EINTR { result = poll(&state, 1, Self.patience) }
        guard result > 0 else { return false }
        var byte: UInt8 = 0
        return read(ready, &byte, 1) == 1
    }

    /// The open descriptors that a new program would get.
    private static func inheritable() -> [CInt] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { CInt($0) }.filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }

    private static func failed(_ program: String, _ number: Int32) -> CommandError {
        CommandError(
            .cannotStart, .unavailable, "\(program) cannot be started: \(String(cString: strerror(number))).")
    }
}
