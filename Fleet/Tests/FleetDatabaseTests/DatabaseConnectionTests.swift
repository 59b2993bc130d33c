import FleetDatabase
import FleetSupport
import Foundation
import Testing

@Suite("PostgreSQL", .needsPostgreSQL, .timeLimit(.minutes(2)))
struct DatabaseConnectionTests {
    private static func connection() async throws -> DatabaseConnection {
        try await DatabaseConnection(settings: try PrivatePostgreSQL.shared.get().newDatabase(migrated: false))
    }

    @Test("Parameters and rows are text, NULL is nil")
    func rows() async throws {
        let connection = try await Self.connection()
        let rows = try await connection.query(
            "SELECT $1::int + 1, $2::text, $3::bytea", ["41", nil, Data([0, 255]).bytea])
        #expect(rows == [["42", nil, "\\x00ff"]])
        #expect(Data(bytea: "\\x00ff") == Data([0, 255]))
        #expect(try await connection.query("SELECT 1 WHERE false") == [])
    }

    @Test("An error has SQLSTATE and message, and the connection goes on")
    func errors() async throws {
        let connection = try await Self.connection()
        let error = await #expect(throws: DatabaseError.self) { try await connection.query("SELECT 1/0") }
        #expect(error == DatabaseError(state: "22012", message: "division by zero"))
        #expect(await connection.isIdle)
    }

    @Test("A pipeline does all or reports the first error")
    func pipeline() async throws {
        let connection = try await Self.connection()
        try await connection.script("CREATE TABLE t (n int PRIMARY KEY)")
        try await connection.pipeline(["1", "2"].map { Statement("INSERT INTO t VALUES ($1)", [$0]) })
        let error = await #expect(throws: DatabaseError.self) {
            try await connection.pipeline(["3", "1", "x"].map { Statement("INSERT INTO t VALUES ($1)", [$0]) })
        }
        #expect(error?.state == DatabaseError.uniqueViolation)
        // Without its own transaction, a pipeline is one.
        #expect(try await connection.query("SELECT count(*) FROM t") == [["2"]])
    }

    @Test("Rows are copied in binary; a wrong row undoes all")
    func copy() async throws {
        let connection = try await Self.connection()
        try await connection.script("CREATE TABLE t (n bigint, b bytea, j jsonb, at timestamptz, x text)")
        var data = CopyData()
        data.beginRow(fields: 5)
        data.appendNumber(Int64(-5))
        data.appendBytes([1, 2])
        data.appendJSON(Data(#"{"a":1}"#.utf8))
        data.appendTime(milliseconds: 1_700_000_000_123)
        data.appendNull()
        let statement = "COPY t FROM STDIN (FORMAT binary)"
        #expect(try await connection.copy(statement, data.whole) == 1)
        #expect(
            try await connection.query("SELECT n, b, j, (extract(epoch FROM at) * 1000)::bigint, x FROM t")
                == [["-5", "\\x0102", "{\"a\": 1}", "1700000000123", nil]])
        data.beginRow(fields: 1)
        data.appendNull()
        await #expect(throws: DatabaseError.self) { try await connection.copy(statement, data.whole) }
        #expect(try await connection.query("SELECT count(*) FROM t") == [["1"]])
    }

    @Test("A transaction that throws leaves nothing")
    func transaction() async throws {
        let connection = try await Self.connection()
        try await connection.script("CREATE TABLE t (n int)")
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await connection.transaction { connection in
                try connection.query("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try await connection.query("SELECT count(*) FROM t") == [["0"]])
        #expect(await connection.isIdle)
    }

    @Test("A pool replaces a connection that was ended, and shares its connections among many")
    func pool() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase(migrated: false)
        let pool = DatabasePool(settings: settings, limit: 2)
        let ended = await #expect(throws: DatabaseError.self) {
            try await pool.query("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        // libpq reports the server's last words, or only that the connection is lost.
        #expect(ended?.isTransient == true)
        #expect(
            ended?.state == "08006" || ended?.state == "57P01" && ended?.endsSession == true,
            "\(String(describing: ended))")
        let used = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<40 { group.addTask { try await pool.query("SELECT pg_backend_pid()")[0][0] } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect((1...2).contains(used.count))
    }

    @Test("A pool refuses what would wait behind very many others, as an error that passes")
    func crowd() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase(migrated: false)
        let pool = DatabasePool(settings: settings, limit: 1)
        let refused = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2_100 {
                group.addTask {
                    do {
                        try await pool.query("SELECT pg_sleep(0.001)")
                        return false
                    } catch {
                        return (error as? DatabaseError)?.isTransient == true
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect((1...99).contains(refused), "\(refused)")
        #expect(try await pool.query("SELECT 1") == [["1"]])
    }

    @Test("A pool does not use an idle connection that the server has ended")
    func ended() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase(migrated: false)
        let pool = DatabasePool(settings: settings, limit: 1)
        let first = try await pool.query("SELECT pg_backend_pid()")
        // It answers when the process has ended.
        let ended = try await DatabaseConnection(settings: settings).query(
            "SELECT pg_terminate_backend($1, 60000)", [first[0][0]])
        #expect(ended == [["t"]])
        #expect(try await pool.query("SELECT pg_backend_pid()") != first)
    }

    @Test("A server that is not there is an error of the connection")
    func absent() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await DatabaseConnection(settings: "host=/nowhere")
        }
        #expect(error?.isTransient == true)
    }

    @Test("A month's partition takes its records from the default partition, and does not wait for a long query")
    func partitions() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase()
        let connection = try await DatabaseConnection(settings: settings)
        let question = try await DatabaseConnection(settings: settings)
        try await connection.script(
            "INSERT INTO fleet.record (host, index, time, kind, digest) VALUES (1, 0, '2030-02-03', 'x', '')")
        try await question.script("BEGIN; SELECT FROM fleet.record")
        let ensure = "SELECT fleet.ensure_partition('2030-02-01')"
        #expect(try await connection.query(ensure) == [["f"]])
        try await question.script("ROLLBACK")
        for _ in 0..<2 { #expect(try await connection.query(ensure) == [["t"]]) }
        #expect(
            try await connection.query("SELECT tableoid::regclass, erased FROM fleet.record")
                == [["fleet.record_2030_02", "f"]])
    }

    @Test("A database that cannot hold every text is refused, with what to do")
    func encoding() async throws {
        let server = try await PrivatePostgreSQL.shared.get()
        let other = try await DatabaseConnection(settings: server.newDatabase(migrated: false))
        #expect(await other.isProtected)
        try await other.query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
        let settings = try #require(
            try await other.query("SELECT setting FROM pg_settings WHERE name = 'unix_socket_directories'")[0][0])
        let latin = try await DatabaseConnection(settings: "host=\(settings) user=postgres dbname=latin")
        await #expect(throws: Migrator.Problem.encoding("LATIN1")) { try await Migrator().apply(to: latin) }
        #expect(try await latin.query("SELECT to_regnamespace('fleet')") == [[nil]])
    }

    @Test("Migrations are applied once, by any number of programs at once; one that was changed is refused")
    func migrations() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase(migrated: false)
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask { try await Migrator().apply(to: DatabaseConnection(settings: settings)) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == Migration.all.map(\.name))
        let connection = try await DatabaseConnection(settings: settings)
        try await Migrator().check(connection)
        try await connection.query("UPDATE fleet.migration SET sha256 = '\\x00' WHERE number = 1")
        await #expect(throws: Migrator.Problem.self) { try await Migrator().apply(to: connection) }
        await #expect(throws: Migrator.Problem.self) { try await Migrator().check(connection) }
    }
}
