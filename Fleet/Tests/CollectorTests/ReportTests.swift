import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Logging
import Testing

@testable import Collector

@Suite("Reports", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct ReportTests {
    @Test("A report is answered with its interval; one that comes again is 409 with its counter")
    func reports() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            let answer = try await collector.report(log, counter: 7, token: token)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"interval":60}"#)
            let again = try await collector.report(log, counter: 7, token: token)
            #expect(again.status == 409)
            #expect(again.text == #"{"counter":7}"#)
            #expect(try await collector.report(log, counter: 8, token: BearerToken()).status == 401)
            #expect(try await collector.report(log, counter: 8, token: token).status == 200)
            #expect(try await collector.state() == "ok")
        }
    }

    @Test(
        "With the token alone, neither an old report nor a forged one keeps a host from counting as silent")
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
            // A checkpoint that the host signed is not a report.
            #expect(try await collector.send(try log.checkpoint(), token: token).status == 400)
            try await collector.store.raiseSilent()
            #expect(try await collector.alarms().contains("silent"))
        }
    }

    @Test("A host that reports more than it has sent is behind, an alarm if no record comes before its next report")
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

    @Test("A request that waits for a host's row gives up soon, with a Retry-After")
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

    @Test(
        "A request for a host whose row is locked delays no other host, and an unsigned checkpoint waits for no lock"
    )
    func lockedAndAsked() async throws {
        try await RunningCollector.run({ $0.connections = 5 }) { collector in
            let (log, honest) = (try SimulatedLog(), try SimulatedLog())
            let (token, other) = (try await collector.take(log), try await collector.take(honest))
            let lock = try await DatabaseConnection(settings: collector.database)
            try await lock.script("BEGIN; SELECT FROM fleet.host WHERE id = 1 FOR UPDATE")
            let statuses = try await withThrowingTaskGroup(of: UInt.self) { group in
                for counter in 1...5 {
                    group.addTask { try await collector.report(log, counter: counter, token: token).status }
                    group.addTask { try await collector.addCheckpoint(log, from: 2, token: token).status }
                    group.addTask { try await collector.addCheckpoint(log, from: 2).status }
                }
                let forged = [try #require(NoteSigner(name: log.origin))]
                #expect(try await collector.addCheckpoint(log, from: 2, signers: forged).status == 403)
                #expect(try await collector.report(honest, counter: 1, token: other).status == 200)
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            // One of each kind waits at a time, and gives up.
            #expect(statuses.isSubset(of: [429, 503]), "\(statuses)")
            try await lock.script("ROLLBACK")
            #expect(try await collector.report(log, counter: 1, token: token).status == 200)
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
            // Again soon: the same alarm, whose first evidence the host cannot replace.
            for (size, counter) in [(11, 3), (12, 4)] {
                #expect(try await collector.report(log.prefix(size), counter: counter, token: token).status == 200)
                log.appendSessions(1)
                #expect(try await collector.addCheckpoint(log, from: log.size - 1).status == 200)
            }
            let evidence = try await collector.store.pool.query(
                """
                SELECT split_part(detail ->> 'checkpoint', E'\\n', 2),
                    split_part((detail ->> 'former')::jsonb ->> 'checkpoint', E'\\n', 2), (detail ->> 'former')::jsonb ? 'former'
                FROM fleet.alarm
                """)
            #expect(evidence == [["12", "7", "f"]])
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

    @Test("After an outage no host is silent before its sender can be back")
    func outage() async throws {
        try await RunningCollector.run(pause: .seconds(3600)) { collector in
            _ = try await collector.take(try SimulatedLog())
            let (store, host) = (collector.store, "UPDATE fleet.host SET enrolled_at = now() - interval '2 minutes'")
            // The collector's own round, whose next one is in an hour.
            while try await store.pool.query("SELECT FROM fleet.watch").isEmpty {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await store.pool.query(host)
            try await store.pool.query("UPDATE fleet.watch SET done_at = now() - interval '20 seconds'")
            for _ in 0..<2 { #expect(try await store.raiseSilent() == 0) }
            try await store.pool.query("UPDATE fleet.watch SET patient_until = patient_until - interval '7 minutes'")
            #expect(try await store.raiseSilent() == 1)
            #expect(try await collector.state() == "silent")
        }
    }

    @Test(
        "A report that was held up on its way is not a rollback, whatever the host's clock says",
        arguments: [0, -50_000])
    func late(offset: Int64) async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            func now() -> Timestamp { Timestamp(milliseconds: Timestamp(Date()).milliseconds + offset) }
            #expect(try await collector.report(log, counter: 1, time: now(), token: token).status == 200)
            let (late, former) = (try log.report(counter: 2, time: now()), log)
            try await collector.store.pool.query("UPDATE fleet.checkpoint SET received_at = now()")
            log.appendSessions(3)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
            #expect(try await collector.send(late, token: token).status == 200)
            #expect(try await collector.alarms() == [])
            #expect(try await collector.report(former, counter: 3, time: now(), token: token).status == 200)
            #expect(try await collector.alarms() == ["rolledBack"])
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
}
