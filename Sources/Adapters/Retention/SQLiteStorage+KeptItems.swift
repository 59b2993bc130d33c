import Authorization
import Base
import Foundation
import GRDB
import Storage

/// The items and their keys. Each call is durable when it returns, and one transaction.
///
/// Keys are in their own table, in the order of their making, and are overwritten in place: SQLite does
/// not zero what it moves between pages.
extension SQLiteStorage {
    /// In the order in which they were begun.
    func entries() async throws -> [KeptEntry] {
        try await kept { database in try Self.entries(database) }
    }

    /// Enters an item in the state `writing`, without a key.
    func begin(_ item: KeptItem) async throws {
        try await kept { database in
            try database.execute(
                sql: """
                    INSERT INTO kept_items
                        (item, session, client, user, kind, resources, keeping, bytes, boot, since_boot, wall, state)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    item.identifier, item.session, item.client.rawValue, Int64(item.user), item.kind.rawValue,
                    item.resources.map(\.rawValue).sorted().joined(separator: ","), item.time.text, item.bytes,
                    item.began.boot, item.began.sinceBoot, item.began.wall, KeptState.writing.rawValue,
                ])
        }
    }

    /// Gives the item its key, its bytes and its beginning. It stays in the state `writing`.
    ///
    /// - Returns: `false` when it is no longer being written, because it was erased meanwhile.
    func seal(_ item: KeptItem, key: Data) async throws -> Bool {
        try await kept { database in
            try database.execute(
                sql: """
                    UPDATE kept_items SET bytes = ?, boot = ?, since_boot = ?, wall = ?
                    WHERE item = ? AND state = 'writing'
                    """,
                arguments: [item.bytes, item.began.boot, item.began.sinceBoot, item.began.wall, item.identifier])
            guard database.changesCount == 1 else { return false }
            try database.execute(
                sql: "INSERT INTO kept_keys (number, key) SELECT number, ? FROM kept_items WHERE item = ?",
                arguments: [key, item.identifier])
            return true
        }
    }

    /// Moves a sealed item to the state `kept`.
    ///
    /// - Returns: `false` when it was erased meanwhile.
    func keep(_ identifier: String) async throws -> Bool {
        try await kept { database in
            try database.execute(
                sql: "UPDATE kept_items SET state = 'kept' WHERE item = ? AND state = 'writing'",
                arguments: [identifier])
            return database.changesCount == 1
        }
    }

    /// The key of a kept item; `nil` when there is none.
    func key(of identifier: String) async throws -> Data? {
        try await kept { database in
            try Row.fetchOne(
                database,
                sql: "SELECT key FROM kept_keys JOIN kept_items USING (number) WHERE item = ? AND state = 'kept'",
                arguments: [identifier]
            ).map { try $0.checked(0) }
        }
    }

    /// Overwrites the keys of the chosen items, and moves them to the state `erasing`. The write-ahead log has the keys until it
    /// is emptied.
    ///
    /// - Returns: how many they are.
    @discardableResult
    func beginErasing(
        for reason: ErasureReason, where isChosen: @escaping @Sendable (KeptEntry) -> Bool
    ) async throws -> Int {
        try await kept { database in
            let chosen = try Self.entries(database).filter { $0.state != .erasing && isChosen($0) }
            for entry in chosen {
                let identifier = entry.item.identifier
                try database.execute(
                    sql: """
                        UPDATE kept_keys SET key = zeroblob(32)
                        WHERE number = (SELECT number FROM kept_items WHERE item = ?)
                        """, arguments: [identifier])
                try database.execute(
                    sql: "UPDATE kept_items SET state = 'erasing', reason = ? WHERE item = ?",
                    arguments: [reason.rawValue, identifier])
            }
            return chosen.count
        }
    }

    func remove(_ identifiers: [String]) async throws {
        try await kept { database in
            for identifier in identifiers {
                try database.execute(
                    sql: "DELETE FROM kept_keys WHERE number = (SELECT number FROM kept_items WHERE item = ?)",
                    arguments: [identifier])
                try database.execute(sql: "DELETE FROM kept_items WHERE item = ?", arguments: [identifier])
            }
        }
    }

    /// The moment that was noted last.
    func lastSeen() async throws -> Moment? {
        try await kept { database in
            try Row.fetchOne(database, sql: "SELECT boot, since_boot, wall FROM kept_clock").map {
                Moment(boot: try $0.checked(0), sinceBoot: try $0.checked(1), wall: try $0.checked(2))
            }
        }
    }

    /// Notes the moment, and the new beginnings of items by the clock of this boot.
    func note(_ moment: Moment, anchoring items: [KeptItem]) async throws {
        try await kept { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO kept_clock (id, boot, since_boot, wall) VALUES (1, ?, ?, ?)",
                arguments: [moment.boot, moment.sinceBoot, moment.wall])
            for item in items {
                try database.execute(
                    sql: "UPDATE kept_items SET boot = ?, since_boot = ?, wall = ? WHERE item = ?",
                    arguments: [item.began.boot, item.began.sinceBoot, item.began.wall, item.identifier])
            }
        }
    }

    private func kept<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try requireSameFile()
        return try await StorageError.translating(path: path) { try await queue.write(body) }
    }

    private static func entries(_ database: Database) throws -> [KeptEntry] {
        let columns =
            "item, session, client, user, kind, resources, keeping, bytes, boot, since_boot, wall, state, reason"
        return try Row.fetchAll(database, sql: "SELECT \(columns) FROM kept_items ORDER BY number").map(entry)
    }

    private static func entry(_ row: Row) throws -> KeptEntry {
        let (client, kind, time, state): (String, String, String, String) = (
            try row.checked(2), try row.checked(4), try row.checked(6), try row.checked(11)
        )
        let (user, resources, reason): (Int64, String, String?) = (
            try row.checked(3), try row.checked(5), try row.checked(12)
        )
        guard let client = ClientIdentifier(rawValue: client), let kind = DataKind(rawValue: kind),
            let time = KeepingTime(time), let state = KeptState(rawValue: state), let user = UInt32(exactly: user)
        else {
            throw StorageError(
                code: .corrupt,
                message: "The list of kept data holds a value that cannot be; restore the consent log from a backup.")
        }
        return KeptEntry(
            item: KeptItem(
                identifier: try row.checked(0), session: try row.checked(1), client: client, user: user, kind: kind,
                resources: Set(resources.split(separator: ",").compactMap { Resource(rawValue: String($0)) }),
                time: time, bytes: try row.checked(7),
                began: Moment(boot: try row.checked(8), sinceBoot: try row.checked(9), wall: try row.checked(10))),
            state: state, reason: reason.flatMap(ErasureReason.init))
    }
}
