import CLinux
import Glibc

/// A program to start with default signal handling, no blocked signals and no descriptor but the given.
public struct ProgramStart: Sendable {
    /// Whose signals of a terminal reach it, such as Ctrl-C.
    public enum Group: Sendable {
        case ofCaller
        case own
        /// Of a session without a terminal.
        case ownSession
    }

    /// The first is the program's absolute path.
    let arguments: [String]
    let environment: [String: String]
    /// This process's descriptors that become 0, 1 and so on; /dev/null for `nil` and for a closed one.
    let descriptors: [Int32?]
    let group: Group
    /// `nil`: this process's.
    let folder: String?

    public init(
        _ arguments: [String], environment: [String: String], descriptors: [Int32?], group: Group = .ofCaller,
        folder: String? = nil
    ) {
        self.arguments = arguments
        self.environment = environment
        self.descriptors = descriptors
        self.group = group
        self.folder = folder
    }

    /// - Returns: the process, which must be waited for.
    public func start() throws(SpawnError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Above all that the program gets, so that no action overwrites the source of a later one.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (number, descriptor) in zip(Int32(0)..., descriptors) {
            guard let descriptor, fcntl(descriptor, F_GETFD) >= 0 else {
                let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
                continue
            }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, Int32(descriptors.count))
            guard copy >= 0 else { throw SpawnError(errorNumber: errno) }
            copies.append(copy)
            posix_spawn_file_actions_adddup2(&actions, copy, number)
        }
        vg_spawn_close_from(&actions, Int32(descriptors.count))
        if let folder { vg_spawn_change_directory(&actions, folder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Dispatch's threads block signals, and this program may ignore some.
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        switch group {
        case .ofCaller: break
        case .own: flags |= Int16(POSIX_SPAWN_SETPGROUP)
        case .ownSession: flags |= vg_spawn_setsid
        }
        posix_spawnattr_setflags(&attributes, flags)
        var process: pid_t = 0
        let number = CStrings.with(arguments) { words in
            CStrings.with(environment.map { "\($0)=\($1)" }) {
                posix_spawn(&process, arguments.first ?? "", &actions, &attributes, words, $0)
            }
        }
        guard number == 0 else { throw SpawnError(errorNumber: number) }
        return process
    }
}

/// A program could not be started.
public struct SpawnError: Error, CustomStringConvertible {
    public let errorNumber: Int32

    public init(errorNumber: Int32) { self.errorNumber = errorNumber }

    public var description: String { String(cString: strerror(errorNumber)) }
}
