import Consent
import Foundation
import GRDB

extension SQLiteStorage: ConsentStorage {
    public func summary() async throws -> StoredSummary {
        try await read { database in
            let row = try Row.fetchOne(database, sql: "SELECT min(position), max(position) FROM entries")
            let (first, last): (Int64?, Int64?) = (try row?.checked(0), try row?.checked(1))
            var indexes: ClosedRange<Int64>?
            if let first, let last { indexes = first...last }
            return StoredSummary(tree: try Self.tree(database), indexes: indexes)
        }
    }

    public func append(_ batch: StoredBatch) async throws {
        try await write { database in
            try database.inTransaction(.immediate) {
                try Self.insert(batch.records, into: database)
                try Self.insert(batch.nodes, into: database)
                try Self.replaceTree(by: batch.tree, afterAdding: batch.records.count, in: database)
                for change in batch.changes { try Self.apply(change, to: database) }
                try Self.erase(batch.erased, in: database)
                return .commit
            }
            guard !batch.erased.isEmpty else { return }
            do {
                try Self.emptyWriteAheadLog(of: database)
            } catch {
                // The records are already durable, whatever the error of this step.
                throw StorageError(
                    code: .inputOutput,
                    message: "Erased fields may still be in the write-ahead log. Restart the service: \(error)")
            }
        }
    }

    public func page(after index: Int64?, limit: Int) async throws -> StoredPage {
        try await read { database in
            let records = try Self.records(
                database, where: "position >= ? ORDER BY position", [index.map { $0 + 1 } ?? .min], limit: limit)
            guard records.count < limit else { return StoredPage(records: records, end: nil) }
            let nodes = try Self.nodes(database, where: "TRUE", [])
            let end = StoredEnd(
                tree: try Self.tree(database), decisions: try Self.decisions(database), nodes: nodes)
            return StoredPage(records: records, end: end)
        }
    }

    public func records(
        of kinds: [String], in range: Range<Int64>, _ direction: LogDirection, limit: Int
    ) async throws -> [StoredRecord] {
        try await read { database in
            let marks = kinds.map { _ in "?" }.joined(separator: ",")
            let isIndexed = Set(kinds).isDisjoint(with: Schema.unindexedKinds)
            let condition =
                kinds.isEmpty ? "" : "kind IN (\(marks)) AND " + (isIndexed ? "\(Schema.isIndexed) AND " : "")
            let order = direction == .forward ? "position" : "position DESC"
            return try Self.records(
                database, where: condition + "position >= ? AND position < ? ORDER BY \(order)",
                StatementArguments(kinds) + [range.lowerBound, range.upperBound], limit: limit)
        }
    }

    public func nodes(level: Int, in positions: Range<Int64>) async throws -> [TreeNode] {
        try await read { database in
            try Self.nodes(
                database, where: "level = ? AND position >= ? AND position < ?",
                [level, positions.lowerBound, positions.upperBound])
        }
    }

    public func keep(_ checkpoint: StoredCheckpoint) async throws {
        try await write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO checkpoints (size, note) VALUES (?, ?)",
                arguments: [checkpoint.size, checkpoint.note])
        }
    }

    public func checkpoints() async throws -> [StoredCheckpoint] {
        try await read {
            try Row.fetchAll($0, sql: "SELECT size, note FROM checkpoints ORDER BY size").map {
                StoredCheckpoint(size: try $0.checked(0), note: try $0.checked(1))
            }
        }
    }

    public func secret(_ name: String, size: Int) async throws -> Data {
        try await write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO secrets (name, value) VALUES (?, randomblob(?))", arguments: [name, size])
            let row = try Row.fetchOne(database, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [name])
            guard let value: Data = try row?.checked(0), value.count == size else { throw StorageError.wrongType }
            return value
        }
    }

    public func decisions() async throws -> [StoredDecision] {
        try await read(Self.decisions)
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await StorageError.translating(path: path) { try await queue.read(body) }
    }
}

/// Rows to values and back; nothing here judges what it reads.
extension SQLiteStorage {
    static func insert(_ records: [StoredRecord], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO entries (position, kind, leaf, disclosed) VALUES (?, ?, ?, ?)")
        for record in records {
            try statement.execute(arguments: [record.index, record.kind, record.leaf, record.disclosed])
        }
    }

    static func insert(_ nodes: [TreeNode], into database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT INTO nodes (level, position, hash) VALUES (?, ?, ?)")
        for node in nodes {
            try statement.execute(arguments: [node.level, Int64(clamping: node.position), node.hash.bytes])
        }
    }

    static func replaceTree(by tree: StoredTree, afterAdding count: Int, in database: Database) throws {
        let before = tree.size - Int64(count)
        if before == 0 {
            try database.execute(
                sql: "INSERT INTO tree (id, size, root, frontier) VALUES (1, ?, ?, ?)",
                arguments: [tree.size, tree.root, tree.frontier])
            return
        }
        // The condition fails if another program changed the file.
        try database.cachedStatement(sql: "UPDATE tree SET size = ?, root = ?, frontier = ? WHERE id = 1 AND size = ?")
            .execute(arguments: [tree.size, tree.root, tree.frontier, before])
        guard database.changesCount == 1 else {
            throw StorageError(
                code: .corrupt,
                message: "The consent log was changed by another program while the service ran; restart the service.")
        }
    }

    static func erase(_ indexes: [Int64], in database: Database) throws {
        guard !indexes.isEmpty else { return }
        let statement = try database.cachedStatement(sql: "UPDATE entries SET disclosed = NULL WHERE position = ?")
        for index in indexes { try statement.execute(arguments: [index]) }
    }

    /// What was overwritten is in the write-ahead log until that is emptied.
    static func emptyWriteAheadLog(of database: Database) throws {
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard let busy: Int = try row?.checked(0), busy == 0 else {
            throw StorageError(
                code: .inputOutput,
                message: "Erased fields are still in the write-ahead log, because another program reads the consent "
                    + "log. End it and restart the service.")
        }
    }

    static func apply(_ change: StoredChange, to database: Database) throws {
        switch change {
        case .store(let decision):
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO decisions
                        (user, client, resource, verdict, executable_sha256, indication, decided_at,
                            executable_path, terms, record)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    decision.key.user, decision.key.client, decision.key.resource, decision.verdict,
                    decision.executableSHA256, decision.indication, decision.decidedAt, decision.executablePath,
                    decision.terms, decision.record,
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
            "user, client, resource, verdict, executable_sha256, indication, decided_at, executable_path, terms, record"
        return try Row.fetchAll(database, sql: "SELECT \(columns) FROM decisions ORDER BY user, client, resource").map {
            let key = StoredDecision.Key(
                user: try $0.checked(0), client: try $0.checked(1), resource: try $0.checked(2))
            return StoredDecision(
                key: key, verdict: try $0.checked(3), executableSHA256: try $0.checked(4),
                executablePath: try $0.checked(7), terms: try $0.checked(8), indication: try $0.checked(5),
                decidedAt: try $0.checked(6), record: try $0.checked(9))
        }
    }

    /// - Parameter condition: an SQL condition, and the order.
    static func records(
        _ database: Database, where condition: String, _ arguments: StatementArguments, limit: Int
    ) throws -> [StoredRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT position, kind, leaf, disclosed FROM entries WHERE \(condition) LIMIT ?")
        return try Row.fetchAll(statement, arguments: arguments + [limit]).map { row in
            StoredRecord(
                index: try row.checked(0), kind: try row.checked(1), leaf: try row.checked(2),
                disclosed: try row.checked(3))
        }
    }

    static func nodes(
        _ database: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> [TreeNode] {
        let statement = try database.cachedStatement(
            sql: "SELECT level, position, hash FROM nodes WHERE \(condition) ORDER BY level, position")
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            guard let position = UInt64(exactly: try row.checked(1) as Int64),
                let hash = MerkleHash(bytes: try row.checked(2) as Data)
            else { throw StorageError.wrongType }
            return TreeNode(level: try row.checked(0), position: position, hash: hash)
        }
    }
}

extension Row {
    /// The column's value; GRDB's own subscript ends the process on a value of another type, which only a damaged file
    /// can hold.
    func checked<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        let stored: DatabaseValue = self[column]
        guard let value = Value.fromDatabaseValue(stored) else { throw StorageError.wrongType }
        return value
    }
}
