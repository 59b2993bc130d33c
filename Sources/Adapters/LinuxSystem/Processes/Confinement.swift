import Authorization
import CLinux
import Dispatch
import Foundation
import Glibc

/// Removes this process's network and hides all sockets but VoiceGate's, permanently and for all child processes. Needs no
/// privileges if the kernel allows user namespaces for all users.
///
/// For a process with one thread that calls `exec` right afterwards. After an error the process must end: it may be partly
/// confined.
public struct Confinement: Sendable {
    /// The folders of sockets, shared files and POSIX message queues. Each is replaced by an empty folder.
    static let coveredFolders = ["/run", "/var/run", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"]
    /// The most sockets that are hidden one by one; with more nothing is started.
    static let mostSockets = 4096

    /// VoiceGate's own socket, which stays reachable.
    let socket: String
    let runtimeFolder: String?

    /// - Parameters:
    ///   - socket: of the running service.
    ///   - runtimeFolder: `XDG_RUNTIME_DIR`; empty afterwards.
    public init(socket: String, runtimeFolder: String?) {
        self.socket = socket
        self.runtimeFolder = runtimeFolder
    }

    /// - Throws: `notConfined`, with the next step.
    public func enter() throws(ProcessError) {
        guard let socket = RealPath.of(socket) else {
            throw Self.failed("The service's socket \(self.socket) does not exist", errno)
        }
        guard let folder = RealPath.of(".") else { throw Self.failed("The working folder cannot be read", errno) }
        // Before entering the namespace, whose own list is empty.
        let others = try UnixSocketTable.paths().filter { $0 != socket }
        let error = vg_sandbox_enter_namespaces(VG_NO_NETWORK)
        guard error == 0 else { throw Self.refused(error) }
        try Self.check(vg_keep_mounts_private(), "The mounts cannot be made private")
        try Self.check(vg_raise_loopback(), "The loopback device cannot be brought up")
        let covered = try cover(socket)
        try coverSockets(others.filter { !Self.isWithin(covered, $0) })
        // Enters the folder again, which may be hidden now.
        guard chdir(folder) == 0 else {
            throw ProcessError(
                code: .notConfined,
                message:
                    "The folder \(folder) is not available to a program without a network. Start it from another folder."
            )
        }
        try Self.check(vg_drop_privileges(), "The privileges cannot be dropped")
    }

    /// - Returns: the hidden folders.
    private func cover(_ socket: String) throws(ProcessError) -> [String] {
        let place = vg_open_place(socket)
        guard place >= 0 else { throw Self.failed("The service's socket \(socket) cannot be opened", errno) }
        defer { close(place) }
        var covered: [String] = []
        for folder in Self.coveredFolders + (runtimeFolder.map { [$0] } ?? []) {
            guard let path = RealPath.of(folder), !Self.isWithin(covered, path) else { continue }
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            try Self.check(vg_cover_folder(path, status.st_mode), "\(path) cannot be hidden")
            covered.append(path)
        }
        if let runtimeFolder, runtimeFolder.hasPrefix("/") { try Self.makeFolder(runtimeFolder) }
        guard Self.isWithin(covered, socket) else { return covered }
        try Self.makeFolder(String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)]))
        let file = open(socket, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failed("A mount point for \(socket) cannot be created", errno) }
        close(file)
        try Self.check(vg_mount_over(place, socket), "\(socket) cannot be mounted")
        return covered
    }

    private func coverSockets(_ paths: [String]) throws(ProcessError) {
        let nothing = vg_open_place("/dev/null")
        guard nothing >= 0 else { throw Self.failed("/dev/null cannot be opened", errno) }
        defer { close(nothing) }
        for path in paths {
            var status = stat()
            // A path that does not exist cannot be reached either.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { continue }
            try Self.check(vg_mount_over(nothing, path), "The socket \(path) cannot be hidden")
        }
    }

    private static func makeFolder(_ path: String) throws(ProcessError) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw failed("\(made) cannot be created", errno) }
        }
    }

    static func isWithin(_ folders: [String], _ path: String) -> Bool {
        folders.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private static func check(_ error: Int32, _ what: String) throws(ProcessError) {
        guard error == 0 else { throw failed(what, error) }
    }

    private static func failed(_ what: String, _ number: Int32) -> ProcessError {
        ProcessError(
            code: .notConfined, message: "\(what): \(String(cString: strerror(number))). Nothing was started.")
    }

    /// The likely reason why the kernel refuses a namespace, and the setting that allows it.
    private static func refused(_ number: Int32) -> ProcessError {
        let settings = [
            ("kernel.unprivileged_userns_clone", "0", "1"), ("user.max_user_namespaces", "0", "10000"),
            ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
        ]
        let setting = settings.first { name, forbidding, _ in
            KernelSetting.value(of: name) == forbidding
        }
        let step =
            setting.map { "An administrator allows it with: sysctl -w \($0.0)=\($0.2)" }
            ?? "Ask the administrator to allow user namespaces, or run it in a container that has them."
        return ProcessError(
            code: .notConfined,
            message:
                "The program cannot be started without a network, because the kernel allows no user namespace for this "
                + "user: \(String(cString: strerror(number))). Nothing was started. \(step)")
    }
}

/// Starts programs in their own session, with only the given arguments and environment.
public enum ProgramLaunch {
    /// A program that was started.
    public struct Running: Sendable {
        public let process: Int32
        fileprivate let handle: ProcessHandle

        /// `nil` if it has ended and its status was read.
        public var identity: ProcessIdentity? {
            (try? ProcessStatus(of: process)).map {
                ProcessIdentity(processIdentifier: process, startTime: $0.startTime)
            }
        }

        /// Waits for the program's end. Call it once; no other code may wait for the process.
        ///
        /// - Returns: the exit status, or 128 and the signal that ended it; `nil` if this process did not start it, which
        ///   alone gets the status.
        public func exitStatus() async -> Int32? {
            await withCheckedContinuation { continuation in
                handle.onExit {
                    var status: Int32 = 0
                    var ended = waitpid(process, &status, 0)
                    while ended < 0, errno == EINTR { ended = waitpid(process, &status, 0) }
                    guard ended == process else { return continuation.resume(returning: nil) }
                    let signal = status & 0x7F
                    continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : 128 + signal)
                }
            }
        }
    }

    /// A process that an earlier run of this program started; `nil` if it has ended.
    public static func running(_ process: ProcessIdentity) -> Running? {
        guard let handle = try? ProcessHandle(processIdentifier: process.processIdentifier), handle.isAlive,
            // The identifier may be reused: the start is compared when the handle is there.
            let status = try? ProcessStatus(of: process.processIdentifier), status.startTime == process.startTime
        else { return nil }
        return Running(process: process.processIdentifier, handle: handle)
    }

    /// - Parameters:
    ///   - arguments: the first is the absolute path of the program.
    ///   - environment: all of the program's environment.
    /// - Throws: `ProcessError`
    public static func start(
        _ arguments: [String], environment: [String: String], folder: String
    ) throws(ProcessError) -> Running {
        let process: pid_t
        do throws(SpawnError) {
            process = try ProgramStart(
                arguments, environment: environment, descriptors: [nil, nil, nil], group: .ownSession, folder: folder
            ).start()
        } catch {
            throw ProcessError(
                code: .failed, message: "\(arguments.first ?? "") cannot be started: \(error). Check its manifest.")
        }
        do {
            return Running(process: process, handle: try ProcessHandle(processIdentifier: process))
        } catch {
            // Without a handle its end would not be noticed.
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw error
        }
    }
}

/// The signal masks of `/proc/PID/status` (proc_pid_status(5)): 16 hexadecimal digits, bit 0 for signal 1.
struct SignalDispositions {
    let blocked: UInt64
    let ignored: UInt64
    let caught: UInt64

    /// - Returns: `nil` when one of the three is missing.
    init?(parsing text: String) {
        var masks: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("Sig") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let mask = UInt64(parts[1].filter { !$0.isWhitespace }, radix: 16) else { continue }
            masks[parts[0]] = mask
        }
        guard let blocked = masks["SigBlk"], let ignored = masks["SigIgn"], let caught = masks["SigCgt"] else {
            return nil
        }
        (self.blocked, self.ignored, self.caught) = (blocked, ignored, caught)
    }

    /// - Parameter root: where proc is mounted.
    init(of process: Int32, root: String) throws(ProcessError) {
        // The program's name in it is escaped, so that it cannot add a line.
        guard let text = RegularFile.text("\(root)/\(process)/status", limit: 16_384),
            let dispositions = SignalDispositions(parsing: text)
        else {
            throw ProcessError(
                code: .unreadable, message: "The signals of process \(process) cannot be read. Mount /proc.")
        }
        self = dispositions
    }

    /// Whether the signal would not have its default effect.
    func isKept(fromDefault signal: Int32) -> Bool {
        (blocked | ignored | caught) & (1 << UInt64(signal - 1)) != 0
    }
}
