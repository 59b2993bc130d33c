import FleetDatabase
import FleetSupport
import Foundation
import Testing

/// Row level security: what the auditors of one tenant learn about a different one, which must be nothing.
@Suite("An auditor sees only its tenant or department", .needsPostgreSQL)
struct VisibilityTests {
    /// Roles are the server's, so that each database has its own.
    private struct Organisation {
        let settings: String
        let name: String

        func role(_ role: String) -> String { "\(role)_\(name)" }

        func query(_ sql: String, as role: String) async throws -> [[String?]] {
            let settings = settings.replacing("user=postgres", with: "user=\(self.role(role))")
            return try await DatabaseConnection(settings: settings).query(sql)
        }

        func count(_ table: String, as role: String) async throws -> Int? {
            try await query("SELECT count(*) FROM \(table)", as: role).first?[0].flatMap { Int($0) }
        }

        /// - Returns: the SQLSTATE of the refusal; `nil`: there was none.
        func refusal(of sql: String, as role: String) async throws -> String? {
            do {
                _ = try await query(sql, as: role)
                return nil
            } catch let error as DatabaseError {
                return error.state
            }
        }
    }

    /// Two tenants; the first has two departments, each with a machine of ten records.
    private static func organisation() async throws -> Organisation {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase()
        let connection = try await DatabaseConnection(settings: settings)
        let name = try #require(try await connection.query("SELECT current_database()").first?[0])
        let organisation = Organisation(settings: settings, name: name)
        try await connection.script(
            """
            INSERT INTO fleet.tenant (name) VALUES ('north'), ('south');
            INSERT INTO fleet.host (tenant, department, name, origin, origin_sha256, token_sha256, report_interval)
            SELECT t.id, d, n, n, sha256(n::bytea), sha256(n::bytea), 60
            FROM (VALUES ('north', 'sales', 'n1'), ('north', 'law', 'n2'), ('south', 'sales', 's1')) v (t, d, n)
            JOIN fleet.tenant t ON t.name = v.t;
            INSERT INTO fleet.record (host, index, time, kind, digest, salt, fields)
            SELECT h.id, i, '2026-11-01'::timestamptz + i * interval '1 minute',
                CASE i % 3 WHEN 0 THEN 'decision.granted' WHEN 1 THEN 'session.started' ELSE 'session.stopped' END, '', '',
                jsonb_build_object('client', 'org.' || h.name, 'user', 1000, 'resource', 'microphone', 'session', i / 3)
            FROM fleet.host h, generate_series(0, 9) i;
            INSERT INTO fleet.tile SELECT id, 0, 0, '' FROM fleet.host;
            INSERT INTO fleet.checkpoint SELECT id, 1, '', '' FROM fleet.host;
            INSERT INTO fleet.alarm (host, kind) SELECT id, 'silent' FROM fleet.host;
            INSERT INTO fleet.host_key (host, vkey) SELECT id, name FROM fleet.host;
            INSERT INTO fleet.tombstone (host, note) SELECT id, name FROM fleet.host;
            """)
        for (role, group) in [("nora", "auditor"), ("lawyer", "auditor"), ("stranger", "auditor"), ("adam", "admin")] {
            try await connection.script("CREATE ROLE \(organisation.role(role)) LOGIN IN ROLE fleet_\(group)")
        }
        try await connection.script(
            """
            INSERT INTO fleet.membership SELECT '\(organisation.role("nora"))', id FROM fleet.tenant WHERE name = 'north';
            INSERT INTO fleet.membership SELECT '\(organisation.role("lawyer"))', id, 'law' FROM fleet.tenant
                WHERE name = 'north';
            INSERT INTO fleet.membership SELECT 'a_role_that_was_dropped', id FROM fleet.tenant;
            """)
        return organisation
    }

    private static let tables = [
        "fleet.host_key", "fleet.tile", "fleet.checkpoint", "fleet.alarm", "fleet.tombstone", "fleet.host_state",
        "fleet_api.hosts", "fleet_api.alarms", "fleet_api.grants",
    ]

    @Test("Tables and views show a tenant's auditor its machines, a department's its own, and a stranger none")
    func rows() async throws {
        let organisation = try await Self.organisation()
        for (role, hosts) in [("nora", 2), ("lawyer", 1), ("stranger", 0), ("adam", 3)] {
            for table in Self.tables {
                #expect(try await organisation.count(table, as: role) == hosts, "\(table) as \(role)")
            }
            for table in ["fleet.record", "fleet_api.records"] {
                #expect(try await organisation.count(table, as: role) == hosts * 10, "\(table) as \(role)")
            }
            #expect(try await organisation.count("fleet_api.sessions", as: role) == hosts * 3)
        }
        let clients = try await organisation.query("SELECT DISTINCT client FROM fleet_api.records", as: "lawyer")
        #expect(clients == [["org.n2"]])
        #expect(try await organisation.query("SELECT name FROM fleet.tenant", as: "lawyer") == [["north"]])
    }

    @Test("Conditions that fail or print are never computed for another tenant's rows")
    func errors() async throws {
        let organisation = try await Self.organisation()
        let connection = try await DatabaseConnection(settings: organisation.settings)
        let hidden = try #require(try await connection.query("SELECT id FROM fleet.host WHERE name = 's1'").first?[0])
        for table in ["fleet.record", "fleet.alarm", "fleet.tile"] {
            let division = "SELECT count(*) FROM \(table) WHERE 1 / (host - \(hidden)) = 9"
            #expect(try await organisation.refusal(of: division, as: "nora") == nil, "\(table)")
            // The condition does fail where the row is seen.
            #expect(try await organisation.refusal(of: division, as: "adam") == "22012", "\(table)")
        }
        for view in ["hosts", "records", "sessions", "grants", "alarms"] {
            let division = "SELECT count(*) FROM fleet_api.\(view) WHERE 1 / (host_id - \(hidden)) = 9"
            #expect(try await organisation.refusal(of: division, as: "nora") == nil, "\(view)")
        }
        // The auditor's own cheap function, which the planner would compute first.
        let spy = """
            DO $spy$ BEGIN
                CREATE FUNCTION pg_temp.spy(bigint) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
                    'BEGIN IF $1 = \(hidden) THEN RAISE EXCEPTION ''seen''; END IF; RETURN true; END';
                PERFORM count(*) FROM fleet_api.records WHERE pg_temp.spy(host_id);
                PERFORM count(*) FROM fleet.record WHERE pg_temp.spy(host);
            END $spy$
            """
        #expect(try await organisation.refusal(of: spy, as: "nora") == nil)
        #expect(try await organisation.refusal(of: spy, as: "adam") == "P0001")
    }

    @Test("Functions, plans and statistics that read as the auditor show no more than tables")
    func functions() async throws {
        let organisation = try await Self.organisation()
        let xml = try await organisation.query(
            "SELECT query_to_xml('SELECT client FROM fleet_api.records', true, true, '')", as: "lawyer")
        #expect(xml[0][0]?.contains("org.n2") == true)
        #expect(xml[0][0]?.contains("org.n1") == false)
        #expect(xml[0][0]?.contains("org.s1") == false)
        try await DatabaseConnection(settings: organisation.settings).script("ANALYZE")
        let statistics = try await organisation.query(
            "SELECT count(*) FROM pg_stats WHERE schemaname = 'fleet' AND tablename IN ('record', 'record_default', 'host')",
            as: "nora")
        #expect(statistics == [["0"]])
        let plan = try await organisation.query(
            "EXPLAIN SELECT * FROM fleet_api.records WHERE client = 'org.guess'", as: "nora")
        #expect(!plan.joined().compactMap { $0 }.joined().contains("org.s1"))
    }

    @Test("Partitions, tokens, and every change are refused")
    func refusals() async throws {
        let organisation = try await Self.organisation()
        for sql in [
            "SELECT * FROM fleet.record_default", "SELECT token_sha256 FROM fleet.host", "SELECT * FROM fleet.host",
            "SELECT * FROM fleet.enrolment_token", "SELECT * FROM fleet.grant_state", "DELETE FROM fleet.record",
            "UPDATE fleet.alarm SET until = now()",
            "INSERT INTO fleet.membership SELECT current_user, id FROM fleet.tenant",
            "CREATE TABLE fleet.mine ()", "CREATE VIEW fleet_api.mine AS SELECT 1", "DROP VIEW fleet_api.hosts",
            "DELETE FROM fleet.tombstone", "SELECT FROM fleet.duty FOR UPDATE",
            "DO $$ BEGIN LOCK TABLE fleet.host IN EXCLUSIVE MODE; END $$",
            "SELECT fleet.ensure_partition('2030-01-01')",
        ] {
            #expect(try await organisation.refusal(of: sql, as: "nora") == "42501", "\(sql)")
        }
        for sql in ["DELETE FROM fleet.record", "UPDATE fleet.alarm SET until = now()", "DELETE FROM fleet.tombstone"] {
            #expect(try await organisation.refusal(of: sql, as: "adam") == "42501", "\(sql)")
        }
    }

    @Test("A machine's odd JSON stops no question")
    func oddFields() async throws {
        let organisation = try await Self.organisation()
        try await DatabaseConnection(settings: organisation.settings).script(
            """
            UPDATE fleet.record SET fields = '{"user": "x", "client": [1], "session": {"a": 1}, "milliseconds": 1e400}'
            WHERE index IN (1, 2);
            """)
        #expect(try await organisation.count("fleet_api.records", as: "nora") == 20)
        #expect(try await organisation.query("SELECT sum(\"user\") FROM fleet_api.records", as: "lawyer") == [["8000"]])
        #expect(try await organisation.count("fleet_api.sessions WHERE milliseconds IS NULL", as: "nora") == 6)
    }

    @Test("Every column of every view is documented")
    func documentation() async throws {
        let organisation = try await Self.organisation()
        let bare = try await DatabaseConnection(settings: organisation.settings).query(
            """
            SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            WHERE c.relnamespace = 'fleet_api'::regnamespace AND c.relkind = 'v'
                AND col_description(c.oid, a.attnum) IS NULL
            """)
        #expect(bare == [])
    }
}
