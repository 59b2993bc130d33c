import Foundation
import Glibc
import LinuxSystem
import NIOCore
import SocketAPI
import Synchronization

/// A socket the service listens on: a Unix socket of mode 0600 in a folder of mode 0700, or a TCP port that only this machine
/// can reach. Hummingbird's own bind would unlink a running service's socket, and set the mode only afterwards.
///
/// A lock beside a Unix socket shows whether its service still runs; a stale socket is replaced. A socket that a service
/// manager has bound stays when the service ends.
package final class ListeningSocket: Sendable {
    /// Of TCP the address and the port.
    package let path: String
    /// Non-blocking and listening; −1 once it was taken.
    private let descriptor: Mutex<Int32>
    /// `nil`: TCP.
    private let lock: Int32?
    /// Of the socket that this service has bound; `nil`: a service manager has bound it.
    private let identity: (device: UInt64, inode: UInt64)?

    /// - Parameters:
    ///   - activated: the sockets that the service manager has bound.
    ///   - state: the service's state directory, for the lock of a socket whose folder may be another user's.
    package convenience init(path: String, activated: ActivatedSockets, state: String) throws(ServiceError) {
        if let descriptor = activated.descriptors[path] {
            try self.init(adopting: descriptor, path: path, state: state)
        } else if let other = activated.descriptors.keys.min() {
            throw ServiceError(
                code: .configuration,
                message: "The service manager has bound \(other), but the service should listen at \(path). Give both "
                    + "the same path: ListenStream= in the socket's unit, --socket for the service.")
        } else {
            try self.init(path: path)
        }
    }

    private init(adopting descriptor: Int32, path: String, state: String) throws(ServiceError) {
        self.path = path
        do {
            try PrivateDirectory.make(state)
        } catch {
            throw ServiceError(code: .configuration, message: "\(error)")
        }
        lock = try Self.takeLock(state + "/" + (path as NSString).lastPathComponent + ".lock")
        self.descriptor = Mutex(descriptor)
        identity = nil
    }

    init(path: String) throws(ServiceError) {
        self.path = path
        guard path.hasPrefix("/"), path.utf8.count <= SocketPath.limit, !path.utf8.contains(0) else {
            throw ServiceError(
                code: .socketPath,
                message: "The socket path must be absolute and have at most \(SocketPath.limit) bytes; this one has "
                    + "\(path.utf8.count). Choose a shorter one with --socket.")
        }
        try Self.prepareFolder(of: path)
        let lock = try Self.takeLock(path + ".lock")
        do {
            try Self.removeStaleSocket(path)
            descriptor = Mutex(try Self.bind(path))
        } catch {
            close(lock)
            throw error
        }
        var status = stat()
        lstat(path, &status)
        self.lock = lock
        identity = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// - Parameters:
    ///   - address: of this machine alone.
    ///   - text: the address as the configuration has it.
    /// - Throws: `socketPath` if it cannot be used.
    package init(loopback address: SocketAddress, named text: String) throws(ServiceError) {
        let socket = Self.stream(address.protocol == .inet ? AF_INET : AF_INET6)
        guard socket >= 0 else {
            throw ServiceError(
                code: .socketPath,
                message:
                    "This service has no network for wyoming: tcp: (\(String(cString: strerror(errno)))). Remove that key "
                    + "from the configuration; the Unix socket serves Wyoming too.")
        }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = address.withSockAddr { pointer, size in Glibc.bind(socket, pointer, socklen_t(size)) }
        try Self.listen(socket, isBound) { reason in
            "Cannot listen on the address \(text) of wyoming: tcp: \(reason). Choose another port."
        }
        path = text
        descriptor = Mutex(socket)
        (lock, identity) = (nil, nil)
    }

    /// Why other users cannot connect to a socket that a service manager has bound for them; `nil` if they can.
    package var problemOfOtherUsers: String? {
        guard identity == nil, lock != nil, let file = try? FileMetadata(path: path), !file.isWritableByAll else {
            return nil
        }
        return
            "The socket \(path) has mode 0\(String(file.mode & 0o777, radix: 8)), so only some users can connect. For all: "
            + "chmod 0666 \(path)"
    }

    /// The listening descriptor, which the caller must close.
    package func takeDescriptor() -> Int32 {
        descriptor.withLock {
            let taken = $0
            $0 = -1
            return taken
        }
    }

    deinit {
        let descriptor = takeDescriptor()
        if descriptor >= 0 { close(descriptor) }
        // Not a socket that another process has put there since.
        var status = stat()
        if let identity, lstat(path, &status) == 0,
            (UInt64(status.st_dev), UInt64(status.st_ino)) == identity
        {
            unlink(path)
        }
        if let lock { close(lock) }
    }

    private static func prepareFolder(of path: String) throws(ServiceError) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(
                code: .socketPath,
                message: "The socket's folder \(folder) cannot be made: \(error.localizedDescription)")
        }
        guard let status = try? FileMetadata(path: folder) else {
            throw ServiceError(code: .socketPath, message: "The socket's folder \(folder) cannot be looked at.")
        }
        let othersMayWrite = status.isWritableByGroup || status.isWritableByAll
        let isSticky = status.mode & S_ISVTX != 0
        guard status.owner == geteuid() || status.owner == 0, !othersMayWrite || isSticky else {
            throw ServiceError(
                code: .socketPath,
                message: "The socket's folder \(folder) can be written by others, who could put their own socket "
                    + "there. Take that away (chmod go-w \(folder)) or choose another with --socket.")
        }
    }

    private static func takeLock(_ path: String) throws(ServiceError) -> Int32 {
        let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else {
            throw ServiceError(
                code: .socketPath, message: "The lock \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw ServiceError(
                code: .alreadyRunning,
                message:
                    "Another voicegated serves this socket already. Use it, stop it, or choose another socket with "
                    + "--socket.")
        }
        return lock
    }

    private static func removeStaleSocket(_ path: String) throws(ServiceError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ServiceError(
                code: .socketPath,
                message:
                    "\(path) is there and is not a socket, so it is left alone. Move it away or choose another path "
                    + "with --socket.")
        }
        guard !isServed(path) else {
            throw ServiceError(
                code: .alreadyRunning,
                message: "Another program serves the socket \(path), so it is left alone. Choose another with --socket."
            )
        }
        unlink(path)
    }

    /// Whether a process that does not use our lock listens there.
    private static func isServed(_ path: String) -> Bool {
        let probe = stream(AF_UNIX)
        defer { close(probe) }
        let result = SocketPath.withAddress(path) { connect(probe, $0, $1) }
        // Only ECONNREFUSED means that no process listens (unix(7)); EAGAIN means a full backlog.
        return result == 0 || errno != ECONNREFUSED
    }

    private static func stream(_ family: Int32) -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
    }

    private static func bind(_ path: String) throws(ServiceError) -> Int32 {
        let socket = stream(AF_UNIX)
        // Before the bind: Linux creates the file with the descriptor's mode. umask(2) would affect other threads.
        fchmod(socket, 0o600)
        try listen(socket, SocketPath.withAddress(path) { Glibc.bind(socket, $0, $1) }) { reason in
            "The socket \(path) cannot be made: \(reason). Choose another with --socket."
        }
        return socket
    }

    /// Closes the socket and throws the error if it is not bound or cannot listen.
    private static func listen(_ socket: Int32, _ bound: Int32, _ message: (String) -> String) throws(ServiceError) {
        guard socket >= 0, bound == 0, Glibc.listen(socket, 128) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw ServiceError(code: .socketPath, message: message(reason))
        }
    }
}

/// Listening sockets that a service manager opened before it started this process (sd_listen_fds(3)).
package struct ActivatedSockets: Sendable {
    /// The largest number of descriptors that is accepted.
    private static let most: Int32 = 16
    /// The first descriptor, by the protocol.
    private static let first: Int32 = 3

    /// Path → descriptor, close-on-exec and non-blocking.
    package let descriptors: [String: Int32]

    /// The sockets of this process. Taken once; child processes do not inherit them.
    package static let ofProcess = take()

    init(descriptors: [String: Int32] = [:]) { self.descriptors = descriptors }

    /// Changes the environment, so the process must have one thread.
    private static func take() -> ActivatedSockets {
        let environment = ProcessInfo.processInfo.environment
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        return ActivatedSockets(
            descriptors: listening(count(in: environment, process: getpid()).map { first..<(first + $0) } ?? 0..<0))
    }

    /// - Returns: `nil` if the sockets are for another process, such as the parent.
    static func count(in environment: [String: String], process: Int32) -> Int32? {
        guard environment["LISTEN_PID"] == "\(process)",
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...most).contains(count)
        else { return nil }
        return count
    }

    /// The listening stream sockets with a path among the descriptors; the others are not changed.
    static func listening(_ range: Range<Int32>) -> [String: Int32] {
        var found: [String: Int32] = [:]
        for descriptor in range {
            guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
                option(SO_ACCEPTCONN, of: descriptor) == 1, let path = path(of: descriptor)
            else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            found[path] = descriptor
        }
        return found
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Safe: the address outlives the call, and sockaddr_un begins as sockaddr does.
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return path.hasPrefix("/") ? path : nil
    }
}
