import Foundation

/// The paths of the service's socket and files, for one user.
///
/// Follows the XDG Base Directory Specification: a relative value of an `XDG_` variable is ignored.
public struct ServicePaths: Sendable, Hashable {
    /// The socket of the machine's own service, which serves all users (enforced mode). Only root can put one there.
    public static let systemSocket = "/run/voicegate/voicegate.sock"

    /// The socket that clients use: `VOICEGATE_SOCKET` if it is an absolute path, else the machine's own service's if it
    /// exists, else the user's own.
    public let socket: String
    /// `XDG_RUNTIME_DIR/voicegate/voicegate.sock`; without that variable `/run/user/UID/voicegate/voicegate.sock` if
    /// that directory is the user's own, else `/tmp/voicegate-UID/voicegate.sock`.
    public let ownSocket: String
    /// `XDG_STATE_HOME/voicegate`, else `~/.local/state/voicegate`.
    public let stateDirectory: String
    /// `XDG_CONFIG_HOME/voicegate`, else `~/.config/voicegate`.
    public let configurationDirectory: String

    /// The output of a service that the command line started.
    public var log: String { stateDirectory + "/voicegated.log" }

    /// The indicator file of a service with this socket, for status bars.
    public static func indicator(besideSocket socket: String) -> String {
        SocketPath.directory(of: socket) + "/indicator.json"
    }

    /// The Wyoming socket of a service with this socket: `wyoming.sock` beside `voicegate.sock`, and `NAME.wyoming` beside a
    /// socket of another name, so that two services can share a folder.
    public static func wyoming(besideSocket socket: String) -> String {
        let folder = SocketPath.directory(of: socket)
        let name = socket.split(separator: "/").last.map(String.init) ?? ""
        return folder + "/" + (name == "voicegate.sock" ? "wyoming.sock" : name + ".wyoming")
    }

    /// The paths of this process's user.
    public init() {
        self.init(
            environment: ProcessInfo.processInfo.environment, user: getuid(), home: NSHomeDirectory(),
            hasSystemService: SocketPath.isRoots(Self.systemSocket)
        ) { path in
            PrivateDirectory.isPrivate(path, owner: getuid())
        }
    }

    /// - Parameters:
    ///   - home: used if the environment has no absolute `HOME`.
    ///   - hasSystemService: whether the machine's own service has its socket.
    ///   - isPrivate: whether a directory exists, is the user's own, and gives no rights to others.
    public init(
        environment: [String: String], user: UInt32, home: String, hasSystemService: Bool = false,
        isPrivate: (String) -> Bool
    ) {
        func directory(_ variable: String) -> String? {
            guard let value = environment[variable], value.hasPrefix("/") else { return nil }
            return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
        }
        let home = directory("HOME") ?? home
        stateDirectory = (directory("XDG_STATE_HOME") ?? home + "/.local/state") + "/voicegate"
        configurationDirectory = (directory("XDG_CONFIG_HOME") ?? home + "/.config") + "/voicegate"
        let systemRuntime = "/run/user/\(user)"
        if let runtime = directory("XDG_RUNTIME_DIR") {
            ownSocket = runtime + "/voicegate/voicegate.sock"
        } else if isPrivate(systemRuntime) {
            ownSocket = systemRuntime + "/voicegate/voicegate.sock"
        } else {
            ownSocket = "/tmp/voicegate-\(user)/voicegate.sock"
        }
        socket = directory("VOICEGATE_SOCKET") ?? (hasSystemService ? Self.systemSocket : ownSocket)
    }
}

/// The bounds of a Unix socket's path.
public enum SocketPath {
    /// Bytes of `sockaddr_un.sun_path` without the closing zero (unix(7)).
    public static let limit = 107

    /// - Throws: `SocketPathError` if no socket can have this path.
    public static func check(_ path: String) throws {
        if path.isEmpty || path.utf8.contains(0) {
            throw SocketPathError(code: .unusable, message: "The socket's path is empty. Give one with --socket.")
        }
        let length = path.utf8.count
        if length > limit {
            throw SocketPathError(
                code: .tooLong,
                message: "The socket's path has \(length) bytes, and Unix sockets take no more than \(limit). "
                    + "Give a shorter one with --socket: \(path)")
        }
    }

    /// - Parameters:
    ///   - path: checked before.
    ///   - body: a system call with the address.
    public static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        // Safe: the address outlives the call, and sockaddr_un begins as sockaddr does.
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// The directory of a path.
    public static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether the path is a socket that only root can have put there: it and its directory are root's, and no other user can
    /// write into the directory.
    public static func isRoots(_ path: String) -> Bool {
        var status = stat()
        guard lstat(directory(of: path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == 0,
            status.st_mode & 0o022 == 0
        else { return false }
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == 0
    }
}

/// Why a socket's path or its directory cannot be used.
public struct SocketPathError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Longer than a Unix socket's path can be.
        case tooLong
        /// Empty, or with a zero byte in it.
        case unusable
        /// The directory belongs to another user, or others may write into it.
        case notPrivate
        /// The directory cannot be made.
        case cannotCreate
    }

    public let code: Code
    /// What happened and what to do next, for people.
    public let message: String

    public var description: String { message }
}

/// Directories that only their owner can read.
public enum PrivateDirectory {
    /// Whether the path is a directory, not a symbolic link, of this owner, without rights for others.
    public static func isPrivate(_ path: String, owner: UInt32) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == owner && status.st_mode & 0o077 == 0
    }

    /// Makes the directory with mode 0700, and missing ones above it. An existing directory must be private and the caller's
    /// own. This is checked afterwards, so that one that another user made in the meantime is refused.
    ///
    /// - Throws: `SocketPathError`
    public static func make(_ path: String) throws {
        try makeMissing(path)
        guard isPrivate(path, owner: getuid()) else {
            throw SocketPathError(
                code: .notPrivate,
                message: "The directory \(path) belongs to another user or is open to others. "
                    + "Make it yours alone (chmod 700), or choose a different one.")
        }
    }

    /// Makes missing directories, and leaves existing ones as they are.
    private static func makeMissing(_ path: String) throws {
        let parent = SocketPath.directory(of: path)
        if parent != path, parent != ".", access(parent, F_OK) != 0 { try makeMissing(parent) }
        guard mkdir(path, 0o700) != 0 else { return }
        let number = errno
        guard number == EEXIST else {
            throw SocketPathError(
                code: .cannotCreate,
                message: "The directory \(path) cannot be made: \(String(cString: strerror(number))). "
                    + "Make it yourself, or choose a different one.")
        }
    }
}
