import Consent
import Foundation
import GRDB

extension SQLiteStorage: ConsentStorage {
    public func summary() async throws -> StoredSummary {
        try await read { database in
            let row = try Row.fetchOne(database, sql: "SELECT min(position), max(position) FROM records")
            let (first, last): (Int64?, Int64?) = (try row?.checked(0), try row?.checked(1))
            var indexes: ClosedRange<Int64>?
            if let first, let last { indexes = first...last }
            return StoredSummary(tree: try Self.tree(database), indexes: indexes)
        }
    }

    public func append(_ record: StoredRecord, tree: StoredTree, change: StoredChange?) async throws {
        try requireSameFile()
        try await StorageError.translating(path: path) {
            try await queue.write { database in
                try Self.insert(record, into: database)
                try Self.replaceTree(by: tree, after: record, in: database)
                if let change { try Self.apply(change, to: database) }
            }
        }
    }

    public func page(after index: Int64?, limit: Int) async throws -> StoredPage {
        try await read { database in
            let records = try Self.records(
                database, where: "position >= ? ORDER BY position", index.map { $0 + 1 } ?? .min, limit: limit)
            guard records.count < limit else { return StoredPage(records: records, end: nil) }
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM disclosures") ?? 0
            let end = StoredEnd(
                tree: try Self.tree(database), decisions: try Self.decisions(database), disclosureCount: count)
            return StoredPage(records: records, end: end)
        }
    }

    public func records(before index: Int64?, limit: Int) async throws -> [StoredRecord] {
        try await read { database in
            try Self.records(
                database, where: "position <= ? ORDER BY position DESC", index.map { $0 - 1 } ?? .max, limit: limit
            ).reversed()
        }
    }

    public func decisions() async throws -> [StoredDecision] {
        try await read(Self.decisions)
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await StorageError.translating(path: path) { try await queue.read(body) }
    }
}
