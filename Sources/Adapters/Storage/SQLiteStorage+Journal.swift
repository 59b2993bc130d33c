import Consent
import Foundation
import GRDB

/// Appends go into the journal, and from there into the database, together: when enough waits, and before the log is read.
extension SQLiteStorage {
    public nonisolated(nonsending) func append(_ batch: StoredBatch) async throws {
        try accept()
        guard batch.erased.isEmpty else { return try await erase(with: batch) }
        if let journal = journal.withLock({ $0 }) {
            try requireWritable()
            do {
                if try journal.append(batch) { return }
                try fold()
                if try journal.append(batch) { return }
            } catch {
                throw noted(error)
            }
        }
        try fold()
        try writeHere { database in try Self.inTransaction(database) { try Self.insert([batch], into: database) } }
    }

    public nonisolated(nonsending) func tidy() async {
        guard !isFolding.load(ordering: .relaxed),
            journal.withLock({ $0?.offers() ?? false }) || writeAheadLog.pages >= WriteAheadLog.worthwhile
        else { return }
        isFolding.store(true, ordering: .relaxed)
        folding.async { [self] in
            // An error is found by the next append that needs the room; the records are durable.
            try? fold()
            if writeAheadLog.pages >= WriteAheadLog.worthwhile { checkpoint() }
            isFolding.store(false, ordering: .relaxed)
        }
    }

    /// The log was found to be what it should be: brings all records into the database, and the database's write-ahead log,
    /// too, and overwrites both. A service that was killed while it erased left erased fields there. On a full disk they stay
    /// until the next erasure or start that has room.
    ///
    /// - Throws: `StorageError`.
    public func settle() async throws {
        try accept(loss: true)
        await readers.pause()
        defer { readers.resume() }
        try await folding.run { [self] in
            do {
                try writeHere { try renew($0) {} }
            } catch let error as StorageError where error.code == .full {}
            try writeHere { try Self.checkpointOnClose($0, true) }
        }
    }

    public func hasLostRecords() async throws -> Bool {
        if loss != nil, !isAccepted.load(ordering: .relaxed) { return true }
        return try await StorageError.translating(path: path) { try await queue.read(Self.hasLoss) }
    }

    public func lossWasRecorded() async throws { try await write(Self.forgetLoss) }

    /// - Returns: whether all durable records are in the database for the connections that read.
    func requireFolded() async throws -> Bool {
        guard hasWaiting else { return true }
        guard isAccepted.load(ordering: .relaxed) else { return false }
        // On a thread of its own: GRDB would interrupt it if the reader's task is cancelled. On a full disk they wait on.
        return (try? await folding.run { [self] in try fold() }) != nil
    }

    /// Reads the log as it will be when what waits is in the database, and changes nothing.
    func readUnfolded<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await queue.writeWithoutTransaction { [self] database in
            try DirectStatement(database, "BEGIN IMMEDIATE").run()
            // GRDB's own runs also when the reader's task was cancelled.
            defer { try? database.rollback() }
            try Self.insert(waiting.map(\.batch), into: database)
            return try body(database)
        }
    }

    /// Brings what waits into the database. Blocks.
    ///
    /// - Throws: `StorageError`.
    func fold() throws {
        guard hasWaiting else { return }
        try writeHere(fold(into:))
    }

    private var hasWaiting: Bool { journal.withLock { $0?.hasWaiting ?? false } }

    private var waiting: [Journal.Waiting] { journal.withLock { $0?.waiting ?? [] } }

    private func fold(into database: Database) throws {
        let waiting = waiting
        guard let end = waiting.last?.end else { return }
        try Self.inTransaction(database) {
            try Self.insert(waiting.map(\.batch), into: database)
            try Self.store(end, in: database)
        }
        journal.withLock { $0?.folded(waiting.count) }
    }

    /// The log is written from now on: makes its journal, if there is room for one.
    ///
    /// - Parameter isLossAccepted: whether the log goes on if its journal was lost.
    private func accept(loss isLossAccepted: Bool = false) throws {
        guard !isAccepted.load(ordering: .relaxed) else { return }
        if let loss, !isLossAccepted { throw loss }
        // What a process that was killed wrote may be in memory alone. The database's part first: it says which of the
        // journal's bytes are not needed any more.
        try writeHere { database in
            try SQLiteFile(writeAheadLogOf: database)?.sync()
            try journal.withLock { $0 }?.secure()
        }
        if journal.withLock({ $0 == nil }) {
            let made = try madeJournal()
            journal.withLock { $0 = made }
        }
        isAccepted.store(true, ordering: .relaxed)
    }

    /// - Returns: `nil` if it cannot be made, as on a full disk: nothing depends on it yet.
    private func madeJournal() throws -> Journal? {
        if let made = try? newJournal() {
            do {
                try writeHere { database in
                    try Self.inTransaction(database) {
                        try Schema.needsJournal(true, in: database)
                        try Self.store(made.end, in: database)
                        if loss != nil { try Self.noteLoss(database) }
                    }
                }
                return made
            } catch let error as StorageError where error.code == .full {}
        }
        unlink(directory.journalPath)
        guard loss != nil else { return nil }
        try writeHere { database in
            try Self.inTransaction(database) {
                try Self.forgetJournal(database)
                try Self.noteLoss(database)
            }
        }
        return nil
    }

    private func newJournal() throws -> Journal {
        _ = try directory.openFile(directory.journalPath)
        return try Journal(making: directory.journalPath, half: journalHalf)
    }

    private nonisolated(nonsending) func erase(with batch: StoredBatch) async throws {
        await readers.pause()
        defer { readers.resume() }
        try writeHere { database in try renew(database) { try Self.insert([batch], into: database) } }
    }

    /// Changes the database; what it had before is then in no other file.
    private func renew(_ database: Database, _ change: () throws -> Void) throws {
        try fold(into: database)
        let journal = journal.withLock { $0 }
        try journal?.turn()
        let end = journal?.end
        try Self.inTransaction(database) {
            try change()
            if let end { try Self.store(end, in: database) }
        }
        do {
            try Self.emptyWriteAheadLog(of: database)
            if let end { try journal?.wipe(behind: end) }
            isSettled.store(true, ordering: .relaxed)
        } catch {
            // The records are already durable, whatever the error of this step.
            throw StorageError(
                code: .inputOutput,
                message: "Erased fields may still be in the files beside the consent log. Restart the service: \(error)"
            )
        }
    }
}

extension SQLiteStorage {
    private static let positionName = "journal"
    /// There from the transaction that gives up a lost journal until the loss is recorded.
    private static let lossName = "journal.lost"

    /// Until the transaction is durable, the journal's records are read from where it was before.
    private static func store(_ position: JournalPosition, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ?)")
            .execute(arguments: [positionName, position.bytes])
    }

    /// For a database that has all records by itself.
    static func forgetJournal(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM secrets WHERE name = ?", arguments: [positionName])
        try Schema.needsJournal(false, in: database)
    }

    private static func noteLoss(_ database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO secrets (name, value) VALUES (?, x'')", arguments: [lossName])
    }

    private static func hasLoss(_ database: Database) throws -> Bool {
        try Row.fetchOne(database, sql: "SELECT 1 FROM secrets WHERE name = ?", arguments: [lossName]) != nil
    }

    private static func forgetLoss(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM secrets WHERE name = ?", arguments: [lossName])
    }

    /// - Returns: the journal, `nil` if there is none; why it could not be read, if it was lost.
    static func journalOrLoss(of database: Database, at path: String) throws -> (Journal?, StorageError?) {
        do {
            return (try journal(of: database, at: path), nil)
        } catch let error as StorageError where error.code == .logLost {
            return (nil, error)
        }
    }

    /// The journal that the database was last written with; `nil` if there is none.
    private static func journal(of database: Database, at path: String) throws -> Journal? {
        guard
            let row = try Row.fetchOne(
                database, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [positionName])
        else { return nil }
        guard let position = JournalPosition(bytes: try row.checked(0)) else { throw StorageError.wrongType }
        return try Journal(path: path, at: position, after: try tree(database))
    }

    /// Copies the write-ahead log into the database and overwrites it: a file that is only cut off leaves its bytes on the disk.
    ///
    /// - Throws: `StorageError`, `DatabaseError`.
    static func emptyWriteAheadLog(of database: Database) throws {
        // Nobody needs the log when this returns.
        try checkpoint(database, "RESTART")
        try overwriteWriteAheadLog(of: database)
        try checkpoint(database, "TRUNCATE")
    }

    /// For a log of which everything is in the database. Its beginning goes first, durably: a log that had lost only its end
    /// would put older pages over newer ones.
    static func overwriteWriteAheadLog(of database: Database) throws {
        guard let file = SQLiteFile(writeAheadLogOf: database) else { return }
        let (size, beginning) = (try file.size(), 512)
        guard size > 0 else { return }
        try file.zero(0..<min(beginning, size))
        try file.sync()
        try file.zero(min(beginning, size)..<size)
        try file.sync()
    }

    private static func checkpoint(_ database: Database, _ mode: String) throws {
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(\(mode))")
        guard let busy: Int = try row?.checked(0), busy == 0 else {
            throw StorageError(
                code: .inputOutput,
                message: "Erased fields are still in the write-ahead log, because another program reads the consent "
                    + "log. End it and restart the service.")
        }
    }
}
