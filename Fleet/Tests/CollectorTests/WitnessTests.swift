import Consent
import FleetDatabase
import FleetSupport
import Foundation
import Testing

@testable import Collector

/// https://c2sp.org/tlog-witness, rule by rule.
@Suite("Witness", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct WitnessTests {
    @Test("A checkpoint is cosigned, and the cosignature verifies with the witness's key")
    func cosigned() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let answer = try await collector.addCheckpoint(log, from: 0)
            #expect(answer.status == 200)
            let note = try #require(SignedNote(try log.checkpoint().data + answer.body))
            let witness = collector.keys.witness.witnessVerifier
            #expect(note.signers(among: [witness, log.verifier]).count == 2)
            let time = try #require(note.signature(of: witness).flatMap(Cosignature.init)?.time)
            #expect(time > 0)
        }
    }

    /// The log "monkeys" of the tests of https://github.com/transparency-dev/witness (internal/witness/witness_test.go).
    private enum Published {
        static let key = "monkeys+db4d9f7e+AULaJMvTtDLHPUcUrjdDad9vDlh/PTfC2VV60JUtCfWT"
        static let checkpointOf5 = """
            monkeys
            5
            41smjBUiAU70EtKlT6lIOIYtRTYxYXsDB+XHfcvu/BE=

            — monkeys 202fftzGl3LVoqjXfwCFZZXs8I+5G22+Ek2K0AOyBuSJ/8/CZawNF+6fNlTKOCd622pbzJNkkJFWuw9DbicZCkEx9AY=

            """
        static let checkpointOf8 = """
            monkeys
            8
            V8K9aklZ4EPB+RMOk1/8VsJUdFZR77GDtZUQq84vSbo=

            — monkeys 202ffoUEboiQYpHzICeaFmoy3RNviHTpAxYrq/eO4QQVQMvu9UebKBMX2MJC76NLthZaKsnKbCA8GxrjePZhvDCH7Ag=

            """
        static let proof = [
            "b9e1d62618f7fee8034e4c5010f727ab24d8e4705cb296c374bf2025a87a10d2",
            "aac66cd7a79ce4012d80762fe8eec3a77f22d1ca4145c3f4cee022e7efcd599d",
            "89d0f753f66a290c483b39cd5e9eafb12021293395fad3d4a2ad053cfbcfdc9e",
            "29e40bb79c966f4c6fe96aff6f30acfce5f3e8d84c02215175d6e018a5dee833",
        ]

        static func request(from old: Int, _ hashes: [String] = [], _ checkpoint: String) -> Data {
            let lines = ["old \(old)"] + hashes.map { (Data(bytea: "\\x" + $0) ?? Data()).base64EncodedString() }
            return Data((lines.joined(separator: "\n") + "\n\n" + checkpoint).utf8)
        }
    }

    @Test(
        "The log of another witness's published tests is enrolled, and led from 5 to 8 records by its proof alone"
    )
    func published() async throws {
        try await RunningCollector.run { collector in
            // Its key's secret part is not published, and enrolling takes it.
            let token = try await collector.store.newEnrolmentToken(tenant: "test", department: "", host: nil, hours: 1)
            let key = try #require(NoteVerifier(text: Published.key))
            _ = try await collector.store.enrol(
                with: token, key, name: "monkeys", interval: 60)
            func add(_ body: Data) async throws -> RunningCollector.Answer {
                try await collector.send("POST", "/add-checkpoint", body)
            }
            #expect(try await add(Published.request(from: 0, [], Published.checkpointOf5)).status == 200)
            let hashes = Published.proof
            for wrong in [[], Array(hashes.dropLast()), hashes + [hashes[0]], hashes.reversed()] as [[String]] {
                #expect(try await add(Published.request(from: 5, wrong, Published.checkpointOf8)).status == 422)
            }
            let stale = try await add(Published.request(from: 2, hashes, Published.checkpointOf8))
            #expect(stale.status == 409 && stale.text == "5\n")
            let other = Published.checkpointOf8.replacing("\n8\n", with: "\n9\n")
            #expect(try await add(Published.request(from: 5, hashes, other)).status == 403)
            let answer = try await add(Published.request(from: 5, hashes, Published.checkpointOf8))
            #expect(answer.status == 200, "\(answer.text)")
            let note = try #require(SignedNote(Data(Published.checkpointOf8.utf8) + answer.body))
            #expect(note.signers(among: [collector.keys.witness.witnessVerifier]).count == 1)
        }
    }

    @Test("The served checkpoint has the cosignature that was answered, and the log's signature")
    func served() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let path = collector.path(log, "witness", "checkpoint")
            #expect(try await collector.send("GET", path).status == 404)
            let answer = try await collector.addCheckpoint(log, from: 0)
            let served = try await collector.send("GET", path)
            #expect(served.status == 200)
            #expect(served.text.hasSuffix(answer.text))
            #expect(SignedNote(served.body)?.signers(among: [log.verifier]) == [log.verifier])
        }
    }

    @Test("An unknown origin is 404")
    func unknownOrigin() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            #expect(try await collector.addCheckpoint(log, from: 0).status == 404)
        }
    }

    @Test("A checkpoint without a signature of a known key is 403, and the signatures of unknown keys are passed over")
    func untrusted() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let stranger = try #require(NoteSigner(name: log.origin))
            #expect(try await collector.addCheckpoint(log, from: 0, signers: [stranger]).status == 403)
            let both = try await collector.addCheckpoint(log, from: 0, signers: [stranger, log.signers[0]])
            #expect(both.status == 200)
        }
    }

    @Test("A signature line of a known key that does not verify is 403, also beside one that does")
    func falseSignature() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let other = try log.checkpoint()
            log.append(.used)
            let request = try log.checkpointRequest(from: 0)
            let text = String(decoding: request, as: UTF8.self)
            // The signature of another checkpoint.
            let line = try #require(text.split(separator: "\n").last)
            let false_ = try #require(other.signatures.first).line
            let body = Data(text.replacing(String(line) + "\n", with: false_).utf8)
            #expect(try await collector.send("POST", "/add-checkpoint", body).status == 403)
        }
    }

    @Test("An old size that is larger than the checkpoint is 400")
    func oldTooLarge() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let body = Data("old 3\n\n".utf8) + (try log.checkpoint().data)
            #expect(try await collector.send("POST", "/add-checkpoint", body).status == 400)
        }
    }

    @Test(
        "A body that is not a request is 400",
        arguments: [
            "", "old", "old 0\n", "old 00\n\n", "old -1\n\n", "new 0\n\n", "old 0\n\n\n", "old 0\nAAAA\n\n",
            "old 0\r\n\r\n", "old 18446744073709551616\n\n",
            "old 1\n" + String(repeating: "\(Data(count: 32).base64EncodedString())\n", count: 64) + "\n",
        ])
    func malformed(start: String) async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let body = Data(start.utf8) + (try log.checkpoint().data)
            #expect(try await collector.send("POST", "/add-checkpoint", body).status == 400)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
        }
    }

    @Test("An old size that is not the last cosigned one is 409 with that size")
    func conflict() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let early = try await collector.addCheckpoint(log, from: 1)
            #expect(early.status == 409)
            #expect(early.text == "0\n")
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            log.appendSessions(5)
            let late = try await collector.addCheckpoint(log, from: 0)
            #expect(late.status == 409)
            #expect(late.text == "2\n")
            #expect(late.type == "text/x.tlog.size")
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
        }
    }

    @Test("A checkpoint of no records with another root than the empty tree is 422")
    func emptyTree() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let text = "\(log.origin)\n0\n\(MerkleHash.leaf(Data()).base64)\n"
            let note = try #require(try log.signers[0].sign(text))
            let body = Data("old 0\n\n".utf8) + note.data
            #expect(try await collector.send("POST", "/add-checkpoint", body).status == 422)
            #expect(try await collector.addCheckpoint(log, from: 0, to: 0).status == 200)
        }
    }

    @Test("A proof with the old size 0 is 422")
    func proofFromNothing() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            let body = Data("old 0\n\(log.root(0..<1).base64)\n\n".utf8) + (try log.checkpoint().data)
            #expect(try await collector.send("POST", "/add-checkpoint", body).status == 422)
        }
    }

    @Test("A proof that does not verify is 422, and nothing is cosigned")
    func falseProof() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            _ = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            log.appendSessions(3)
            let body = Data("old 2\n\(log.root(0..<1).base64)\n\n".utf8) + (try log.checkpoint().data)
            #expect(try await collector.send("POST", "/add-checkpoint", body).status == 422)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
            // A stranger could have sent it.
            #expect(try await collector.alarms() == [])
        }
    }

    @Test("Another root of the same size is 422 and proves a fork, also without a token")
    func fork() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            _ = try await collector.enrol(log)
            var other = log
            log.append(.used)
            other.append(.used)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            #expect(try await collector.addCheckpoint(other, from: 3).status == 422)
            #expect(try await collector.alarms() == ["forked"])
            #expect(try await collector.state() == "forked")
            let detail = try await collector.store.pool.query(
                "SELECT detail ->> 'checkpoint', detail ->> 'accepted' FROM fleet.alarm")
            #expect(detail[0][0] == String(decoding: try other.checkpoint().data, as: UTF8.self))
            #expect(detail[0][1]?.hasPrefix(try log.checkpoint().text) == true)
            #expect(try await collector.addCheckpoint(log, from: 3).status == 200)
        }
    }

    @Test("The same checkpoint again is cosigned again")
    func again() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            _ = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
        }
    }

    @Test("Two collectors that race never cosign two branches")
    func race() async throws {
        let database = try await PrivatePostgreSQL.shared.get().newDatabase()
        let keys = try CollectorKeys(name: "collector.example")
        try await RunningCollector.run(database: database, keys: keys) { first in
            try await RunningCollector.run(database: database, keys: keys) { second in
                for _ in 0..<8 {
                    var log = try SimulatedLog()
                    _ = try await first.enrol(log)
                    var other = log
                    log.appendSessions(3)
                    other.appendSessions(5)
                    async let one = first.addCheckpoint(log, from: 0)
                    async let two = second.addCheckpoint(other, from: 0)
                    let statuses = try await [one.status, two.status].sorted()
                    #expect(statuses == [200, 409])
                }
            }
        }
    }
}
