import Consent
import Foundation
import GRDB

/// Rows to values and back; nothing here judges what it reads.
extension SQLiteStorage {
    static func insert(_ record: StoredRecord, into database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO records (position, leaf, leaf_hash) VALUES (?, ?, ?)")
            .execute(arguments: [record.index, record.leaf, record.leafHash])
        let statement = try database.cachedStatement(sql: "INSERT INTO disclosures (record, disclosure) VALUES (?, ?)")
        for disclosure in record.disclosures { try statement.execute(arguments: [record.index, disclosure]) }
    }

    static func replaceTree(by tree: StoredTree, after record: StoredRecord, in database: Database) throws {
        if record.index == 0 {
            try database.execute(
                sql: "INSERT INTO tree (id, size, root, frontier) VALUES (1, ?, ?, ?)",
                arguments: [tree.size, tree.root, tree.frontier])
            return
        }
        // The condition holds the file to what the log believes it to be.
        try database.cachedStatement(sql: "UPDATE tree SET size = ?, root = ?, frontier = ? WHERE id = 1 AND size = ?")
            .execute(arguments: [tree.size, tree.root, tree.frontier, record.index])
        guard database.changesCount == 1 else {
            throw StorageError(
                code: .corrupt,
                message: "The consent log was changed by another program while the service ran; restart the service.")
        }
    }

    static func apply(_ change: StoredChange, to database: Database) throws {
        switch change {
        case .store(let decision):
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO decisions
                        (user, client, resource, verdict, executable_sha256, indication, decided_at,
                            executable_path, terms)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    decision.key.user, decision.key.client, decision.key.resource, decision.verdict,
                    decision.executableSHA256, decision.indication, decision.decidedAt, decision.executablePath,
                    decision.terms,
                ])
        case .remove(let key):
            try database.execute(
                sql: "DELETE FROM decisions WHERE user = ? AND client = ? AND resource = ?",
                arguments: [key.user, key.client, key.resource])
        }
    }

    static func tree(_ database: Database) throws -> StoredTree? {
        try Row.fetchOne(database, sql: "SELECT size, root, frontier FROM tree").map {
            StoredTree(size: try $0.checked(0), root: try $0.checked(1), frontier: try $0.checked(2))
        }
    }

    static func decisions(_ database: Database) throws -> [StoredDecision] {
        let columns =
            "user, client, resource, verdict, executable_sha256, indication, decided_at, executable_path, terms"
        return try Row.fetchAll(database, sql: "SELECT \(columns) FROM decisions ORDER BY user, client, resource").map {
            let key = StoredDecision.Key(
                user: try $0.checked(0), client: try $0.checked(1), resource: try $0.checked(2))
            return StoredDecision(
                key: key, verdict: try $0.checked(3), executableSHA256: try $0.checked(4),
                executablePath: try $0.checked(7), terms: try $0.checked(8), indication: try $0.checked(5),
                decidedAt: try $0.checked(6))
        }
    }

    /// - Parameter condition: an SQL condition on `position` with one argument, and the order.
    static func records(
        _ database: Database, where condition: String, _ bound: Int64, limit: Int
    ) throws -> [StoredRecord] {
        let disclosures = try database.cachedStatement(
            sql: "SELECT disclosure FROM disclosures WHERE record = ? ORDER BY disclosure")
        let sql = "SELECT position, leaf, leaf_hash FROM records WHERE \(condition) LIMIT ?"
        return try Row.fetchAll(database, sql: sql, arguments: [bound, limit]).map { row in
            let index: Int64 = try row.checked(0)
            return StoredRecord(
                index: index, leaf: try row.checked(1), leafHash: try row.checked(2),
                disclosures: try Row.fetchAll(disclosures, arguments: [index]).map { try $0.checked(0) })
        }
    }
}

extension Row {
    /// The column's value; GRDB's own subscript ends the process on a value of another type, which only a damaged file
    /// can hold.
    func checked<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        let stored: DatabaseValue = self[column]
        guard let value = Value.fromDatabaseValue(stored) else {
            throw StorageError(
                code: .corrupt,
                message: "The consent log holds a value of a wrong type; put it aside or restore it from a backup.")
        }
        return value
    }
}
