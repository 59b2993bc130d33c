import Foundation

/// Directories that only one user can look into.
public enum PrivateDirectory {
    /// Whether there is a directory, not a symbolic link, of this owner and without any right for anybody else.
    public static func isPrivate(_ path: String, owner: UInt32) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == owner && status.st_mode & 0o077 == 0
    }

    /// Makes the directory with mode 0700, and the ones above it where they are missing; one that is there must be the
    /// caller's own and private already. It is looked at after it was made, so that one that somebody else put there in
    /// the meantime is not taken.
    ///
    /// - Throws: `SocketPathError`
    public static func make(_ path: String) throws {
        try makeParents(of: path)
        if mkdir(path, 0o700) != 0 {
            let number = errno
            guard number == EEXIST else { throw cannotCreate(path, number) }
        }
        guard isPrivate(path, owner: getuid()) else {
            throw SocketPathError(
                code: .notPrivate, path: path,
                message: "The directory \(path) belongs to somebody else or is open to others. "
                    + "Make it yours alone (chmod 700), or choose another one.")
        }
    }

    private static func makeParents(of path: String) throws {
        let parent = SocketPath.directory(of: path)
        guard parent != path, parent != ".", access(parent, F_OK) != 0 else { return }
        try makeParents(of: parent)
        if mkdir(parent, 0o700) != 0 {
            let number = errno
            guard number == EEXIST else { throw cannotCreate(parent, number) }
        }
    }

    private static func cannotCreate(_ path: String, _ number: Int32) -> SocketPathError {
        SocketPathError(
            code: .cannotCreate, path: path, errorNumber: number,
            message: "The directory \(path) cannot be made: \(String(cString: strerror(number))). "
                + "Make it yourself, or choose another one.")
    }
}
