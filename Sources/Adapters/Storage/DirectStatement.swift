import CSQLite
import Foundation
import GRDB

/// A cached statement that is run by SQLite's own functions: GRDB makes an object of each value, which takes longer than
/// what SQLite does with it. For the connection's thread alone, one run at a time.
struct DirectStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer

    /// - Throws: `DatabaseError`.
    init(_ database: Database, _ sql: String) throws {
        guard let connection = database.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        statement = try database.cachedStatement(sql: sql).sqliteStatement
        self.connection = connection
    }

    func bind(_ value: Int64, at place: Int32) { sqlite3_bind_int64(statement, place, value) }

    func bind(_ text: String, at place: Int32) {
        // SQLite copies it (SQLITE_TRANSIENT): the bytes are there for this call only.
        sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), Self.transient)
    }

    /// The bytes must stay until the statement has run.
    func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32) {
        guard let start = bytes.baseAddress else {
            sqlite3_bind_zeroblob(statement, place, 0)
            return
        }
        sqlite3_bind_blob(statement, place, start, Int32(bytes.count), nil)
    }

    func bindNull(at place: Int32) { sqlite3_bind_null(statement, place) }

    /// - Throws: `DatabaseError`.
    func run() throws { try forEach { _ in false } }

    /// Gives each row to the body until that returns false.
    ///
    /// - Throws: `DatabaseError`, and what the body throws.
    func forEach(_ body: (Self) throws -> Bool) throws {
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard try body(self) else { return }
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
            }
        }
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A text or a blob; valid until the statement goes on. `nil` for NULL.
    ///
    /// - Throws: `StorageError` for a value of another type, which only a damaged file can hold.
    func bytes(_ column: Int32, _ type: Int32) throws -> UnsafeRawBufferPointer? {
        let actual = sqlite3_column_type(statement, column)
        guard actual != SQLITE_NULL else { return nil }
        guard actual == type else { throw StorageError.wrongType }
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
