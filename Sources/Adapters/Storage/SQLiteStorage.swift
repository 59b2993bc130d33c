import CSQLite
import Consent
import Foundation
import GRDB
import Synchronization

/// The consent log in one SQLite file, `consent.sqlite`, in the state directory.
///
/// One process owns the file (a lock beside it), and one connection reads and writes: SQLite before 3.51.3, and so
/// Debian 12's, can lose data when two connections write or checkpoint in WAL mode.
public final class SQLiteStorage: Sendable {
    let queue: DatabaseQueue
    /// The database file.
    public let path: String
    /// The file as it was opened; another one at its path is not the log.
    private let identity: FileIdentity
    private let lock: DirectoryLock
    /// Set once a write left the disk in an unknown state: what is written after it may be lost together with it.
    private let hasFailed = Mutex(false)

    /// Opens the file, making it and its directory (mode 0700) if they are absent. Its content stays unchanged until
    /// `settle()`: a log that the service refuses must be left as it was.
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
            queue = try DatabaseQueue(path: directory.databasePath, configuration: Self.configuration)
            try queue.inDatabase(Self.requireDurability)
            try queue.read { try Schema.requireKnown($0, path: directory.databasePath) }
            try Schema.migrator.migrate(queue)
            identity = try FileIdentity(path: directory.databasePath)
        } catch let error as DatabaseError {
            throw StorageError(error, path: directory.databasePath)
        }
    }

    /// The log was found to be what it should be: writes what is in the write-ahead log into the database, and does so when
    /// it is closed, too. A service that was killed while it erased left erased fields there.
    ///
    /// - Throws: `StorageError`.
    public func settle() async throws {
        try await StorageError.translating(path: path) {
            try await queue.writeWithoutTransaction { database in
                try Self.emptyWriteAheadLog(of: database)
                try Self.checkpointOnClose(database, true)
            }
        }
    }

    private static func checkpointOnClose(_ database: Database, _ isOn: Bool) throws {
        // SQLite's own handle of this connection, for this call alone.
        let handle = database.sqliteConnection.map { UnsafeMutableRawPointer($0) }
        let code = csqlite_set_checkpoint_on_close(handle, isOn ? 1 : 0)
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// SQLite would continue to write into a file that was removed or replaced, and those records would be lost.
    ///
    /// - Throws: `StorageError` with `cannotOpen`.
    func requireSameFile() throws(StorageError) {
        guard let current = try? FileIdentity(path: path), current == identity else {
            throw StorageError(
                code: .cannotOpen,
                message: "The consent log \(path) was removed or replaced while the service runs, so nothing is "
                    + "allowed any more. Put it back and restart the service.")
        }
    }

    /// The only way to write. After a write whose outcome is unknown it refuses until the file is opened again.
    ///
    /// - Parameter body: makes its own transaction.
    /// - Throws: `StorageError`.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try requireSameFile()
        guard !hasFailed.withLock({ $0 }) else {
            throw StorageError(
                code: .inputOutput,
                message: "An earlier write to \(path) failed, so nothing is written any more. Restart the service.")
        }
        do {
            return try await StorageError.translating(path: path) { try await queue.writeWithoutTransaction(body) }
        } catch let error as StorageError where error.leavesOutcomeUnknown {
            hasFailed.withLock { $0 = true }
            throw error
        }
    }

    /// Ends the connection; the lock goes with the value.
    public func close() throws {
        do {
            try queue.close()
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "consent log"
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // The write-ahead log may be another database's, put beside this one by mistake.
            try checkpointOnClose(database, false)
            try database.execute(sql: "PRAGMA secure_delete = ON")
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
