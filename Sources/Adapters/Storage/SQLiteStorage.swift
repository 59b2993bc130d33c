import CSQLite
import Consent
import Foundation
import GRDB
import Synchronization

/// The consent log in one SQLite file, `consent.sqlite`, in the state directory.
///
/// One process owns the file (a lock beside it), and one connection writes and checkpoints: SQLite before 3.51.3, and so
/// Debian 12's, can lose data when two connections do in WAL mode. Others only read.
public final class SQLiteStorage: Sendable {
    package let queue: DatabaseQueue
    let readers: LogReaders
    /// Whether the log was found to be the one that goes on: one that is refused is left as it was.
    private let isSettled = Atomic(false)
    /// The database file.
    public let path: String
    /// The file as it was opened; a different file at its path is not the log.
    private let identity: FileIdentity
    private let lock: DirectoryLock
    /// Set once a write left the disk in an unknown state: what is written after it may be lost together with it.
    private let hasFailed = Mutex(false)

    /// Opens the file, making it and its directory (mode 0700) if they are absent. Its content stays unchanged until
    /// `settle()` or the first write: a log that the service refuses must be left as it was.
    ///
    /// Blocks while it does; call it before the service serves.
    ///
    /// - Throws: `StorageError`.
    public init(directory path: String) throws {
        let directory = try StateDirectory(path: path)
        lock = try DirectoryLock(directory)
        try directory.requireLogOfCheckpoint()
        try directory.requireOwnFiles()
        self.path = directory.databasePath
        do {
            let configuration = Self.configuration
            queue = try DatabaseQueue(path: directory.databasePath, configuration: configuration)
            try queue.inDatabase(Self.requireDurability)
            try queue.read { try Schema.requireKnown($0, path: directory.databasePath) }
            try Schema.migrator.migrate(queue)
            let isEmpty = try queue.read {
                try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM tree UNION ALL SELECT 1 FROM entries)")
            }
            if isEmpty == true { try directory.requireNoLog(databaseIs: "empty") }
            let identity = try FileIdentity(path: directory.databasePath)
            self.identity = identity
            readers = LogReaders(
                path: directory.databasePath, most: ProcessInfo.processInfo.activeProcessorCount + 1,
                configuration: configuration
            ) { try Self.require(identity, at: directory.databasePath) }
        } catch let error as DatabaseError {
            throw StorageError(error, path: directory.databasePath)
        }
    }

    /// The log was found to be what it should be: brings all records into the database, and empties its write-ahead log, in
    /// which a service that was killed while it erased left erased fields. On a full disk they stay until the next erasure or
    /// start that has room.
    ///
    /// - Throws: `StorageError`.
    public func settle() async throws {
        do {
            try await emptyWriteAheadLog()
        } catch let error as StorageError where error.code == .full {}
        try await write { try Self.checkpointOnClose($0, true) }
        isSettled.store(true, ordering: .relaxed)
    }

    /// Erased bytes are overwritten in the database, and are in its write-ahead log until that is emptied.
    ///
    /// - Throws: `StorageError`.
    package func emptyWriteAheadLog() async throws {
        await readers.pause()
        defer { readers.resume() }
        try await StorageError.translating(path: path) {
            try await queue.writeWithoutTransaction(Self.emptyWriteAheadLog)
        }
    }

    private static func checkpointOnClose(_ database: Database, _ isOn: Bool) throws {
        let code = csqlite_set_checkpoint_on_close(database.sqliteConnection, isOn ? 1 : 0)
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// SQLite would continue to write into a file that was removed or replaced, and those records would be lost.
    ///
    /// - Throws: `StorageError` with `cannotOpen`.
    package func requireSameFile() throws(StorageError) { try Self.require(identity, at: path) }

    private static func require(_ identity: FileIdentity, at path: String) throws(StorageError) {
        guard let current = try? FileIdentity(path: path), current == identity else {
            throw StorageError(
                code: .cannotOpen,
                message: "The consent log \(path) was removed or replaced while the service runs, so nothing is "
                    + "allowed. Put it back and restart the service.")
        }
    }

    /// The only way to write. After a write whose outcome is unknown it refuses until the file is opened again.
    ///
    /// - Parameter body: makes its own transaction.
    /// - Throws: `StorageError`.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try requireWritable()
        do {
            return try await StorageError.translating(path: path) { try await queue.writeWithoutTransaction(body) }
        } catch {
            throw noted(error)
        }
    }

    /// The same on this thread, which waits.
    func writeHere<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try requireWritable()
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw noted(error)
        }
    }

    private func requireWritable() throws(StorageError) {
        try requireSameFile()
        guard !hasFailed.withLock({ $0 }) else {
            throw StorageError(
                code: .inputOutput,
                message: "An earlier write to \(path) failed, so nothing more is written. Restart the service.")
        }
    }

    /// The error as the storage's; nothing more is written if it leaves the outcome unknown.
    private func noted(_ error: any Error) -> any Error {
        let error = (error as? DatabaseError).map { StorageError($0, path: path) } ?? error
        if (error as? StorageError)?.leavesOutcomeUnknown == true { hasFailed.withLock { $0 = true } }
        return error
    }

    /// Ends the connections and releases the lock: nothing is written after it, even if a value is left. Call it when nothing
    /// is being written.
    public func close() throws {
        do {
            try readers.close()
            // SQLite removes the file, and its blocks go back to the disk.
            if isSettled.load(ordering: .relaxed) { try? queue.writeWithoutTransaction(Self.emptyWriteAheadLog) }
            try queue.close()
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
        lock.release()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "consent log"
        configuration.foreignKeysEnabled = true
        // A reader that opens or ends may lock the file for an instant; an append must not fail because of that.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { database in
            // The write-ahead log may be another database's, put beside this one by mistake.
            try checkpointOnClose(database, false)
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // SQLite removes its temporary files without overwriting them.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // Uncommitted changes are not written.
            try database.execute(sql: "PRAGMA cache_spill = OFF")
        }
        return configuration
    }

    /// Not by GRDB, which would set `synchronous = NORMAL`, with which a commit makes no fsync in WAL mode, and write into
    /// every log that it opens.
    private static func requireDurability(_ database: Database) throws {
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2,
            try Int.fetchOne(database, sql: "PRAGMA secure_delete") == 1,
            try Int.fetchOne(database, sql: "PRAGMA foreign_keys") == 1,
            try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
        else {
            throw StorageError(
                code: .cannotOpen,
                message: "This SQLite does not write as durably as the consent log needs; use the system's own SQLite.")
        }
    }
}
