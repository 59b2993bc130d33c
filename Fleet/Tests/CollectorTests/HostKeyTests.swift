import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Logging
import Testing

@testable import Collector

@Suite("Keys of hosts", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct HostKeyTests {
    @Test(
        "A host that names key after key raises one alarm, which stays while its key is unknown, and has a bounded number"
    )
    func manyKeys() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            // A key that no other vouches for, and between them others that the log's key vouches for.
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

    @Test("A stolen key is revoked, and records that it signed since are marked")
    func stolenKey() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            try await collector.store.pool.query("UPDATE fleet.checkpoint SET received_at = now() - interval '1 hour'")
            log.appendSessions(4)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
            #expect(try await collector.upload(log, 2..<6, token: token).status == 200)
            let since = Timestamp(milliseconds: Timestamp(Date()).milliseconds - 600_000)
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

    @Test("Records of a stolen machine are marked also if the host was revoked first; then only its number names it")
    func stolenMachine() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.enrol(log, name: "laptop")
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            #expect(try await collector.upload(log, 0..<2, token: token).status == 200)
            try await collector.store.revoke(host: "laptop")
            let since = Timestamp(milliseconds: Timestamp(Date()).milliseconds - 600_000)
            await #expect(throws: FleetStore.AdministrationProblem.unknownHost("laptop")) {
                try await collector.store.revoke(key: log.verifier, of: "laptop", since: since)
            }
            #expect(try await collector.store.revoke(key: log.verifier, of: "1", since: since) == 0)
            let marked = try await collector.store.pool.query("SELECT index FROM fleet_api.records WHERE suspect")
            #expect(marked == [["0"], ["1"]])
            #expect(try await collector.state() == "revoked")
        }
    }

    @Test("A former key that an administrator accepts signs again, as after a log was restored")
    func formerKey() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            try log.rotateKey()
            #expect(try await collector.addCheckpoint(log, from: 2, token: token, signers: log.signers).status == 200)
            #expect(try await collector.upload(log, 2..<3, token: token).status == 200)
            log.appendSessions(1)
            let former = [log.signers[0]]
            #expect(try await collector.addCheckpoint(log, from: 3, token: token, signers: former).status == 403)
            try await collector.store.accept(log.signers[0].verifier, of: "1")
            #expect(try await collector.addCheckpoint(log, from: 3, token: token, signers: former).status == 200)
            #expect(try await collector.state() != "unknownKey")
        }
    }

    @Test("Records that a stolen key signed introduce no key, whether they come before or after the key is revoked")
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
                let since = Timestamp(milliseconds: Timestamp(Date()).milliseconds - 600_000)
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
}
