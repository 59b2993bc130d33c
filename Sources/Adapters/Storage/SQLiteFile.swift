import CSQLite
import Foundation
import GRDB

/// A file as SQLite's file layer (https://sqlite.org/vfs.html) has it open, so that what a layer does to SQLite's files, such as
/// the tests' faulty disk, it does to this one too.
///
/// For one thread at a time. Its methods block, and throw `DatabaseError`.
final class SQLiteFile: @unchecked Sendable {
    // Safe: its variables never change, and its owner calls it from one thread at a time.

    /// Bytes of one call; SQLite's layer takes less than 128 kB (`seekAndWriteFd` in os_unix.c).
    private static let most = 1 << 16

    private let file: UnsafeMutablePointer<sqlite3_file>
    /// SQLite keeps the path as long as the file is open. `nil`: the file is a connection's.
    private let path: UnsafeMutablePointer<CChar>?

    /// Makes the file if it is absent; then its name is durable after the first sync. Does not follow a link.
    ///
    /// - Parameter path: with a `.` behind any `-`, which would name another file's mode (`findCreateFileMode` in os_unix.c).
    init(opening path: String) throws {
        guard let layer = sqlite3_vfs_find(nil), let path = strdup(path) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM)
        }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(layer.pointee.szOsFile), alignment: 16)
        memset(memory, 0, Int(layer.pointee.szOsFile))
        let file = memory.assumingMemoryBound(to: sqlite3_file.self)
        // A write-ahead log is the kind of file that SQLite takes no lock on.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_WAL
        let code = layer.pointee.xOpen(layer, path, file, flags, nil)
        guard code == SQLITE_OK else {
            memory.deallocate()
            free(path)
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        (self.file, self.path) = (file, path)
    }

    /// - Returns: `nil` if the connection has not opened its write-ahead log.
    init?(writeAheadLogOf database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = database.sqliteConnection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, file.pointee.pMethods != nil
        else { return nil }
        (self.file, path) = (file, nil)
    }

    deinit {
        guard let path else { return }
        _ = file.pointee.pMethods.pointee.xClose(file)
        UnsafeMutableRawPointer(file).deallocate()
        free(path)
    }

    func size() throws -> Int {
        var size: Int64 = 0
        try Self.check(file.pointee.pMethods.pointee.xFileSize(file, &size))
        return Int(size)
    }

    /// The first bytes; zeros where the file has no more.
    func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: count, by: Self.most) {
                let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<min(start + Self.most, count)])
                let code = file.pointee.pMethods.pointee.xRead(
                    file, part.baseAddress, Int32(part.count), Int64(start))
                if code != ResultCode.SQLITE_IOERR_SHORT_READ.rawValue { try Self.check(code) }
            }
        }
        return bytes
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        for start in stride(from: 0, to: bytes.count, by: Self.most) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.most, bytes.count)])
            try Self.check(
                file.pointee.pMethods.pointee.xWrite(
                    file, part.baseAddress, Int32(part.count), Int64(offset + start)))
        }
    }

    func zero(_ range: Range<Int>) throws {
        try [UInt8](repeating: 0, count: range.count).withUnsafeBytes { try write($0, at: range.lowerBound) }
    }

    /// What was written is durable when it returns.
    func sync() throws {
        try Self.check(file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY))
    }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
