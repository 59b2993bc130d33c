import GRDB

/// The tables. A migration that was released is never changed; a new one is added.
enum Schema {
    /// Sessions are most of a log, and are never queried by kind alone: without them an append writes a page less.
    static let unindexedKinds = ["session.started", "session.stopped"]
    /// SQLite uses the index only if the query repeats its condition literally.
    static let isIndexed = "kind NOT IN ('session.started', 'session.stopped')"

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: tables) }
        return migrator
    }

    /// - Throws: `StorageError` if a later version wrote the file.
    static func requireKnown(_ database: Database, path: String) throws {
        guard try migrator.hasBeenSuperseded(database) else { return }
        throw StorageError(
            code: .schemaTooNew,
            message: "\(path) was written by a later version of VoiceGate. Install that version again, or choose "
                + "another state directory.")
    }

    private static let tables = """
        CREATE TABLE entries (
            position INTEGER PRIMARY KEY CHECK (position >= 0),
            kind TEXT NOT NULL,
            leaf BLOB NOT NULL,
            disclosed BLOB
        ) STRICT;

        -- What a start queries must not cost more with every session.
        CREATE INDEX entries_of_kind ON entries (kind, position) WHERE \(isIndexed);

        CREATE TABLE nodes (
            level INTEGER NOT NULL,
            position INTEGER NOT NULL CHECK (position >= 0),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            PRIMARY KEY (level, position)
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
            executable_path TEXT,
            terms TEXT,
            record INTEGER,
            PRIMARY KEY (user, client, resource)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE checkpoints (
            size INTEGER PRIMARY KEY CHECK (size >= 0),
            note BLOB NOT NULL
        ) STRICT;

        CREATE TABLE secrets (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

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
        """
}
