import CSQLite
import Foundation
import GRDB

/// A connection's write-ahead log as SQLite's file layer (https://sqlite.org/vfs.html) has it open, so that what a layer does to
/// SQLite's files, such as the tests' faulty disk, it does here too.
///
/// Its methods block, and throw `DatabaseError`.
struct WriteAheadLogFile {
    /// Bytes of one write; SQLite's layer takes less than 128 kB (`seekAndWriteFd` in os_unix.c).
    private static let most = 1 << 16

    private let file: UnsafeMutablePointer<sqlite3_file>

    /// - Returns: `nil` if the connection has not opened it.
    init?(of database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = database.sqliteConnection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, file.pointee.pMethods != nil
        else { return nil }
        self.file = file
    }

    /// Overwrites a log of which everything is in the database. Its beginning goes first, durably: a log that had lost only its
    /// end would put older pages over newer ones.
    func overwrite() throws {
        var size: Int64 = 0
        try check(file.pointee.pMethods.pointee.xFileSize(file, &size))
        guard size > 0 else { return }
        let beginning = min(512, Int(size))
        try zero(0..<beginning)
        try zero(beginning..<Int(size))
    }

    /// Durable when it returns.
    private func zero(_ range: Range<Int>) throws {
        let zeros = [UInt8](repeating: 0, count: Self.most)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.most) {
            let count = min(Self.most, range.upperBound - start)
            try check(file.pointee.pMethods.pointee.xWrite(file, zeros, Int32(count), Int64(start)))
        }
        try check(file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

extension SQLiteStorage {
    /// Copies the write-ahead log into the database and overwrites it: a file that is only cut off leaves its bytes on the disk.
    ///
    /// - Throws: `StorageError`, `DatabaseError`.
    static func emptyWriteAheadLog(of database: Database) throws {
        // The log is not needed when this returns.
        try checkpoint(database, "RESTART")
        try WriteAheadLogFile(of: database)?.overwrite()
        try checkpoint(database, "TRUNCATE")
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
