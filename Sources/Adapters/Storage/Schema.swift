import Consent
import Foundation
import GRDB

/// The tables. A migration that was shipped is never changed; a new one is added.
enum Schema {
    /// Sessions are most of a log, and nobody looks for them by kind: without them an append writes a page less.
    static let unindexedKinds = ["session.started", "session.stopped"]
    /// SQLite takes the index only where the question has the very same words.
    static let isIndexed = "kind NOT IN ('session.started', 'session.stopped')"

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE records (
                        position INTEGER PRIMARY KEY CHECK (position >= 0),
                        leaf BLOB NOT NULL,
                        leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32)
                    ) STRICT;

                    CREATE TABLE disclosures (
                        record INTEGER NOT NULL REFERENCES records (position),
                        disclosure BLOB NOT NULL,
                        PRIMARY KEY (record, disclosure)
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE tree (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        size INTEGER NOT NULL,
                        root BLOB NOT NULL CHECK (length(root) = 32),
                        frontier BLOB NOT NULL
                    ) STRICT;

                    CREATE TABLE decisions (
                        user INTEGER NOT NULL,
                        client TEXT NOT NULL,
                        resource TEXT NOT NULL,
                        verdict TEXT NOT NULL,
                        executable_sha256 TEXT,
                        indication TEXT NOT NULL,
                        decided_at INTEGER NOT NULL,
                        PRIMARY KEY (user, client, resource)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2") { database in
            try database.execute(
                sql: """
                    ALTER TABLE decisions ADD COLUMN executable_path TEXT;
                    ALTER TABLE decisions ADD COLUMN terms TEXT;
                    """)
        }
        migrator.registerMigration("3") { database in
            try database.execute(
                sql: """
                    CREATE TABLE entries (
                        position INTEGER PRIMARY KEY CHECK (position >= 0),
                        kind TEXT NOT NULL,
                        leaf BLOB NOT NULL,
                        disclosed BLOB
                    ) STRICT;

                    INSERT INTO entries
                        SELECT position, json_extract(CAST(leaf AS TEXT), '$.kind'), leaf,
                            (SELECT CAST(group_concat(CAST(disclosure AS TEXT), '~') AS BLOB)
                                FROM disclosures WHERE record = position)
                        FROM records ORDER BY position;

                    DROP TABLE disclosures;
                    DROP TABLE records;

                    -- What a start asks for must not cost more with every session.
                    CREATE INDEX entries_of_kind ON entries (kind, position) WHERE \(isIndexed);

                    CREATE TABLE nodes (
                        level INTEGER NOT NULL,
                        position INTEGER NOT NULL CHECK (position >= 0),
                        hash BLOB NOT NULL CHECK (length(hash) = 32),
                        PRIMARY KEY (level, position)
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE checkpoints (
                        size INTEGER PRIMARY KEY CHECK (size >= 0),
                        note BLOB NOT NULL
                    ) STRICT;

                    CREATE TABLE secrets (
                        name TEXT PRIMARY KEY,
                        value BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    ALTER TABLE decisions ADD COLUMN record INTEGER;
                    """)
            try buildNodes(database)
        }
        registerKeptItems(&migrator)
        return migrator
    }

    private static func buildNodes(_ database: Database) throws {
        var tree = Frontier()
        let leaves = try Data.fetchCursor(database, sql: "SELECT leaf FROM entries ORDER BY position")
        while let leaf = try leaves.next() {
            try SQLiteStorage.insert(tree.append(.leaf(leaf), level: 0), into: database)
        }
    }
}

extension Schema {
    /// What is kept, its keys, and the moment that was noted last.
    static func registerKeptItems(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("4") { database in
            try database.execute(
                sql: """
                    CREATE TABLE kept_items (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        item TEXT NOT NULL UNIQUE,
                        session TEXT NOT NULL,
                        client TEXT NOT NULL,
                        user INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        resources TEXT NOT NULL,
                        keeping TEXT NOT NULL,
                        bytes INTEGER NOT NULL,
                        boot TEXT NOT NULL,
                        since_boot INTEGER NOT NULL,
                        wall INTEGER NOT NULL,
                        state TEXT NOT NULL CHECK (state IN ('writing', 'kept', 'erasing')),
                        reason TEXT
                    ) STRICT;

                    CREATE TABLE kept_keys (
                        number INTEGER PRIMARY KEY REFERENCES kept_items (number),
                        key BLOB NOT NULL CHECK (length(key) = 32)
                    ) STRICT;

                    CREATE TABLE kept_clock (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        boot TEXT NOT NULL,
                        since_boot INTEGER NOT NULL,
                        wall INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
    }
}
