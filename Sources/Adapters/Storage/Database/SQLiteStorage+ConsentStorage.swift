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
                // The records stand there already, whatever the error says of this step.
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

    public func records(of kinds: [String], before index: Int64?, limit: Int) async throws -> [StoredRecord] {
        try await read { database in
            let marks = kinds.map { _ in "?" }.joined(separator: ",")
            let isIndexed = Set(kinds).isDisjoint(with: Schema.unindexedKinds)
            let condition =
                kinds.isEmpty ? "" : "kind IN (\(marks)) AND " + (isIndexed ? "\(Schema.isIndexed) AND " : "")
            return try Self.records(
                database, where: condition + "position <= ? ORDER BY position DESC",
                StatementArguments(kinds) + [index.map { $0 - 1 } ?? .max], limit: limit
            ).reversed()
        }
    }

    public func records(in range: Range<Int64>) async throws -> [StoredRecord] {
        try await read { database in
            try Self.records(
                database, where: "position >= ? AND position < ? ORDER BY position",
                [range.lowerBound, range.upperBound], limit: range.count)
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
