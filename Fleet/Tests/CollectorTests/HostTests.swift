import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Logging
import Testing

@testable import Collector

@Suite("Hosts", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct HostTests {
    private static func enrol(
        _ collector: RunningCollector, _ log: SimulatedLog, _ token: BearerToken, name: String = "desk",
        key: NoteVerifier? = nil
    ) async throws -> UInt {
        try await collector.send(
            "POST", "/enroll",
            try JSONEncoder().encode([
                "token": token.text, "key": (key ?? log.verifier).text, "name": name,
                "checkpoint": String(decoding: try log.checkpoint().data, as: UTF8.self),
            ])
        ).status
    }

    @Test("A token enrols one machine once, before it expires, and only the host that it names")
    func tokens() async throws {
        try await RunningCollector.run { collector in
            let store = collector.store
            let log = try SimulatedLog()
            let named = try await store.newEnrolmentToken(tenant: "a", department: "b", host: "desk", hours: 1)
            #expect(try await Self.enrol(collector, log, BearerToken()) == 403)
            #expect(try await Self.enrol(collector, log, named, name: "other") == 403)
            #expect(try await Self.enrol(collector, log, named, name: "desk\u{1B}[2J") == 400)
            #expect(try await Self.enrol(collector, log, named) == 201)
            #expect(try await Self.enrol(collector, try SimulatedLog(), named) == 403)
            let expired = try await store.newEnrolmentToken(tenant: "a", department: "b", host: nil, hours: 0)
            #expect(try await Self.enrol(collector, try SimulatedLog(), expired, name: "second") == 403)
            // No token and no host's token is stored, only its hash.
            let found = try await store.pool.query(
                "SELECT count(*) FROM fleet.enrolment_token WHERE sha256 = convert_to($1, 'UTF8')", [named.text])
            #expect(found == [["0"]])
        }
    }

    @Test("A log and a name are enrolled once, until the host is revoked; a refused enrolment leaves the token")
    func twice() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let store = collector.store
            let first = try await store.newEnrolmentToken(tenant: "a", department: "", host: nil, hours: 1)
            let second = try await store.newEnrolmentToken(tenant: "a", department: "", host: nil, hours: 1)
            #expect(try await Self.enrol(collector, log, first) == 201)
            #expect(try await Self.enrol(collector, log, second, name: "other") == 409)
            #expect(try await Self.enrol(collector, try SimulatedLog(), second) == 409)
            try await store.revoke(host: "desk")
            #expect(try await Self.enrol(collector, log, second) == 201)
        }
    }

    @Test("A machine shows that it has the key")
    func possession() async throws {
        try await RunningCollector.run { collector in
            let (log, other) = (try SimulatedLog(), try SimulatedLog())
            let token = try await collector.store.newEnrolmentToken(tenant: "a", department: "", host: nil, hours: 1)
            #expect(try await Self.enrol(collector, log, token, key: other.verifier) == 422)
            #expect(try await Self.enrol(collector, log, token, key: collector.keys.witness.witnessVerifier) == 400)
            #expect(try await Self.enrol(collector, log, token, name: "") == 400)
        }
    }

    @Test("A revoked host's token counts no longer, and its records stay")
    func revoked() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            try await collector.store.revoke(host: "1")
            #expect(try await collector.report(log, counter: 1, token: token).status == 401)
            #expect(try await collector.upload(log, 0..<2, token: token).status == 401)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 404)
            #expect(try await collector.state() == "revoked")
            #expect(try await collector.rows().count == 2)
        }
    }

    @Test("A number is a host's own, whatever others call themselves")
    func numbers() async throws {
        try await RunningCollector.run { collector in
            _ = try await collector.enrol(try SimulatedLog(), name: "2")
            _ = try await collector.enrol(try SimulatedLog(), name: "1")
            try await collector.store.revoke(host: "2")
            let revoked = try await collector.store.pool.query("SELECT id FROM fleet.host WHERE revoked_at IS NOT NULL")
            #expect(revoked == [["2"]])
        }
    }

    @Test("A report is answered with what the collector has; one that comes again is 409 with its counter")
    func reports() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            let answer = try await collector.report(log, counter: 7, token: token)
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""next":2,"pending":2"#), "\(answer.text)")
            let again = try await collector.report(log, counter: 7, token: token)
            #expect(again.status == 409)
            #expect(again.text == #"{"counter":7}"#)
            #expect(try await collector.report(log, counter: 8, token: BearerToken()).status == 401)
            #expect(try await collector.report(log, counter: 8, token: token).status == 200)
            #expect(try await collector.state() == "ok")
        }
    }

    @Test(
        "With the token alone nobody keeps a host from being silent, neither by an old report nor by one of their own")
    func replayed() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            let (old, newer) = try (
                log.report(counter: 3, time: Timestamp(Date())), log.report(counter: 4, time: Timestamp(Date()))
            )
            #expect(try await collector.send(newer, token: token).status == 200)
            try await collector.store.pool.query("UPDATE fleet.host SET last_report_at = now() - interval '1 hour'")
            for report in [old, newer] { #expect(try await collector.send(report, token: token).status == 409) }
            let edited = newer.text.replacing("-report 4 ", with: "-report 5 ")
            let forged = try #require(SignedNote(text: edited, signatures: newer.signatures))
            #expect(try await collector.send(forged, token: token).status == 403)
            // A checkpoint that the host signed is no report.
            #expect(try await collector.send(try log.checkpoint(), token: token).status == 400)
            try await collector.store.raiseSilent()
            #expect(try await collector.alarms().contains("silent"))
        }
    }

    @Test("A host that reports more than it has sent is behind, an alarm if none came until its next report")
    func behind() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            log.appendSessions(3)
            #expect(try await collector.report(log, counter: 1, token: token).status == 200)
            #expect(try await collector.state() == "behind")
            // A long way to go, and it goes.
            #expect(try await collector.addCheckpoint(log, from: 2, to: 3).status == 200)
            #expect(try await collector.upload(log, 2..<3, token: token).status == 200)
            #expect(try await collector.report(log, counter: 2, token: token).status == 200)
            #expect(try await collector.alarms() == [])
            #expect(try await collector.report(log, counter: 3, token: token).status == 200)
            #expect(try await collector.alarms() == ["behind"])
            #expect(try await collector.addCheckpoint(log, from: 3).status == 200)
            #expect(try await collector.upload(log, 3..<5, token: token).status == 200)
            #expect(try await collector.report(log, counter: 4, token: token).status == 200)
            #expect(try await collector.state() == "ok")
            // New records since the last report have an interval's time.
            log.appendSessions(1)
            #expect(try await collector.report(log, counter: 5, token: token).status == 200)
            let open = try await collector.store.pool.query("SELECT FROM fleet.alarm WHERE until IS NULL")
            #expect(open.isEmpty)
        }
    }

    @Test("A host stores a day's quota and one batch more at most; others go on, and so does it the next day")
    func overQuota() async throws {
        try await RunningCollector.run({ $0.dailyBytes = 3000 }) { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            log.appendSessions(10)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
            #expect(try await collector.upload(log, 2..<12, token: token).status == 200)
            log.appendSessions(10)
            let refused = try await collector.addCheckpoint(log, from: 12)
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "3600")
            #expect(try await collector.state() == "overQuota")
            #expect(try await collector.rows().count == 12)
            _ = try await collector.take(try SimulatedLog())
            try await collector.store.pool.query("UPDATE fleet.host SET quota_day = quota_day - 1")
            #expect(try await collector.addCheckpoint(log, from: 12).status == 200)
            try await collector.store.pool.query("UPDATE fleet.host SET quota_bytes = 3000 WHERE id = 1")
            #expect(try await collector.upload(log, 12..<22, token: token).status == 429)
            try await collector.store.pool.query("UPDATE fleet.host SET quota_day = quota_day - 1")
            #expect(try await collector.upload(log, 12..<22, token: token).status == 200)
            #expect(try await collector.rows().count == 24)
            let open = try await collector.store.pool.query("SELECT FROM fleet.alarm WHERE until IS NULL")
            #expect(open.isEmpty)
        }
    }

    @Test("A stranger who repeats a host's checkpoint spends nothing of its quota, and takes no signature from it")
    func repeated() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            try log.rotateKey()
            #expect(try await collector.addCheckpoint(log, from: 2, token: token, signers: log.signers).status == 200)
            let row = "SELECT quota_bytes, pending_note FROM fleet.host"
            let before = try await collector.store.pool.query(row)
            for _ in 0..<3 {
                let again = try await collector.addCheckpoint(log, from: 3, signers: [log.signers[0]])
                #expect(again.status == 200 && again.text.hasPrefix("— "))
            }
            #expect(try await collector.store.pool.query(row) == before)
            // From the host itself, both stay.
            #expect(
                try await collector.addCheckpoint(log, from: 3, token: token, signers: [log.signers[0]]).status == 200)
            let note = try await collector.store.pool.query(row)[0][1].flatMap { SignedNote(Data($0.utf8)) }
            #expect(note?.signers(among: log.signers.map(\.verifier)).count == 2)
        }
    }

    @Test("A counter at the end of its range is refused, and the host goes on with the next one")
    func farCounter() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            #expect(try await collector.report(log, counter: 5, token: token).status == 200)
            for counter in [Int.max, 6 + 1 << 32] {
                let refused = try await collector.report(log, counter: counter, token: token)
                #expect(refused.status == 409 && refused.text == #"{"counter":5}"#)
            }
            #expect(try await collector.report(log, counter: 6, token: token).status == 200)
        }
    }

    @Test(
        "A host that names key after key raises one alarm, which stays while its key is unknown, and has a bounded number"
    )
    func manyKeys() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            // One that nobody vouches for, and between them others that the log's key vouches for.
            for number in 0..<40 { try log.rotateKey(reason: number.isMultiple(of: 2) ? "lost" : "rotated") }
            let signers = [log.signers[0]]
            #expect(try await collector.addCheckpoint(log, from: 2, token: token, signers: signers).status == 200)
            #expect(try await collector.upload(log, 2..<log.size, token: token).status == 200)
            #expect(try await collector.alarms() == ["unknownKey"])
            #expect(try await collector.state() == "unknownKey")
            try await collector.store.pool.query(
                "INSERT INTO fleet.host_key (host, vkey) SELECT 1, 'x' || n FROM generate_series(1, 1000) n")
            let size = log.size
            try log.rotateKey()
            #expect(try await collector.addCheckpoint(log, from: size, token: token, signers: signers).status == 200)
            #expect(try await collector.upload(log, size..<log.size, token: token).status == 200)
            let known = try await collector.store.pool.query(
                "SELECT FROM fleet.host_key WHERE vkey = $1", [log.verifier.text])
            #expect(known.isEmpty)
        }
    }

    @Test("Who waits for a host's row gives up after some seconds, and is told to come back")
    func locked() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            let other = try await DatabaseConnection(settings: collector.database)
            try await other.script("BEGIN; SELECT FROM fleet.host FOR UPDATE")
            let answer = try await collector.report(log, counter: 1, token: token)
            #expect(answer.status == 503 && answer.headers["retry-after"] != nil)
            try await other.script("ROLLBACK")
            #expect(try await collector.report(log, counter: 1, token: token).status == 200)
        }
    }

    @Test("Of checkpoints that are older than two hours the first of each hour stays, and the newest")
    func pruned() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            _ = try await collector.take(log)
            for size in 3...9 as ClosedRange<UInt64> {
                log.appendSessions(1)
                #expect(try await collector.addCheckpoint(log, from: size - 1, to: size).status == 200)
            }
            try await collector.store.pool.query(
                """
                UPDATE fleet.checkpoint SET received_at = date_trunc('hour', now()) - interval '5 hours'
                    + make_interval(mins => size::integer) + CASE WHEN size > 6 THEN interval '1 hour' ELSE '0' END
                """)
            try await collector.store.pruneCheckpoints()
            let sizes = try await collector.store.pool.query("SELECT size FROM fleet.checkpoint ORDER BY size")
            #expect(sizes == [["2"], ["7"], ["9"]])
        }
    }

    @Test("An alarm of a host that is revoked ends, also if it was raised at the same moment")
    func revokedAlarm() async throws {
        try await RunningCollector.run { collector in
            _ = try await collector.take(try SimulatedLog())
            try await collector.store.revoke(host: "1")
            try await collector.store.pool.query("INSERT INTO fleet.alarm (host, kind) VALUES (1, 'silent')")
            try await collector.store.raiseSilent()
            #expect(try await collector.store.pool.query("SELECT FROM fleet.alarm WHERE until IS NULL").isEmpty)
        }
    }

    @Test("What is acknowledged is on the disk, whatever synchronous_commit the database has; without fsync nothing is")
    func durable() async throws {
        let database = try await PrivatePostgreSQL.shared.get().newDatabase()
        let pool = DatabasePool(settings: database, limit: 2)
        let name = try #require(try await pool.query("SELECT current_database()")[0][0])
        for (configured, used) in [("off", "on"), ("remote_apply", "remote_apply"), ("local", "local")] {
            try await pool.query("ALTER DATABASE \"\(name)\" SET synchronous_commit = \(configured)")
            let connection = try await DatabaseConnection(settings: database)
            let inside = try await connection.transaction { try $0.query("SHOW synchronous_commit") }
            #expect(inside == [[used]])
        }
        let careless = try PrivatePostgreSQL(settings: ["fsync = off"])
        defer { careless.stop() }
        let store = FleetStore(
            DatabasePool(settings: try await careless.newDatabase(), limit: 1), logger: Logger(label: "test"))
        await #expect(throws: FleetStore.Volatile.self) { try await store.check() }
    }

    @Test("A host that has fewer records than it signed is rolled back, until its log goes on from there")
    func rolledBack() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(10)
            let token = try await collector.take(log)
            let older = log.prefix(7)
            #expect(try await collector.report(older, counter: 1, token: token).status == 200)
            #expect(try await collector.state() == "rolledBack")
            #expect(try await collector.addCheckpoint(log, from: 12).status == 200)
            #expect(try await collector.state() == "rolledBack")
            log.appendSessions(1)
            #expect(try await collector.addCheckpoint(log, from: 12).status == 200)
            #expect(try await collector.upload(log, 12..<13, token: token).status == 200)
            #expect(try await collector.report(log, counter: 2, token: token).status == 200)
            #expect(try await collector.state() == "ok")
            #expect(try await collector.alarms() == ["rolledBack"])
        }
    }

    @Test("A rewritten log is found by the report of an equal size, and by the checkpoint of a greater one")
    func rewritten() async throws {
        try await RunningCollector.run { collector in
            for sends in [false, true] {
                var log = try SimulatedLog()
                log.appendSessions(10)
                let token = try await collector.take(log)
                var other = log.prefix(5)
                other.appendSessions(sends ? 20 : 7)
                if sends {
                    #expect(try await collector.addCheckpoint(other, from: 12, token: token).status == 422)
                } else {
                    #expect(try await collector.report(other, counter: 1, token: token).status == 200)
                }
                #expect(try await collector.state() == "forked")
                // It does not end by itself.
                #expect(try await collector.report(log, counter: 2, token: token).status == 200)
                #expect(try await collector.state() == "forked")
                try await collector.store.close(.forked, of: sends ? "2" : "1")
                #expect(try await collector.state() == "ok")
            }
        }
    }

    @Test("A host without a report in time is silent, until it reports")
    func silent() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            #expect(try await collector.report(log, counter: 1, interval: 3600, token: token).status == 200)
            #expect(try await collector.store.raiseSilent() == 0)
            try await collector.store.pool.query(
                "UPDATE fleet.host SET last_report_at = now() - interval '91 minutes'")
            try await collector.store.raiseSilent()
            try await collector.store.raiseSilent()
            #expect(try await collector.state() == "silent")
            #expect(try await collector.report(log, counter: 2, token: token).status == 200)
            #expect(try await collector.state() == "ok")
            #expect(try await collector.alarms() == ["silent"])
        }
    }

    @Test("A wrong clock is an alarm until it is right", arguments: [-61_000, 61_000, 86_400_000] as [Int64])
    func clock(offset: Int64) async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            let wrong = Timestamp(milliseconds: Timestamp(Date()).milliseconds + offset + (offset < 0 ? -5000 : 30_000))
            #expect(try await collector.report(log, counter: 1, time: wrong, token: token).status == 200)
            #expect(try await collector.state() == "clockWrong")
            #expect(try await collector.report(log, counter: 2, token: token).status == 200)
            #expect(try await collector.state() == "ok")
            // The same alarm is open again.
            #expect(try await collector.report(log, counter: 3, time: wrong, token: token).status == 200)
            #expect(try await collector.state() == "clockWrong")
            #expect(try await collector.store.pool.query("SELECT count(*) FROM fleet.alarm") == [["1"]])
        }
    }

    @Test("A key that the log names under a known signature signs from then on, and the former one no longer alone")
    func rotation() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            let index = try log.rotateKey()
            #expect(try await collector.addCheckpoint(log, from: 2, token: token, signers: log.signers).status == 200)
            #expect(try await collector.upload(log, 2..<3, token: token).status == 200)
            // The copy has what verifies it: the new key's signature, which the collector did not know when it came.
            let stored = try #require(try await collector.store.pool.query("SELECT mirror_note FROM fleet.host")[0][0])
            let note = try #require(SignedNote(Data(stored.utf8)))
            #expect(note.signers(among: log.signers.map(\.verifier)).count == 2)
            log.appendSessions(2)
            #expect(try await collector.addCheckpoint(log, from: 3, signers: [log.signers[0]]).status == 403)
            #expect(try await collector.addCheckpoint(log, from: 3).status == 200)
            let keys = try await collector.store.pool.query(
                "SELECT named_by, retired_from FROM fleet.host_key ORDER BY added_at")
            #expect(keys == [[nil, String(index)], [String(index), nil]])
            #expect(try await collector.alarms() == [])
        }
    }

    @Test("If the collector missed the rotation, the checkpoint that both keys signed leads to the new one")
    func missedRotation() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            try log.rotateKey()
            let rotated = log
            log.appendSessions(2)
            #expect(try await collector.addCheckpoint(log, from: 2, token: token).status == 403)
            #expect(try await collector.alarms() == ["unknownKey"])
            #expect(try await collector.addCheckpoint(rotated, from: 2, signers: log.signers).status == 200)
            #expect(try await collector.upload(rotated, 2..<3, token: token).status == 200)
            #expect(try await collector.addCheckpoint(log, from: 3, token: token).status == 200)
            #expect(try await collector.state() == "behind")
        }
    }

    @Test("A key that replaces a lost one counts when an administrator has accepted it")
    func lostKey() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            try log.rotateKey(reason: "lost")
            #expect(try await collector.addCheckpoint(log, from: 2, token: token).status == 403)
            #expect(try await collector.state() == "unknownKey")
            try await collector.store.accept(log.verifier, of: "1")
            #expect(try await collector.addCheckpoint(log, from: 2, token: token).status == 200)
            #expect(try await collector.upload(log, 2..<3, token: token).status == 200)
        }
    }

    @Test("A stolen key is revoked, and what it signed since is marked")
    func stolenKey() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            try await collector.store.pool.query("UPDATE fleet.checkpoint SET received_at = now() - interval '1 hour'")
            log.appendSessions(4)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
            #expect(try await collector.upload(log, 2..<6, token: token).status == 200)
            let since = Timestamp(milliseconds: Timestamp(Date()).milliseconds - 600_000).text
            #expect(try await collector.store.revoke(key: log.verifier, of: "1", since: since) == 2)
            func marked() async throws -> [[String?]] {
                try await collector.store.pool.query(
                    "SELECT suspect_from, min(index) FROM fleet_api.hosts LEFT JOIN fleet_api.records USING (host_id) "
                        + "WHERE suspect IS NOT FALSE GROUP BY 1")
            }
            #expect(try await marked() == [["2", "2"]])
            let stolen = log.signers
            try log.rotateKey(reason: "lost")
            #expect(try await collector.addCheckpoint(log, from: 6, signers: stolen).status == 403)
            // The machine vouches for its own log by a key that an administrator accepts.
            try await collector.store.accept(log.verifier, of: "1")
            #expect(try await collector.addCheckpoint(log, from: 6).status == 200)
            #expect(try await marked() == [])
        }
    }

    @Test("What a stolen key signed names no key, whether the collector has it before or after the key is revoked")
    func stolenKeyNamesAnother() async throws {
        try await RunningCollector.run { collector in
            for isKnown in [true, false] {
                var log = try SimulatedLog()
                let token = try await collector.take(log)
                let host = isKnown ? "1" : "2"
                try await collector.store.pool.query(
                    "UPDATE fleet.checkpoint SET received_at = now() - interval '1 hour' WHERE host = $1", [host])
                try log.rotateKey()
                #expect(try await collector.addCheckpoint(log, from: 2, signers: log.signers).status == 200)
                if isKnown { #expect(try await collector.upload(log, 2..<3, token: token).status == 200) }
                let since = Timestamp(milliseconds: Timestamp(Date()).milliseconds - 600_000).text
                let stolen = log.signers[0].verifier
                #expect(try await collector.store.revoke(key: stolen, of: host, since: since) == 2)
                if !isKnown { #expect(try await collector.upload(log, 2..<3, token: token).status == 200) }
                log.appendSessions(1)
                #expect(try await collector.addCheckpoint(log, from: 3, token: token).status == 403)
                #expect(try await collector.state() == "unknownKey")
                await #expect(throws: FleetStore.AdministrationProblem.revokedKey) {
                    try await collector.store.accept(stolen, of: host)
                }
            }
        }
    }

    @Test("A session without a grant in force is found", arguments: [0, 2])
    func unfollowed(packagesApart: Int) async throws {
        func key(_ resource: String = "microphone") -> [String: JSONValue] {
            ["client": .string("notes"), "user": .integer(1000), "resource": .string(resource)]
        }
        func session(_ decision: UInt64?, client: String = "notes") -> [String: JSONValue] {
            [
                "client": .string(client), "user": .integer(1000), "session": .string(UUID().uuidString),
                "grants": .object(["microphone": .string("lease")]),
                "decisionRecords": .object(decision.map { ["microphone": .integer(Int64($0))] } ?? [:]),
            ]
        }
        typealias Change = (inout SimulatedLog) -> Void
        let cases: [(String, Bool, Change)] = [
            (
                "granted", true,
                {
                    let grant = $0.append(.granted, key()); $0.append(.sessionStarted, session(grant))
                }
            ),
            (
                "renewed", true,
                {
                    let grant = $0.append(.renewed, key()); $0.append(.sessionStarted, session(grant))
                }
            ),
            (
                "withheld grant", true,
                {
                    let grant = $0.append(.granted, key(), isWithheld: true); $0.append(.sessionStarted, session(grant))
                }
            ),
            ("withheld session", true, { $0.append(.sessionStarted, session(nil), isWithheld: true) }),
            ("no grant named", false, { $0.append(.sessionStarted, session(nil)) }),
            ("a grant that is none", false, { $0.append(.sessionStarted, session(0)) }),
            (
                "another client's", false,
                {
                    let grant = $0.append(.granted, key()); $0.append(.sessionStarted, session(grant, client: "x"))
                }
            ),
            (
                "another resource", false,
                {
                    let grant = $0.append(.granted, key("screen")); $0.append(.sessionStarted, session(grant))
                }
            ),
            (
                "withdrawn", false,
                {
                    let grant = $0.append(.granted, key()); $0.append(.withdrawn, key());
                    $0.append(.sessionStarted, session(grant))
                }
            ),
            (
                "granted again", false,
                {
                    let grant = $0.append(.granted, key()); $0.append(.expired, key()); $0.append(.granted, key());
                    $0.append(.sessionStarted, session(grant))
                }
            ),
            (
                "too many resources", false,
                {
                    let grant = $0.append(.granted, key())
                    var fields = session(grant)
                    fields["grants"] = .object(
                        Dictionary(uniqueKeysWithValues: (0..<17).map { ("microphone\($0)", .string("lease")) }))
                    $0.append(.sessionStarted, fields)
                }
            ),
            (
                "a later grant", false,
                {
                    $0.append(.sessionStarted, session($0.size + 1)); $0.append(.granted, key())
                }
            ),
        ]
        try await RunningCollector.run { collector in
            for (name, isFollowed, change) in cases {
                var log = try SimulatedLog()
                change(&log)
                let token = try await collector.enrol(log)
                // In one upload, or each record in one of its own.
                var old: UInt64 = 0
                for size in packagesApart == 0 ? [log.size] : Array(1...log.size) {
                    #expect(try await collector.addCheckpoint(log, from: old, to: size).status == 200)
                    #expect(try await collector.upload(log, old..<size, token: token).status == 200)
                    old = size
                }
                #expect(try await collector.state() == (isFollowed ? "ok" : "unfollowed"), "\(name)")
            }
        }
    }
}
