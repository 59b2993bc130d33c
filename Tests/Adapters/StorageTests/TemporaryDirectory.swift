import Authorization
import Consent
import Foundation
import GRDB
@testable import Storage

/// A separate directory for one test, gone afterwards.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "voicegate-storage-\(UUID().uuidString)"
        mkdir(path, 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where a log goes; made by the storage itself.
    var state: String { path + "/state" }
    var database: String { state + "/consent.sqlite" }

    func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}

extension ConsentLog {
    /// Records a recogniser's failure, which changes no decision.
    @discardableResult
    nonisolated func recordFailure(
        in session: String = "s", of client: String = "a", reason: String = "r"
    ) async throws -> UInt64 {
        try await record(
            .recognizerFailed(session: session, client: .unregistered(executable: client), reason: reason),
            changing: nil)
    }
}

/// All rows of a log, and every way to change one value of them.
struct Tables {
    struct Change {
        let table: String
        let row: Int
        let column: Int
        let value: DatabaseValue
        let description: String
    }

    private static let names = ["entries", "nodes", "tree", "decisions"]
    /// Bytes between two changed ones; the model's own tests change every one.
    private static let stride = 97

    private let rows: [String: [[DatabaseValue]]]

    init(_ storage: SQLiteStorage) async throws {
        rows = try await storage.queue.read { database in
            var rows: [String: [[DatabaseValue]]] = [:]
            for name in Self.names {
                rows[name] = try Row.fetchAll(database, sql: "SELECT * FROM \(name)").map { Array($0.databaseValues) }
            }
            return rows
        }
    }

    var changes: [Change] {
        rows.flatMap { table, rows in
            rows.enumerated().flatMap { row, values in
                values.enumerated().flatMap { column, value in
                    Self.variants(of: value).map {
                        Change(
                            table: table, row: row, column: column, value: $0,
                            description: "\(table), row \(row), column \(column): \($0)")
                    }
                }
            }
        }.filter { !($0.table == "tree" && $0.column == 0) }
    }

    /// Puts all rows back, with one value changed.
    func write(_ change: Change?, to storage: SQLiteStorage) async throws {
        try await storage.queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try database.inTransaction {
                for (table, rows) in rows {
                    try database.execute(sql: "DELETE FROM \(table)")
                    for (row, original) in rows.enumerated() {
                        var values = original
                        if let change, change.table == table, change.row == row { values[change.column] = change.value }
                        let marks = values.map { _ in "?" }.joined(separator: ",")
                        // A changed key may meet another row; replacing that one is a change to be found, too.
                        try database.execute(
                            sql: "INSERT OR REPLACE INTO \(table) VALUES (\(marks))",
                            arguments: StatementArguments(values))
                    }
                }
                return .commit
            }
        }
    }

    private static func variants(of value: DatabaseValue) -> [DatabaseValue] {
        switch value.storage {
        case .null: ["text".databaseValue]
        case .int64(let number): [(number ^ 1).databaseValue, (number + 1_000_000).databaseValue]
        case .double: []
        case .string(let text): [(text + "x").databaseValue, String(text.dropLast()).databaseValue]
        case .blob(let data):
            Swift.stride(from: 0, to: data.count, by: stride).map {
                var changed = data
                changed[changed.startIndex + $0] ^= 0x20
                return changed.databaseValue
            }
        }
    }
}
