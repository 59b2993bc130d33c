import GRDB

/// The tables. A migration that was shipped is never changed; a new one is added.
enum Schema {
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
        registerKeptItems(&migrator)
        return migrator
    }
}
