import Base
import Cryptography
import Dispatch
import Foundation
import GRDB
import Synchronization

/// A copy of everything that the log needs, as of one moment, in `backup` of the state directory, while the service goes
/// on: the database, its keys, its last checkpoint and the kept files. One at a time.
public final class LogBackup: Sendable {
    private static let name = "backup"
    /// Of the state directory; their names are the same in the copy.
    private static let keptFolder = "kept"

    private let storage: SQLiteStorage
    private let directory: StateDirectory
    private let queue = DispatchQueue(label: "voicegate.backup")
    private let isTaken = Mutex(false)

    /// - Parameter directory: the log's, as `SQLiteStorage` opened it.
    /// - Throws: `StorageError`.
    public init(_ storage: SQLiteStorage, directory: String) throws {
        self.storage = storage
        self.directory = try StateDirectory(path: directory)
    }

    /// Where the copy is; mode 0700, its files 0600.
    public var path: String { directory.path + "/" + Self.name }

    /// - Returns: the copy, durable; `nil` while a copy exists already.
    /// - Throws: `StorageError`; then there is no copy.
    public func make() async throws -> Copy? {
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { return nil }
        let copy = Copy(self)
        do {
            copy.setDigest(try await write())
        } catch {
            await copy.remove()
            throw error
        }
        return copy
    }

    /// - Returns: SHA-256 of the database in the copy.
    private func write() async throws -> String {
        try await queue.run { [self] in
            try removeNow()
            guard mkdir(path, 0o700) == 0 else { throw StorageError(errno: errno, doing: "make", path: path) }
            // Before the database: a checkpoint must not be of more records than are there.
            for name in [CheckpointFiles.checkpointName, LogKeyFile.name] {
                guard let data = try DurableFile(directory, name: name, limit: 1 << 20).contents() else { continue }
                // The copy goes on with its own key, and with a record that it is one.
                try DurableFile(StateDirectory(path: path), name: name, limit: 1 << 20).replace(
                    with: name == LogKeyFile.name ? LogKeyFile.marked(data, as: .backup) : data)
            }
        }
        let database = path + "/" + StateDirectory.databaseName
        try await StorageError.translating(path: database) {
            // Only what is there now: no free page, so nothing that was erased.
            try await storage.queue.writeWithoutTransaction {
                try $0.execute(sql: "VACUUM INTO ?", arguments: [database])
            }
        }
        return try await queue.run { [self] in
            guard chmod(database, 0o600) == 0 else {
                throw StorageError(errno: errno, doing: "close to others", path: database)
            }
            // After the database: what was erased since is missed there, and nothing else.
            try linkKeptFiles()
            for file in [database, path] { try StateDirectory.sync(file, O_NOFOLLOW) }
            return try Self.digest(of: database)
        }
    }

    /// Removes what a service left that was killed meanwhile: what is erased must not stay there. Call at the start.
    ///
    /// - Throws: `StorageError`.
    public func removeLeft() async throws { try await queue.run { [self] in try removeNow() } }

    /// The next backup or start removes files that cannot be removed now.
    private func giveBack() async {
        try? await removeLeft()
        isTaken.withLock { $0 = false }
    }

    private func removeNow() throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        do {
            // A replacement, such as a link, is only removed.
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let names = isFolder ? try FileManager.default.contentsOfDirectory(atPath: path) : []
            for name in names where name != Self.keptFolder { try wipe(path + "/" + name) }
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw StorageError(
                code: .notWritable, message: "\(path) cannot be removed: \(error.localizedDescription) Remove it.")
        }
    }

    /// Erased records must not stay on the disk because of an earlier backup. The kept files are names of
    /// the originals, and encrypted. A file that somebody gave another name is theirs, and stays as it is there.
    private func wipe(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return }
        let opened = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw StorageError(errno: errno, doing: "overwrite", path: path) }
        defer { close(opened) }
        try DurableFile.wipe(opened, path: path)
    }

    private static func digest(of path: String) throws -> String {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            var hash = SHA256()
            while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(data: piece) }
            return Hexadecimal.encode(hash.finalize())
        } catch {
            throw StorageError(code: .inputOutput, message: "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// They are never written again, so that another name of each is a copy.
    private func linkKeptFiles() throws {
        let (source, target) = (directory.path + "/" + Self.keptFolder, path + "/" + Self.keptFolder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: source) else { return }
        guard mkdir(target, 0o700) == 0 else { throw StorageError(errno: errno, doing: "make", path: target) }
        for name in names where link(source + "/" + name, target + "/" + name) != 0 && errno != ENOENT {
            throw StorageError(errno: errno, doing: "copy", path: source + "/" + name)
        }
        try StateDirectory.sync(target, O_NOFOLLOW)
    }

    /// A copy that was made, or is being made. It is removed, and another can be made, when its owner says so, and at the
    /// latest when nothing refers to it: a client that left, or an answer that was never sent, leaves nothing behind.
    public final class Copy: Sendable {
        private let backup: LogBackup
        private let isRemoved = Atomic(false)
        private let digestOfDatabase = Mutex("")

        /// SHA-256 of its database, lower-case hexadecimal.
        public var digest: String { digestOfDatabase.withLock { $0 } }

        fileprivate init(_ backup: LogBackup) { self.backup = backup }

        fileprivate func setDigest(_ digest: String) { digestOfDatabase.withLock { $0 = digest } }

        deinit {
            guard !isRemoved.load(ordering: .relaxed) else { return }
            Task { [backup] in await backup.giveBack() }
        }

        /// Runs to its end also in a cancelled task.
        public func remove() async {
            guard !isRemoved.exchange(true, ordering: .relaxed) else { return }
            await backup.giveBack()
        }
    }
}
