import Cryptography
import Foundation

/// Brings a database's schema to this program's version.
public struct Migrator: Sendable {
    public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// A migration was applied that this program does not have, or that has another text here.
        case differs(number: Int, name: String)
        /// Migrations that were not applied yet.
        case missing([String])
        /// The database's encoding cannot hold what machines record.
        case encoding(String)

        public var description: String {
            switch self {
            case .differs(let number, let name):
                "The database has the migration \(number) “\(name)” in another version. Run the program that made it."
            case .missing(let names):
                "The database needs the migrations \(names.joined(separator: ", ")). Run “voicegate-collector migrate”."
            case .encoding(let name):
                "The database's encoding is \(name). Make one with UTF8: createdb --encoding UTF8 --template template0"
            }
        }
    }

    private let migrations: [Migration]

    public init(_ migrations: [Migration] = Migration.all) { self.migrations = migrations }

    /// Applies what is missing, in one transaction; programs that do this at once wait for each other.
    ///
    /// - Returns: the names of those that were applied.
    /// - Throws: `Problem`, `DatabaseError`.
    public func apply(to connection: DatabaseConnection) async throws -> [String] {
        try await connection.transaction { connection in
            try connection.script("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
            try connection.query("SELECT pg_advisory_xact_lock(hashtext('fleet.migration'))")
            try connection.script(
                """
                CREATE SCHEMA IF NOT EXISTS fleet;
                CREATE TABLE IF NOT EXISTS fleet.migration (
                    number integer PRIMARY KEY, name text NOT NULL, sha256 bytea NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now());
                """)
            let missing = try missing(in: connection)
            for migration in missing {
                try connection.script(migration.sql)
                try connection.query(
                    "INSERT INTO fleet.migration (number, name, sha256) VALUES ($1, $2, $3)",
                    [String(migration.number), migration.name, migration.digest.bytea])
            }
            return missing.map(\.name)
        }
    }

    /// - Throws: `Problem` unless the database has exactly this program's migrations; `DatabaseError`.
    public func check(_ connection: DatabaseConnection) async throws {
        let missing = try await connection.run { connection in
            let exists = try connection.query("SELECT to_regclass('fleet.migration') IS NOT NULL")
            return exists == [["t"]] ? try self.missing(in: connection) : migrations
        }
        guard missing.isEmpty else { throw Problem.missing(missing.map(\.name)) }
    }

    private func missing(in connection: isolated DatabaseConnection) throws -> [Migration] {
        let encoding = try connection.query("SHOW server_encoding").first?[0] ?? ""
        guard encoding == "UTF8" else { throw Problem.encoding(encoding) }
        let applied = try connection.query("SELECT number, name, sha256 FROM fleet.migration ORDER BY number")
        for row in applied {
            let number = row[0].flatMap { Int($0) } ?? 0
            guard let migration = migrations.first(where: { $0.number == number }),
                migration.name == row[1], migration.digest.bytea == row[2]
            else { throw Problem.differs(number: number, name: row[1] ?? "") }
        }
        let numbers = Set(applied.compactMap { $0[0].flatMap { Int($0) } })
        return migrations.filter { !numbers.contains($0.number) }
    }
}

/// A numbered file of SQL that changes the database's schema, once.
public struct Migration: Sendable, Hashable {
    public let number: Int
    public let name: String
    public let sql: String

    /// In the order in which they are applied.
    public static let all = [
        Migration(1, "records", PackageResources._001_records_sql),
        Migration(2, "questions", PackageResources._002_questions_sql),
    ]

    init(_ number: Int, _ name: String, _ sql: [UInt8]) {
        self.number = number
        self.name = name
        self.sql = String(decoding: sql, as: UTF8.self)
    }

    /// A file that was applied must not change afterwards.
    public var digest: Data { Data(SHA256.hash(data: sql.utf8)) }
}
