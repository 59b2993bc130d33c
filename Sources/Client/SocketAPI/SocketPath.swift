import Foundation

/// The bounds of a Unix socket's path.
public enum SocketPath {
    /// Bytes of `sockaddr_un.sun_path` without the closing zero (unix(7)).
    public static let limit = 107

    /// - Throws: `SocketPathError` when no socket can have this path.
    public static func check(_ path: String) throws {
        if path.isEmpty || path.utf8.contains(0) {
            throw SocketPathError(
                code: .unusable, path: path, message: "The socket's path is empty. Give one with --socket.")
        }
        let length = path.utf8.count
        if length > limit {
            throw SocketPathError(
                code: .tooLong, path: path,
                message: "The socket's path has \(length) bytes, and Unix sockets take no more than \(limit). "
                    + "Give a shorter one with --socket: \(path)")
        }
    }

    /// The directory that holds the socket.
    public static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether there is a socket that root alone can have put there: it and its directory are root's, and nobody else can
    /// write into the directory.
    public static func isRoots(_ path: String) -> Bool {
        var status = stat()
        guard lstat(directory(of: path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == 0,
            status.st_mode & 0o022 == 0
        else { return false }
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == 0
    }
}
