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
        key: NoteVerifier? = nil, note: SignedNote? = nil
    ) async throws -> UInt {
        let note = try note ?? log.report(counter: 0, time: Timestamp(Date()))
        return try await collector.send(
            "POST", "/enroll",
            try JSONEncoder().encode([
                "token": token.text, "key": (key ?? log.verifier).text, "name": name,
                "report": String(decoding: note.data, as: UTF8.self),
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

    @Test("A machine that the answer did not reach enrols again with the same token, until it has sent anything")
    func again() async throws {
        try await RunningCollector.run { collector in
            let (log, store) = (try SimulatedLog(), collector.store)
            let token = try await store.newEnrolmentToken(tenant: "a", department: "", host: nil, hours: 1)
            func own() async throws -> [[String?]] {
                try await store.pool.query("SELECT id, token_sha256 FROM fleet.host")
            }
            #expect(try await Self.enrol(collector, log, token) == 201)
            let first = try await own()
            #expect(try await Self.enrol(collector, try SimulatedLog(), token) == 403)
            #expect(try await Self.enrol(collector, log, token, name: "other") == 403)
            #expect(try await own() == first)
            #expect(try await Self.enrol(collector, log, token) == 201)
            let second = try await own()
            #expect(second.map { $0[0] } == ["1"] && second != first)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            #expect(try await Self.enrol(collector, log, token) == 403)
            #expect(try await own() == second)
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
            // The files of the log that others may read.
            let old = Timestamp(milliseconds: Timestamp(Date()).milliseconds - 11 * 60_000)
            for note in [try log.checkpoint(), try log.report(counter: 0, time: old)] {
                #expect(try await Self.enrol(collector, log, token, note: note) == 422)
            }
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

    @Test("Of records that no month's partition holds, a host stores a thousand a day and one batch more at most")
    func outsideOfPartitions() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            for (first, time) in [(2, "2099-12-31T23:59:59.000Z"), (602, "1970-01-01T00:00:00.000Z")]
                as [(UInt64, String)]
            {
                log.appendSessions(600, at: try #require(Timestamp(time)))
                #expect(try await collector.addCheckpoint(log, from: first).status == 200)
                #expect(try await collector.upload(log, first..<first + 600, token: token).status == 200)
            }
            log.appendSessions(1)
            #expect(try await collector.addCheckpoint(log, from: 1202).status == 429)
            #expect(try await collector.state() == "overQuota")
            try await collector.store.pool.query("UPDATE fleet.host SET quota_day = quota_day - 1")
            #expect(try await collector.addCheckpoint(log, from: 1202).status == 200)
            #expect(try await collector.upload(log, 1202..<1203, token: token).status == 200)
            let outside = try await collector.store.pool.query("SELECT count(*) FROM fleet.record_default")
            #expect(outside == [["1200"]])
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

    @Test("Acknowledged records are on the disk with any synchronous_commit; without fsync none are acknowledged")
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

    @Test("The view of grants has the last decisions whose fields were sent, whatever a policy has restricted since")
    func grants() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            func about(_ client: String) -> [String: JSONValue] {
                ["client": .string(client), "user": .integer(1000), "resource": .string("microphone")]
            }
            log.append(.granted, about("mail"))
            log.append(.granted, about("notes"))
            log.append(.withdrawn, about("mail"))
            log.append(.revokedByAdministrator, about("notes"))
            log.append(.granted, about("chat"), isWithheld: true)
            _ = try await collector.take(log)
            let grants = try await collector.store.pool.query(
                "SELECT client, state, record FROM fleet_api.grants ORDER BY 1")
            #expect(grants == [["mail", "withdrawn", "4"], ["notes", "granted", "3"]])
        }
    }

    @Test("The alarm names each session without a grant, of one upload and of later ones")
    func allUnfollowed() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            let session: [String: JSONValue] = [
                "client": .string("notes"), "user": .integer(1000),
                "grants": .object(["microphone": .string("lease")]),
            ]
            for size in [4, 5] as [UInt64] {
                let old = log.size
                while log.size < size { log.append(.sessionStarted, session) }
                #expect(try await collector.addCheckpoint(log, from: old).status == 200)
                #expect(try await collector.upload(log, old..<size, token: token).status == 200)
            }
            let alarms = try await collector.store.pool.query("SELECT kind, detail ->> 'records' FROM fleet.alarm")
            #expect(alarms == [["unfollowed", "2, 3, 4"]])
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
            ("an invalid grant", false, { $0.append(.sessionStarted, session(0)) }),
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
                // In one upload, or each record in its own upload.
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
