import Consent
import Foundation
import LinuxSystem
import Glibc

/// The directory of the log, which only the service's user may write.
struct StateDirectory {
    static let databaseName = "consent.sqlite"
    static let lockName = "consent.lock"

    let path: String

    /// Makes the directory, with mode 0700, if it is absent.
    ///
    /// - Throws: `StorageError` when it cannot be made, is not a directory, belongs to another user, or may be written by
    ///   others.
    init(path: String) throws {
        self.path = path
        try Self.make(path)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno: errno, doing: "open the state directory", path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StorageError(errno: errno, doing: "look at the state directory", path: path)
        }
        try Self.requireOwner(status, path: path)
        // Not corrected here: naming /tmp by mistake would close it to all users.
        guard status.st_mode & 0o022 == 0 else {
            throw StorageError(
                code: .cannotOpen,
                message: "Other users may write to \(path). Run `chmod go-w` on it, or choose another state directory.")
        }
    }

    var databasePath: String { path + "/" + Self.databaseName }
    var lockPath: String { path + "/" + Self.lockName }

    /// Opens a file of the log, made with mode 0600 if absent; refuses symbolic links.
    func openFile(_ path: String) throws -> OwnedDescriptor {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw Self.notAFile(path) }
            throw StorageError(errno: errno, doing: "open for writing", path: path)
        }
        let owned = OwnedDescriptor(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StorageError(errno: errno, doing: "look at", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Self.notAFile(path) }
        try Self.requireOwner(status, path: path)
        guard fchmod(descriptor, 0o600) == 0 else {
            throw StorageError(errno: errno, doing: "close to others", path: path)
        }
        return owned
    }

    /// Checks the database and the files that SQLite puts beside them. SQLite would follow a link.
    func requireOwnFiles() throws {
        _ = try openFile(databasePath)
        for path in ["-wal", "-shm", "-journal"].map({ databasePath + $0 }) {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT == S_IFREG else { throw Self.notAFile(path) }
            try Self.requireOwner(status, path: path)
        }
    }

    /// A checkpoint or a key without its log: a new log in its place would look as if there had never been another.
    func requireLogOfCheckpoint() throws {
        var status = stat()
        let isThere = lstat(databasePath, &status) == 0
        if isThere, status.st_size > 0 || lstat(databasePath + "-wal", &status) == 0 && status.st_size > 0 { return }
        try requireNoLog(databaseIs: isThere ? "empty" : "not there")
    }

    /// - Parameter state: for the message.
    func requireNoLog(databaseIs state: String) throws {
        func isAbsent(_ name: String) -> Bool {
            var status = stat()
            return lstat(path + "/" + name, &status) != 0
        }
        let start = LogStart(
            records: .absent, checkpoint: isAbsent(CheckpointFiles.checkpointName) ? .absent : .ahead,
            key: isAbsent(LogKeyFile.name) ? .absent : .unknown)
        guard start.outcome() != .begins else { return }
        throw StorageError(
            code: .logLost,
            message:
                "The consent log \(databasePath) is \(state), though one was begun. Restore it from a backup, or put the folder \(path) aside to begin a new log."
        )
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o700) != 0 else { return try syncParent(of: path) }
        if errno == ENOENT, let parent = parent(of: path) {
            try make(parent)
            if mkdir(path, 0o700) == 0 { return try syncParent(of: path) }
        }
        guard errno == EEXIST else { throw StorageError(errno: errno, doing: "make the state directory", path: path) }
    }

    /// Makes a new directory's name durable; SQLite does so for the files in it.
    private static func syncParent(of path: String) throws { try sync(parent(of: path) ?? ".", O_DIRECTORY) }

    /// Makes a file, or the names in a directory, durable.
    static func sync(_ path: String, _ flag: Int32) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | flag)
        guard descriptor >= 0 else { throw StorageError(errno: errno, doing: "open", path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageError(errno: errno, doing: "sync", path: path) }
    }

    private static func parent(of path: String) -> String? {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty || parent == path ? nil : parent
    }

    static func requireOwner(_ status: stat, path: String) throws {
        guard status.st_uid == geteuid() else {
            throw StorageError(
                code: .cannotOpen,
                message: """
                    \(path) belongs to user \(status.st_uid), not to the user \(geteuid()) that the service runs as. \
                    Choose another state directory or change its owner.
                    """)
        }
    }

    static func notAFile(_ path: String) -> StorageError {
        StorageError(
            code: .cannotOpen,
            message: "\(path) is a link or no regular file, and the consent log is not opened through one. Remove it.")
    }
}

/// Held until it is released, or as long as the value is there; the kernel drops it when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let file: OwnedDescriptor

    /// - Throws: `StorageError` with `locked` if another process, or another storage of this one, has the lock.
    init(_ directory: StateDirectory) throws {
        file = try directory.openFile(directory.lockPath)
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else {
                throw StorageError(errno: errno, doing: "lock", path: directory.lockPath)
            }
            throw StorageError(
                code: .locked,
                message: "Another service has the consent log in \(directory.path) open. End it, or use that one.")
        }
    }

    func release() { _ = flock(file.rawValue, LOCK_UN) }
}

/// Which file is at a path.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt

    /// Does not follow a link.
    init(path: String) throws(StorageError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw StorageError(
                code: .cannotOpen, message: "\(path) is not there: \(String(cString: strerror(errno))).",
                underlyingCode: errno)
        }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
