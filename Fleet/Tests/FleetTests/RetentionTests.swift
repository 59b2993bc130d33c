import AuditBundle
import Consent
import Cryptography
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Testing

@Suite("Retention", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct RetentionTests {
    /// Retention beside an upload that has stored something when it is to drop, and does something else before it ends.
    private func retain(
        of fleet: Fleet, beside stored: String, _ rest: String
    ) async throws -> (status: Int32, text: String, messages: String) {
        let upload = try await DatabaseConnection(settings: fleet.settings)
        try await upload.script("BEGIN; SELECT FROM fleet.host WHERE name = 'n1' FOR NO KEY UPDATE; \(stored)")
        let words = ["retain", "--before", "40d", "--key", fleet.key, "--database", fleet.settings]
        async let retention = Command.run([Command.programs + "/voicegate-fleet"] + words)
        let waiting = """
            SELECT FROM pg_locks WHERE NOT granted AND database = (
                SELECT oid FROM pg_database WHERE datname = current_database())
            """
        while try await fleet.connection.query(waiting).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        // A report, which must not wait.
        try await fleet.change(
            "SET lock_timeout = '1s'; UPDATE fleet.host SET last_report_at = now() WHERE name = 's1'; RESET lock_timeout"
        )
        try await upload.script(rest)
        return try await retention
    }

    /// An entry bundle as a collector serves it.
    private func bundle(
        _ position: UInt64, width: UInt64 = TilePath.fullWidth, of log: TestLog, _ fleet: Fleet
    ) async throws -> Data? {
        let host = try await fleet.store.host(originDigest: Data(SHA256.hash(data: log.origin.utf8)))
        return try await fleet.store.tile(
            TilePath(level: nil, position: position, width: width), of: try #require(host))
    }

    /// What the log has at its place.
    private func leaves(_ position: Int, width: Int = 256, of log: TestLog) -> Data {
        log.records[(position * 256)..<(position * 256 + width)].map(\.leaf.data).reduce(into: Data()) {
            $0.append(contentsOf: [UInt8($1.count >> 8), UInt8($1.count & 255)] + $1)
        }
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

    @Test(
        "A bundle of which retention drops only a part stays whole, and one of which it drops all goes",
        arguments: [Fleet.day(-100), "2020-01-01T00:00:00.000Z"])
    func partlyOldBundles(old: String) async throws {
        let fleet = try await Fleet()
        var log = try #require(TestLog("edges", start: Fleet.day(-5)))
        log.use("org.example.Notes", sessions: 49)
        log.wait(until: old)
        log.use("org.example.Old", sessions: 300)
        log.wait(until: Fleet.day(-5))
        log.use("org.example.Notes", sessions: 40)
        try #require(log.size == 783)
        let host = try await log.store(as: "e1", tenant: "north", in: fleet.store, collector: fleet.collector)
        #expect(try await bundle(1, of: log, fleet) == leaves(1, of: log))
        let dropped = try await fleet.ask("retain", "--before", "40d", "--key", fleet.key)
        #expect(dropped.status == 0, "\(dropped.messages)")
        // Records 101 to 701 are old.
        #expect(try await bundle(0, of: log, fleet) == leaves(0, of: log))
        #expect(try await bundle(1, of: log, fleet) == nil)
        #expect(try await bundle(2, of: log, fleet) == leaves(2, of: log))
        #expect(try await bundle(3, width: 15, of: log, fleet) == leaves(3, width: 15, of: log))
        let kept = try await fleet.connection.query(
            """
            SELECT count(*), count(salt), count(fields), count(verbatim), bool_or(index BETWEEN 256 AND 511)
            FROM fleet.record WHERE host = $1 AND index BETWEEN 101 AND 701
            """, ["\(host)"])
        #expect(kept == [["345", "0", "0", "0", "f"]])
        let others = try await fleet.connection.query(
            "SELECT count(salt) FROM fleet.record WHERE host = $1 AND index NOT BETWEEN 101 AND 701", ["\(host)"])
        #expect(others == [["182"]])
        let verified = try await fleet.ask("verify", "e1")
        #expect(verified.status == 0 && verified.text.contains("601 were dropped"), "\(verified.text)")
        let output = fleet.folder.path + "/kept"
        #expect(try await fleet.ask("export", "e1", "--output", output).status == 0)
        #expect(try BundleVerifier(version: "other").verify(folder: output + "/e1").records == 182)
    }

    @Test(
        "A later retention counts no leaf that an earlier one kept, and drops those whose tiles are now dropped as a whole"
    )
    func twice() async throws {
        let fleet = try await Fleet()
        var log = try #require(TestLog("twice", start: Fleet.day(-130)))
        log.use("org.example.Old", sessions: 190)
        log.wait(until: Fleet.day(-70))
        log.use("org.example.Older", sessions: 200)
        log.wait(until: Fleet.day(-5))
        log.use("org.example.Notes", sessions: 100)
        try #require(log.size == 985)
        let host = try await log.store(as: "t1", tenant: "north", in: fleet.store, collector: fleet.collector)
        func tombstones() async throws -> [[Range<UInt64>]] {
            try await fleet.connection.query(
                "SELECT note FROM fleet.tombstone WHERE host = $1 ORDER BY id", ["\(host)"]
            ).map { row in
                let note = try #require(SignedNote(Data((row[0] ?? "").utf8)))
                return try #require(Tombstone(text: note.text)).dropped.map(\.range)
            }
        }
        func rows() async throws -> [[String?]] {
            try await fleet.connection.query(
                "SELECT min(index), count(*), count(salt) FROM fleet.record WHERE host = $1", ["\(host)"])
        }
        let first = try await fleet.ask("retain", "--before", "95d", "--key", fleet.key)
        #expect(first.status == 0, "\(first.messages)")
        #expect(try await tombstones() == [[0..<383]])
        #expect(try await rows() == [["256", "729", "602"]])
        #expect(try await bundle(1, of: log, fleet) == leaves(1, of: log))
        let middle = try await fleet.ask("verify")
        #expect(middle.status == 0 && middle.text.contains("383 were dropped"), "\(middle.text)")

        let rest = try await fleet.connection.query(
            "SELECT count(salt) FROM fleet.record WHERE time < now() - interval '40 days'")
        let second = try await fleet.ask("retain", "--before", "35d", "--key", fleet.key)
        #expect(second.status == 0, "\(second.messages)")
        #expect(second.text.contains("Dropped: \(rest[0][0] ?? "") records of"), "\(second.text)")
        #expect(try await tombstones() == [[0..<383], [383..<784]])
        // Records 768 to 783 keep their leaves.
        #expect(try await rows() == [["768", "217", "201"]])
        #expect(try await bundle(1, of: log, fleet) == nil)
        #expect(try await bundle(3, width: 217, of: log, fleet) == leaves(3, width: 217, of: log))
        // The other machine's leaves are in its newest tile.
        #expect(try await bundle(2, width: 92, of: fleet.log, fleet) == leaves(2, width: 92, of: fleet.log))
        let last = try await fleet.ask("verify")
        #expect(last.status == 0 && last.text.contains("784 were dropped"), "\(last.text)")
        #expect(last.text.contains("583 were dropped"), "\(last.text)")
    }

    @Test("Old records that come after a retention, with a partition or without, go with the next one")
    func lateRecords() async throws {
        let fleet = try await Fleet()
        #expect(try await fleet.ask("retain", "--before", "40d", "--key", fleet.key).status == 0)
        let nothing = try await fleet.ask("retain", "--before", "40d", "--key", fleet.key)
        #expect(nothing.status == 0 && nothing.text.contains("No whole month"), "\(nothing.text)")
        let old = "SELECT count(*), count(salt) FROM fleet.record WHERE time < now() - interval '90 days' AND host = $1"
        for (name, start) in [("late", Fleet.day(-100)), ("wrong", "2020-01-01T00:00:00.000Z")] {
            var log = try #require(TestLog(name, start: start))
            log.use("org.example.Old", sessions: 5)
            log.wait(until: Fleet.day(-5))
            log.use("org.example.Notes", sessions: 1)
            // By the store that has seen the month's former partition.
            let host = try await log.store(as: name, tenant: "north", in: fleet.store, collector: fleet.collector)
            #expect(try await fleet.connection.query(old, ["\(host)"]) == [["13", "13"]])
            let dropped = try await fleet.ask("retain", "--before", "40d", "--key", fleet.key)
            #expect(dropped.text.contains("Dropped: 13 records of 1 machines"), "\(dropped.text) \(dropped.messages)")
            // In no full tile: their leaves stay.
            #expect(try await fleet.connection.query(old, ["\(host)"]) == [["13", "0"]])
        }
        let verified = try await fleet.ask("verify")
        #expect(verified.status == 0, "\(verified.text)")
    }

    @Test("A grant whose record is dropped no longer names a client or a user, and is still in force")
    func grants() async throws {
        let fleet = try await Fleet()
        let grants = """
            SELECT name, record, client, user_id, resource FROM fleet.grant_state JOIN fleet.host ON id = host
            ORDER BY name, record
            """
        let others: [[String?]] = [
            ["n1", "583", "org.example.Mail", "1000", "microphone"],
            ["s1", "2", "org.example.Notes", "1000", "microphone"],
        ]
        #expect(
            try await fleet.connection.query(grants)
                == [["n1", "2", "org.example.Notes", "1000", "microphone"]] + others)
        #expect(try await fleet.ask("retain", "--before", "40d", "--key", fleet.key).status == 0)
        #expect(try await fleet.connection.query(grants) == [["n1", "2", nil, nil, nil]] + others)
    }

    @Test("Retention waits for an upload that is under way, neither ends the other, and reports wait for neither")
    func retentionBesideUpload() async throws {
        let fleet = try await Fleet()
        func record(_ index: Int) -> String {
            """
            INSERT INTO fleet.record (host, index, time, kind, digest)
            SELECT id, \(index), now(), 'x', sha256('') FROM fleet.host WHERE name = 'n1';
            """
        }
        let dropped = try await retain(
            of: fleet, beside: record(604),
            record(605) + """
                UPDATE fleet.host SET next_entry = 606 WHERE name = 'n1';
                DELETE FROM fleet.grant_state WHERE record = 583; COMMIT
                """)
        #expect(dropped.status == 0, "\(dropped.messages)")
        #expect(try await fleet.connection.query("SELECT count(*) FROM fleet.record WHERE index > 603") == [["2"]])
        #expect(
            try await fleet.connection.query(
                "SELECT count(salt) FROM fleet.record WHERE time < now() - interval '90 days'") == [["0"]])
    }

    @Test(
        "Retention drops nothing if a machine has sent old records since it was verified",
        arguments: [
            (
                """
                INSERT INTO fleet.host (tenant, name, origin, origin_sha256, token_sha256, report_interval)
                    SELECT min(id), 'new', 'new', sha256('new'), sha256('new'), 60 FROM fleet.tenant;
                """, "new", 0, "now() - interval '100 days'"
            ),
            ("", "n1", 604, "now() - interval '100 days'"), ("", "n1", 604, "'2020-01-01'"),
        ])
    func retentionBesideOldRecords(first: String, host: String, index: Int, time: String) async throws {
        let fleet = try await Fleet()
        let stored = "SELECT count(*), count(salt) FROM fleet.record"
        let refused = try await retain(
            of: fleet,
            beside: first + """
                INSERT INTO fleet.record (host, index, time, kind, digest)
                SELECT id, \(index), \(time), 'x', sha256('') FROM fleet.host WHERE name = '\(host)'
                """, "COMMIT")
        #expect(refused.status == 65)
        #expect(refused.messages.contains("since the machines were verified, so nothing was dropped"))
        #expect(try await fleet.connection.query("SELECT FROM fleet.tombstone").isEmpty)
        #expect(try await fleet.connection.query(stored) == [["612", "609"]])
        #expect(try await fleet.connection.query("SELECT FROM fleet.grant_state WHERE resource IS NULL").isEmpty)
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
