import AuditBundle
import Consent
import Crypto
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Testing

@Suite("Retention", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct RetentionTests {
    /// Retention that waits for an upload, which does this before it ends.
    private func retain(
        of fleet: Fleet, afterUpload sql: String
    ) async throws -> (status: Int32, text: String, messages: String) {
        let upload = try await DatabaseConnection(settings: fleet.settings)
        try await upload.script("BEGIN; SELECT id FROM fleet.host FOR UPDATE")
        let words = ["retain", "--before", "40d", "--key", fleet.key, "--database", fleet.settings]
        async let retention = Command.run([Command.programs + "/voicegate-fleet"] + words)
        let waiting = """
            SELECT FROM pg_locks WHERE NOT granted AND database = (
                SELECT oid FROM pg_database WHERE datname = current_database())
            """
        while try await fleet.connection.query(waiting).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        try await upload.script(sql)
        return try await retention
    }

    @Test("Retention drops whole months with a signed tombstone, after which everything else still verifies")
    func retention() async throws {
        let fleet = try await Fleet()
        let rows = "SELECT count(*), count(salt) FROM fleet.record"
        let other = fleet.folder.path + "/other"
        try Data((try #require(NoteSigner(name: "other")).secretText).utf8).write(to: URL(filePath: other))
        #expect(try await fleet.ask("retain", "--before", "40d", "--key", other).status == 78)
        try await fleet.change("UPDATE fleet.record SET kind = 'x' WHERE index = 5")
        let refused = try await fleet.ask("retain", "--before", "40d", "--key", fleet.key)
        #expect(refused.status == 65 && refused.messages.contains("--unverified 1"), "\(refused.messages)")
        let named = try await fleet.ask(
            "retain", "--before", "40d", "--key", fleet.key, "--unverified", "1", "--unverified", "2", "--dry-run")
        #expect(named.status == 0, "\(named.messages)")
        try await fleet.change("UPDATE fleet.record SET kind = 'session.started' WHERE index = 5")
        #expect(try await fleet.ask("retain", "--before", "40d", "--key", fleet.key, "--dry-run").status == 0)
        #expect(try await fleet.connection.query(rows) == [["611", "609"]])
        let dropped = try await fleet.ask("retain", "--before", "40d", "--key", fleet.key)
        #expect(dropped.status == 0, "\(dropped.messages)")
        // 583 records are old; those from 512 on are in no full tile and keep their leaves.
        #expect(try await fleet.connection.query(rows) == [["99", "26"]])
        let verified = try await fleet.ask("verify")
        #expect(verified.status == 0, "\(verified.text)")
        #expect(verified.text.contains("583 were dropped by retention, with a tombstone"))
        let output = fleet.folder.path + "/kept"
        #expect(try await fleet.ask("export", "--output", output).status == 0)
        #expect(try BundleVerifier(version: "other").verify(folder: output + "/n1").records == 21)
        // A tombstone that was removed or changed is missed.
        try await fleet.change("UPDATE fleet.tombstone SET note = replace(note, 'before 2', 'before 3')")
        #expect(try await fleet.ask("verify", "n1").status == 65)
        try await fleet.change("DELETE FROM fleet.tombstone")
        #expect(try await fleet.ask("verify", "n1").text.contains("Record 0: it is missing"))
    }

    @Test(
        "Bundles of tiles that retention drops in part stay whole until all of the tile is dropped, and grants name nobody"
    )
    func partOfATile() async throws {
        let fleet = try await Fleet()
        var log = try #require(TestLog("months", start: Fleet.day(-140)))
        for day in [-140, -90, -5] {
            log.wait(until: Fleet.day(day))
            log.use("org.example.Notes", sessions: 150)
        }
        let number = try await log.store(as: "m1", tenant: "north", in: fleet.store, collector: fleet.collector)
        let host = try #require(
            try await fleet.store.host(originDigest: Data(SHA256.hash(data: Data(log.origin.utf8)))))
        let (store, size) = (fleet.store, host.nextEntry)
        func bundles() async throws -> [Bool] {
            var found: [Bool] = []
            for position in 0..<size / 256 {
                found.append(try await store.tile(TilePath(level: nil, position: position), of: host) != nil)
            }
            return found
        }
        func rows(_ condition: String) async throws -> Int? {
            try await fleet.connection.query(
                "SELECT count(*) FROM fleet.record WHERE host = $1 AND \(condition)", ["\(number)"])[0][0].flatMap {
                    Int($0)
                }
        }
        func grants() async throws -> [String?] {
            try await fleet.connection.query(
                "SELECT client FROM fleet.grant_state WHERE host = $1 ORDER BY record", ["\(number)"]
            ).map { $0[0] }
        }
        #expect(try await bundles() == [true, true, true])
        let before = try await grants()
        #expect(!before.isEmpty && before.allSatisfy { $0 != nil })
        let all = try #require(try await rows("true"))
        for (days, expected) in [("100d", [false, true, true]), ("50d", [false, false, true])] {
            let dropped = try await fleet.ask("retain", "--before", days, "--key", fleet.key)
            #expect(dropped.status == 0, "\(dropped.messages)")
            #expect(try await bundles() == expected)
            let old = "time < now() - interval '\(days == "100d" ? 100 : 50) days'"
            #expect(try await rows(old + " AND (salt IS NOT NULL OR fields IS NOT NULL)") == 0)
            let kept = try #require(try await rows(old))
            #expect(0 < kept && kept < 256)
            let verified = try await fleet.ask("verify")
            #expect(verified.status == 0, "\(verified.text)")
        }
        #expect(try #require(try await rows("true")) < all)
        #expect(try await grants().first == .some(nil))
    }

    @Test("A month whose partition is divided by machine is filled, asked, verified and dropped like any other")
    func divided() async throws {
        let fleet = try await Fleet()
        try await fleet.change(
            """
            DO $$ BEGIN
                EXECUTE format(
                    'CREATE TABLE fleet.%I PARTITION OF fleet.record FOR VALUES FROM (%L) TO (%L) PARTITION BY HASH (host)',
                    'record_' || to_char(now() AT TIME ZONE 'UTC' - interval '200 days', 'YYYY_MM'),
                    date_trunc('month', now() AT TIME ZONE 'UTC' - interval '200 days') AT TIME ZONE 'UTC',
                    date_trunc('month', now() AT TIME ZONE 'UTC' - interval '200 days') AT TIME ZONE 'UTC' + interval '1 month');
                FOR part IN 0..2 LOOP
                    EXECUTE format(
                        'CREATE TABLE fleet.part_%s PARTITION OF fleet.%I FOR VALUES WITH (MODULUS 3, REMAINDER %s)', part,
                        'record_' || to_char(now() AT TIME ZONE 'UTC' - interval '200 days', 'YYYY_MM'), part);
                END LOOP;
            END $$
            """)
        for name in ["d1", "d2", "d3", "d4"] {
            var log = try #require(TestLog(name, start: Fleet.day(-200)))
            log.use("org.example.Old", sessions: 150)
            log.wait(until: Fleet.day(-5))
            log.use("org.example.Notes", sessions: 1)
            try await log.store(as: name, tenant: "north", in: fleet.store, collector: fleet.collector)
        }
        let parts = try await fleet.connection.query(
            "SELECT count(DISTINCT tableoid) > 1, count(*) > 0 FROM fleet.record WHERE tableoid::regclass::text LIKE '%part_%'"
        )
        #expect(parts == [["t", "t"]])
        let old = try await fleet.ask("records", "--client", "org.example.Old").text.split(separator: "\n")
        #expect(old.count == 4 * 301)
        #expect(try await fleet.ask("verify").text.contains("6 of 6 machines verify."))
        let dropped = try await fleet.ask("retain", "--before", "100d", "--key", fleet.key)
        #expect(dropped.status == 0, "\(dropped.messages)")
        #expect(try await fleet.connection.query("SELECT to_regclass('fleet.part_0')") == [[nil]])
        let verified = try await fleet.ask("verify")
        #expect(verified.status == 0, "\(verified.text)")
        #expect(verified.text.contains("were dropped by retention"))
    }

    @Test("Retention waits for an upload that is under way, and neither ends the other")
    func retentionBesideUpload() async throws {
        let fleet = try await Fleet()
        let dropped = try await retain(
            of: fleet,
            afterUpload:
                """
                INSERT INTO fleet.record (host, index, time, kind, digest)
                SELECT id, 604, now(), 'x', sha256('') FROM fleet.host WHERE name = 'n1'; ROLLBACK
                """)
        #expect(dropped.status == 0, "\(dropped.messages)")
    }

    @Test("Retention drops nothing if a machine has sent old records while the others were verified")
    func retentionBesideEnrolment() async throws {
        let fleet = try await Fleet()
        let refused = try await retain(
            of: fleet,
            afterUpload:
                """
                INSERT INTO fleet.host (tenant, name, origin, origin_sha256, token_sha256, report_interval)
                    SELECT min(id), 'new', 'new', sha256('new'), sha256('new'), 60 FROM fleet.tenant;
                INSERT INTO fleet.record (host, index, time, kind, digest)
                    SELECT id, 0, now() - interval '100 days', 'x', sha256('') FROM fleet.host WHERE name = 'new';
                COMMIT
                """)
        #expect(refused.status == 65)
        #expect(refused.messages.contains("since the machines were verified, so nothing was dropped"))
        #expect(try await fleet.connection.query("SELECT FROM fleet.tombstone").isEmpty)
        #expect(
            try await fleet.connection.query(
                "SELECT count(*) FROM fleet.record WHERE time < now() - interval '90 days'") != [["0"]])
    }

    @Test("A machine whose clock was set very often gets several tombstones, and holds up no retention")
    func manyPieces() async throws {
        let fleet = try await Fleet()
        var log = try #require(TestLog("jumping", start: Fleet.day(-100)))
        for number in 0..<1100 {
            log.wait(until: Fleet.day(number.isMultiple(of: 2) ? -5 : -100))
            log.append(.used, [:])
        }
        let host = try await log.store(as: "j1", tenant: "north", in: fleet.store, collector: fleet.collector)
        let dropped = try await fleet.ask("retain", "--before", "40d", "--key", fleet.key)
        #expect(dropped.status == 0, "\(dropped.messages)")
        let count = try await fleet.connection.query(
            "SELECT count(*) FROM fleet.tombstone WHERE host = $1", ["\(host)"])
        #expect(count == [["2"]])
        let verified = try await fleet.ask("verify")
        #expect(verified.status == 0, "\(verified.text)")
    }
}
