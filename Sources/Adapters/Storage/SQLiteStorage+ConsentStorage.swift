import CSQLite
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

    public nonisolated(nonsending) func append(_ batch: StoredBatch) async throws {
        guard !batch.erased.isEmpty else { return try writeHere { try Self.insert(batch, into: $0) } }
        await readers.pause()
        defer { readers.resume() }
        try writeHere { database in
            try Self.insert(batch, into: database)
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

    public func scan<Value: Sendable>(
        _ range: Range<Int64>, into value: Value, _ body: @escaping @Sendable (inout Value, RecordBytes) -> Bool
    ) async throws -> (Value, StoredEnd?) {
        try await read { database in
            var value = value
            try Self.forEachRecord(
                database, where: "position >= ? AND position < ? ORDER BY position", [], range
            ) { body(&value, $0) }
            guard range.upperBound == .max else { return (value, nil) }
            let end = StoredEnd(
                tree: try Self.tree(database), decisions: try Self.decisions(database),
                nodes: try Self.nodes(database, where: "TRUE", []))
            return (value, end)
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
            var records: [StoredRecord] = []
            try Self.forEachRecord(
                database, where: condition + "position >= ? AND position < ? ORDER BY \(order)", kinds, range,
                limit: limit
            ) {
                records.append($0.record)
                return true
            }
            return records
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
        try await StorageError.translating(path: path) { try await readers.read(body) }
    }
}

/// Rows to values and back; nothing here judges what it reads.
extension SQLiteStorage {
    private static func insert(_ batch: StoredBatch, into database: Database) throws {
        try DirectStatement(database, "BEGIN IMMEDIATE").run()
        do {
            try insert(batch.records, into: database)
            try insert(batch.nodes, into: database)
            for change in batch.changes { try apply(change, to: database) }
            try erase(batch.erased, in: database)
            try replaceTree(by: batch.tree, afterAdding: batch.records.count, in: database)
            try DirectStatement(database, "COMMIT").run()
        } catch {
            // SQLite may have rolled back already; the first error is the one that counts.
            if database.isInsideTransaction { try? DirectStatement(database, "ROLLBACK").run() }
            throw error
        }
    }

    private static func insert(_ records: [StoredRecord], into database: Database) throws {
        let statement = try DirectStatement(
            database, "INSERT INTO entries (position, kind, leaf, disclosed) VALUES (?, ?, ?, ?)")
        for record in records {
            statement.bind(record.index, at: 1)
            statement.bind(record.kind, at: 2)
            try record.leaf.withUnsafeBytes { leaf in
                statement.bind(leaf, at: 3)
                guard let disclosed = record.disclosed else {
                    statement.bindNull(at: 4)
                    return try statement.run()
                }
                try disclosed.withUnsafeBytes { bytes in
                    statement.bind(bytes, at: 4)
                    try statement.run()
                }
            }
        }
    }

    private static func insert(_ nodes: [TreeNode], into database: Database) throws {
        guard !nodes.isEmpty else { return }
        let statement = try DirectStatement(database, "INSERT INTO nodes (level, position, hash) VALUES (?, ?, ?)")
        for node in nodes {
            statement.bind(Int64(node.level), at: 1)
            statement.bind(Int64(clamping: node.position), at: 2)
            try node.hash.bytes.withUnsafeBytes { hash in
                statement.bind(hash, at: 3)
                try statement.run()
            }
        }
    }

    private static func replaceTree(by tree: StoredTree, afterAdding count: Int, in database: Database) throws {
        let before = tree.size - Int64(count)
        // The condition fails if another program changed the file.
        let statement = try DirectStatement(
            database,
            before == 0
                ? "INSERT INTO tree (size, root, frontier, id) VALUES (?, ?, ?, ? + 1)"
                : "UPDATE tree SET size = ?, root = ?, frontier = ? WHERE id = 1 AND size = ?")
        statement.bind(tree.size, at: 1)
        statement.bind(before, at: 4)
        try tree.root.withUnsafeBytes { root in
            statement.bind(root, at: 2)
            try tree.frontier.withUnsafeBytes { frontier in
                statement.bind(frontier, at: 3)
                try statement.run()
            }
        }
        guard database.changesCount == 1 else {
            throw StorageError(
                code: .corrupt,
                message: "The consent log was changed by another program while the service ran; restart the service.")
        }
    }

    private static func erase(_ indexes: [Int64], in database: Database) throws {
        guard !indexes.isEmpty else { return }
        let statement = try database.cachedStatement(sql: "UPDATE entries SET disclosed = NULL WHERE position = ?")
        for index in indexes { try statement.execute(arguments: [index]) }
        try rewriteDecisions(in: database)
    }

    /// SQLite overwrites what is deleted, but not what it has moved between pages: copies of decisions that were deleted since
    /// may be in the unused parts of pages. An emptied table's pages are overwritten as a whole.
    private static func rewriteDecisions(in database: Database) throws {
        let decisions = try decisions(database)
        try database.execute(sql: "DELETE FROM decisions")
        for decision in decisions { try apply(.store(decision), to: database) }
    }

    private static func apply(_ change: StoredChange, to database: Database) throws {
        if let decision = change.decision {
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO decisions
                        (user, client, resource, verdict, executable_sha256, indication, decided_at,
                            executable_path, terms, record)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [
                    decision.key.user, decision.key.client, decision.key.resource, decision.verdict,
                    decision.executableSHA256, decision.indication, decision.decidedAt, decision.executablePath,
                    decision.terms, decision.record,
                ])
        } else {
            try database.cachedStatement(sql: "DELETE FROM decisions WHERE user = ? AND client = ? AND resource = ?")
                .execute(arguments: [change.key.user, change.key.client, change.key.resource])
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

    /// - Parameters:
    ///   - condition: an SQL condition, and the order, with places for the texts and for the ends of the range.
    ///   - body: returns false to end.
    fileprivate static func forEachRecord(
        _ database: Database, where condition: String, _ texts: [String], _ range: Range<Int64>,
        limit: Int = .max, _ body: (RecordBytes) -> Bool
    ) throws {
        let statement = try DirectStatement(
            database, "SELECT position, kind, leaf, disclosed FROM entries WHERE \(condition) LIMIT ?")
        for (place, text) in texts.enumerated() { statement.bind(text, at: Int32(place) + 1) }
        for (place, number) in [range.lowerBound, range.upperBound, Int64(limit)].enumerated() {
            statement.bind(number, at: Int32(texts.count + place) + 1)
        }
        try statement.forEach { row in
            guard let kind = try row.bytes(1, SQLITE_TEXT), let leaf = try row.bytes(2, SQLITE_BLOB) else {
                throw StorageError.wrongType
            }
            return body(
                RecordBytes(
                    index: row.integer(0), kind: kind, leaf: leaf, disclosed: try row.bytes(3, SQLITE_BLOB)))
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
    package func checked<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        let stored: DatabaseValue = self[column]
        guard let value = Value.fromDatabaseValue(stored) else { throw StorageError.wrongType }
        return value
    }
}
