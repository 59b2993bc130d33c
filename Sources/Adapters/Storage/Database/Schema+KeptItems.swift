import GRDB

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
