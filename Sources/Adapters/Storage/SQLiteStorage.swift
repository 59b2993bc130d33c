import CSQLite
import Consent
import Foundation
import GRDB
import Synchronization

/// The consent log in one SQLite file, `consent.sqlite`, in the state directory, behind a journal of its last records.
///
/// One process owns the file (a lock beside it), and one connection writes and checkpoints: SQLite before 3.51.3, and so
/// Debian 12's, can lose data when two connections do in WAL mode. Others only read.
public final class SQLiteStorage: Sendable {
    let queue: DatabaseQueue
    let readers: LogReaders
    let writeAheadLog: WriteAheadLog
    /// `nil` before the first write, and if there is no room for one: then the database is written at once.
    let journal: Mutex<Journal?>
    /// Why the journal that the database was last written with could not be read.
    let loss: StorageError?
    /// Bytes of a half of a new journal.
    let journalHalf: Int
    /// Whether something may be written: until then the log may turn out to be one that is refused.
    let isAccepted = Atomic(false)
    let isSettled = Atomic(false)
    /// Where the journal's records are written into the database beside appends.
    let folding = DispatchQueue(label: "voicegate.log.folding")
    let isFolding = Atomic(false)
    let directory: StateDirectory
    /// The database file.
    public let path: String
    /// The file as it was opened; another one at its path is not the log.
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
    public convenience init(directory path: String) throws { try self.init(directory: path, journalHalf: Journal.half) }

    /// - Parameter journalHalf: bytes of a half of the journal, if a new one is made.
    package init(directory path: String, journalHalf: Int) throws {
        let directory = try StateDirectory(path: path)
        self.directory = directory
        self.journalHalf = journalHalf
        lock = try DirectoryLock(directory)
        try directory.requireLogOfCheckpoint()
        try directory.requireOwnFiles()
        self.path = directory.databasePath
        do {
            let writeAheadLog = WriteAheadLog()
            self.writeAheadLog = writeAheadLog
            queue = try DatabaseQueue(
                path: directory.databasePath, configuration: Self.configuration(noting: writeAheadLog))
            try queue.inDatabase(Self.requireDurability)
            try queue.read { try Schema.requireKnown($0, path: directory.databasePath) }
            try Schema.migrator.migrate(queue)
            let (found, loss) = try queue.read { try Self.journalOrLoss(of: $0, at: directory.journalPath) }
            journal = Mutex(found)
            self.loss = loss
            let isEmpty = try queue.read {
                try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM tree UNION ALL SELECT 1 FROM entries)")
            }
            if isEmpty == true, found?.hasWaiting != true {
                try directory.requireNoLog(databaseIs: "empty", isJournalLost: loss != nil)
            }
            let identity = try FileIdentity(path: directory.databasePath)
            self.identity = identity
            readers = LogReaders(
                path: directory.databasePath, most: ProcessInfo.processInfo.activeProcessorCount + 1,
                configuration: Self.configuration(noting: nil)
            ) { try Self.require(identity, at: directory.databasePath) }
        } catch let error as DatabaseError {
            throw StorageError(error, path: directory.databasePath)
        }
    }

    /// Erased bytes are overwritten in the database, and are in its write-ahead log until that is emptied.
    ///
    /// - Throws: `StorageError`.
    func emptyWriteAheadLog() async throws {
        await readers.pause()
        defer { readers.resume() }
        try await StorageError.translating(path: path) {
            try await queue.writeWithoutTransaction { try Self.emptyWriteAheadLog(of: $0) }
        }
    }

    /// Copies what is durable into the database, so that the write-ahead log begins again. An error is found by the next
    /// write; nothing is lost by it.
    func checkpoint() {
        queue.writeWithoutTransaction { database in
            // `nil` once it is closed.
            guard let connection = database.sqliteConnection else { return }
            writeAheadLog.willCheckpoint()
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }

    static func checkpointOnClose(_ database: Database, _ isOn: Bool) throws {
        let code = csqlite_set_checkpoint_on_close(database.sqliteConnection, isOn ? 1 : 0)
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// SQLite would continue to write into a file that was removed or replaced, and those records would be lost.
    ///
    /// - Throws: `StorageError` with `cannotOpen`.
    func requireSameFile() throws(StorageError) {
        try Self.require(identity, at: path)
        if let journal = journal.withLock({ $0 }) { try Self.require(journal.identity, at: journal.path) }
    }

    private static func require(_ identity: FileIdentity, at path: String) throws(StorageError) {
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

    func requireWritable() throws(StorageError) {
        try requireSameFile()
        guard !hasFailed.withLock({ $0 }) else {
            throw StorageError(
                code: .inputOutput,
                message: "An earlier write to \(path) failed, so nothing is written any more. Restart the service.")
        }
    }

    /// The error as the storage's; nothing more is written if it leaves the outcome unknown.
    func noted(_ error: any Error) -> any Error {
        let error = (error as? DatabaseError).map { StorageError($0, path: path) } ?? error
        if (error as? StorageError)?.leavesOutcomeUnknown == true { hasFailed.withLock { $0 = true } }
        return error
    }

    /// Ends the connections and gives up the lock: nothing is written any more, even if a value is left. Call it when nothing
    /// is being written.
    public func close() throws {
        do {
            // One that was begun beside appends.
            folding.sync {}
            // What cannot be done now, the next start does.
            if isAccepted.load(ordering: .relaxed) { try? fold() }
            try readers.close()
            // SQLite removes the file, and its blocks go back to the disk.
            if isSettled.load(ordering: .relaxed) { try? queue.writeWithoutTransaction(Self.emptyWriteAheadLog) }
            try queue.close()
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
        journal.withLock { $0 = nil }
        lock.release()
    }

    /// - Parameter log: of the connection that writes; `nil` for one that only reads.
    private static func configuration(noting log: WriteAheadLog?) -> Configuration {
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
            // What is not committed is not written.
            try database.execute(sql: "PRAGMA cache_spill = OFF")
            log?.note(database)
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

/// How much is in the write-ahead log. The storage copies it into the database itself, beside appends, which SQLite would do
/// in one of them.
final class WriteAheadLog: Sendable {
    /// SQLite's own default.
    static let worthwhile = 1000

    private let sizes = Mutex((written: 0, checkpointed: 0))

    /// Pages since the last checkpoint.
    var pages: Int { sizes.withLock { $0.written - $0.checkpointed } }

    func willCheckpoint() { sizes.withLock { $0.checkpointed = $0.written } }

    /// Takes the place of SQLite's own checkpoints. It must exist for as long as the connection.
    func note(_ database: Database) {
        sqlite3_wal_hook(
            database.sqliteConnection,
            { log, _, _, pages in
                if let log { Unmanaged<WriteAheadLog>.fromOpaque(log).takeUnretainedValue().written(Int(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Parameter pages: since the log began, which it does again when all of it was checkpointed and nobody reads it.
    private func written(_ pages: Int) {
        sizes.withLock { $0 = (pages, pages < $0.written ? 0 : $0.checkpointed) }
    }
}
