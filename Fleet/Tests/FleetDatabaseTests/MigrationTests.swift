import FleetDatabase
import FleetModel
import FleetSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
    @Test("Migrations are numbered from 1 without a gap")
    func numbered() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
    }

    @Test(
        "A database that an earlier version made, with an alarm in it, gets the rest, and has the program's kinds of alarms",
        .needsPostgreSQL)
    func later() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase(migrated: false)
        let connection = try await DatabaseConnection(settings: settings)
        _ = try await Migrator(Array(Migration.all.prefix(1))).apply(to: connection)
        let missing = Migration.all.dropFirst().map(\.name)
        await #expect(throws: Migrator.Problem.missing(missing)) { try await Migrator().check(connection) }
        try await connection.query("INSERT INTO fleet.tenant (name) VALUES ('a')")
        try await connection.query(
            """
            INSERT INTO fleet.host (tenant, name, origin, origin_sha256, token_sha256, report_interval)
            VALUES (1, 'h', 'o', sha256('o'), sha256('t'), 60)
            """)
        try await connection.query("INSERT INTO fleet.alarm (host, kind) VALUES (1, 'silent'), (1, 'forked')")
        #expect(try await Migrator().apply(to: connection) == missing)
        #expect(try await connection.query("SELECT state FROM fleet_api.hosts") == [["forked"]])
        let kinds = try await connection.query("SELECT kind FROM fleet.alarm_kind ORDER BY rank")
        #expect(kinds == AlarmKind.allCases.map { [$0.rawValue] })
    }
}
