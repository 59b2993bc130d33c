import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Testing

@testable import Collector

/// https://c2sp.org/tlog-mirror, rule by rule, and what is ours: disclosures.
@Suite("Mirror", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct MirrorTests {
    @Test(
        "A whole upload is stored, and the mirror cosigns the checkpoint with its own key",
        arguments: [2, 255, 256, 257, 700])
    func whole(size: Int) async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(size - 2)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            let answer = try await collector.upload(log, 0..<log.size, token: token)
            #expect(answer.status == 200, "\(answer.text)")
            let note = try #require(SignedNote(try log.checkpoint().data + answer.body))
            #expect(note.signers(among: [collector.keys.mirror.witnessVerifier]).count == 1)
            #expect(note.signers(among: [collector.keys.witness.witnessVerifier]).isEmpty)
            #expect(try await collector.rows().map { $0[0] } == (0..<size).map(String.init))
            let served = try await collector.send("GET", collector.path(log, "mirror", "checkpoint"))
            #expect(served.text.hasSuffix(answer.text))
            #expect(try await collector.state() == "ok")
        }
    }

    @Test("Stored records yield each disclosure again, byte for byte")
    func disclosures() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.append(
                .used,
                [
                    "text": .string("a \0 b \u{FFFD} \" \\ é e\u{301} 😀"), "n": .integer(.min),
                    "list": .array([.null, .boolean(true)]),
                ])
            log.append(Data(#"["AAAAAAAAAAAAAAAAAAAAAA",{"e\#u{301}":1,"é":2}]"#.utf8), .used)
            log.append(.used, ["client": .string("withheld")], isWithheld: true)
            let rebuilt: [[String: JSONValue]] = [
                ["device": .string("Café “mic” 😀:")], ["é": .string("a"), "b": .string("\"é\":")],
                ["a": .array([.string("é"), .string(":")])],
            ]
            for fields in rebuilt { log.append(.used, fields) }
            log.append(Data(#"["AAAAAAAAAAAAAAAAAAAAAA",{"a":"\\","e\#u{301}":1,"é":2}]"#.utf8), .used)
            _ = try await collector.take(log)
            let rows = try await collector.rows("salt, fields ->> 'n', verbatim, fields")
            let verbatim = rows.map { $0[2].map { Data($0.utf8) } }
            #expect(verbatim[2] == log.disclosures[2])
            #expect(verbatim[3] == log.disclosures[3])
            #expect(verbatim[0] == nil)
            #expect(rows[2][1] == String(Int64.min))
            #expect(rows[4] == [nil, nil, nil, nil])
            for (row, fields) in zip(rows[5...], rebuilt) {
                #expect(row[2] == nil)
                #expect(row[3].flatMap { JSONValue(jsonb: $0.utf8) } == .object(fields))
            }
            #expect(verbatim[8] == log.disclosures[8])
        }
    }

    @Test("An upload goes on where the one before ended: 202 with the next entry, then 200")
    func prefix() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(998)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            let first = try await collector.upload(log, 0..<1000, count: 2, token: token)
            #expect(first.status == 202)
            #expect(first.type == "text/x.tlog.mirror-info")
            #expect(first.text == "1000\n512\n\n")
            #expect(try await collector.send("GET", collector.path(log, "mirror", "checkpoint")).status == 404)
            // Without a whole package, also behind what is stored.
            for start in [256, 512] as [UInt64] {
                #expect(try await collector.upload(log, start..<1000, count: 0, token: token).status == 400)
            }
            #expect(try await collector.upload(log, 512..<1000, token: token).status == 200)
            #expect(try await collector.rows().count == 1000)
        }
    }

    @Test("A body compressed by gzip is taken; one that is not gzip, or ends early, keeps what was whole")
    func compressed() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(698)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            let packed = try Self.gzip(try log.upload(0..<700))
            func send(_ body: Data) async throws -> UInt {
                try await collector.send(
                    "POST", "/add-records", body, type: UploadForm.records.mediaType, token: token,
                    headers: [("Content-Encoding", "gzip")]
                ).status
            }
            #expect(try await send(try log.upload(0..<700)) == 400)
            #expect(try await send(packed.prefix(20)) == 400)
            #expect(try await send(try Self.gzip(Data(count: 50_000_000))) == 400)
            #expect(try await collector.rows().isEmpty)
            #expect(try await send(packed.dropLast(packed.count / 4)) == 202)
            #expect(try await send(packed) == 200)
            #expect(try await collector.rows().count == 700)
        }
    }

    private static func gzip(_ data: Data) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "body-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/gzip")
        process.arguments = ["-c", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let packed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return packed
    }

    @Test("An unknown origin, and another host's, is 404")
    func unknownOrigin() async throws {
        try await RunningCollector.run { collector in
            let (log, other) = (try SimulatedLog(), try SimulatedLog())
            let token = try await collector.take(log)
            _ = try await collector.take(other)
            #expect(try await collector.upload(other, 0..<2, token: token).status == 404)
            #expect(try await collector.upload(try SimulatedLog(), 0..<2, token: token).status == 404)
            #expect(try await collector.upload(log, 0..<2, token: nil).status == 401)
        }
    }

    @Test("Without a checkpoint an upload is 422")
    func noCheckpoint() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.enrol(log)
            #expect(try await collector.upload(log, 0..<2, token: token).status == 422)
        }
    }

    @Test("An end that no accepted checkpoint has is 409 with the newest, and one before the newest is taken")
    func ends() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(98)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0, to: 50).status == 200)
            #expect(try await collector.addCheckpoint(log, from: 50, to: 100).status == 200)
            let unknown = try await collector.upload(log, 0..<70, token: token)
            #expect(unknown.status == 409)
            #expect(unknown.text == "100\n0\n\n")
            #expect(try await collector.upload(log, 0..<50, token: token).status == 200)
            #expect(try await collector.upload(log, 50..<100, token: token).status == 200)
            #expect(try await collector.upload(log, 50..<50, token: token).status == 409)
        }
    }

    @Test("A start behind the next entry is 409 with it")
    func gap() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(98)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            let answer = try await collector.upload(log, 1..<100, token: token)
            #expect(answer.status == 409)
            #expect(answer.text == "100\n0\n\n")
            #expect(try await collector.rows().isEmpty)
        }
    }

    @Test("An upload that comes again changes nothing, from any start")
    func again() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(598)
            let token = try await collector.take(log)
            let before = try await collector.rows("index, xmin")
            for start in [0, 1, 255, 256, 300, 599, 600] as [UInt64] {
                #expect(try await collector.upload(log, start..<600, token: token).status == 200)
            }
            #expect(try await collector.rows("index, xmin") == before)
        }
    }

    @Test("Each byte of a package changed once is refused, and nothing of the package is stored")
    func tampered() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            let body = try log.upload(0..<2)
            let start = try log.packages(0..<2).head.data.count
            for place in start..<body.count {
                var changed = body
                changed[place] ^= 0x01
                let answer = try await collector.send(
                    "POST", "/add-records", changed, type: UploadForm.records.mediaType, token: token)
                #expect([400, 422].contains(answer.status), "byte \(place): \(answer.status)")
            }
            #expect(try await collector.rows().isEmpty)
            #expect(try await collector.upload(log, 0..<2, token: token).status == 200)
        }
    }

    @Test("Records verified before a wrong package are stored, and the wrong package is 422")
    func wrongLater() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(598)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            var other = log.prefix(256)
            other.appendSessions(344)
            let (head, right) = try log.packages(0..<600)
            let wrong = try other.packages(0..<600).packages
            let body = head.data + right[0].data + wrong[1].data
            #expect(
                try await collector.send(
                    "POST", "/add-records", body, type: UploadForm.records.mediaType, token: token
                ).status == 422)
            #expect(try await collector.rows().count == 256)
            #expect(try await collector.upload(log, 256..<600, token: token).status == 200)
        }
    }

    @Test("Bytes that end anywhere keep what was whole: 202, or 400 if no package was")
    func truncated() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(398)
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            let (head, packages) = try log.packages(0..<400)
            let body = head.data + packages[0].data + packages[1].data
            func send(_ count: Int) async throws -> UInt {
                try await collector.send(
                    "POST", "/add-records", body.prefix(count), type: UploadForm.records.mediaType, token: token
                ).status
            }
            #expect(try await send(0) == 400)
            #expect(try await send(1) == 400)
            #expect(try await send(head.data.count) == 400)
            #expect(try await send(head.data.count + packages[0].data.count - 1) == 400)
            #expect(try await collector.rows().isEmpty)
            #expect(try await send(body.count - 1) == 202)
            #expect(try await collector.rows().count == 256)
        }
    }

    @Test("A leaf that is not a record's, of another index, or with another disclosure is 422")
    func foreignLeaves() async throws {
        try await RunningCollector.run { collector in
            for (number, change)
                in ([
                    { $0.append(leaf: Data("{}".utf8), nil) },
                    { $0.append(leaf: $0.leaves[1], $0.disclosures[1]) },
                    {
                        let disclosure = $0.disclosures[1]
                        $0.append(.used)
                        let leaf = $0.leaves[2]
                        $0 = $0.prefix(2)
                        $0.append(leaf: leaf, disclosure)
                    },
                    { $0.append(Data("no disclosure".utf8), .used) },
                    { $0.append(Data(#"["AAAAAAAAAAAAAAAAAAAAAA", {}]"#.utf8), .used) },
                    { $0.append(RecordKind(rawValue: "a\nb"), [:]) },
                    { $0.append(RecordKind(rawValue: String(repeating: "k", count: 65)), [:]) },
                ] as [(inout SimulatedLog) -> Void]).enumerated()
            {
                var log = try SimulatedLog()
                change(&log)
                let token = try await collector.enrol(log)
                #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
                #expect(try await collector.upload(log, 0..<3, token: token).status == 422, "\(number)")
            }
            #expect(try await collector.rows().isEmpty)
        }
    }

    @Test("Leaves alone are stored without fields")
    func entries() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.enrol(log)
            #expect(try await collector.addCheckpoint(log, from: 0).status == 200)
            #expect(try await collector.upload(log, 0..<2, .entries, token: token).status == 200)
            #expect(try await collector.rows("fields") == [[nil], [nil]])
        }
    }

    @Test(
        "Fields that data.erased names are deleted with it, but not those on which the log depends; the rows and tiles stay"
    )
    func erasure() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.appendSessions(8)
            let token = try await collector.take(log)
            log.append(
                .dataErased,
                ["records": .array([[0, 1], [3, 5], [8, 8]].map { .array($0.map(JSONValue.integer)) })])
            #expect(try await collector.addCheckpoint(log, from: 10).status == 200)
            #expect(try await collector.upload(log, 10..<11, token: token).status == 200)
            let erased = try await collector.rows("erased, fields IS NULL AND salt IS NULL")
            #expect(erased.indices.filter { erased[$0] == ["t", "t"] } == [3, 4, 5, 8])
            #expect(erased.indices.filter { erased[$0] == ["f", "f"] } == [0, 1, 2, 6, 7, 9, 10])
            let bundle = try await collector.send("GET", collector.path(log, "mirror", "tile/entries/000.p/11"))
            #expect(
                bundle.body == log.leaves.reduce(into: Data()) { $0.append(contentsOf: [0, UInt8($1.count)] + $1) })
        }
    }

    @Test("Erased fields are deleted in the copy, too, that a revoked host of the same log left")
    func erasureOfFormer() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            log.append(.granted, ["client": .string("notes"), "resource": .string("microphone")])
            log.appendSessions(7)
            _ = try await collector.take(log)
            _ = try await collector.take(try SimulatedLog())
            try await collector.store.revoke(host: "1")
            let token = try await collector.take(log)
            log.append(.dataErased, ["records": .array([.array([.integer(2), .integer(4)])])])
            #expect(try await collector.addCheckpoint(log, from: 10).status == 200)
            #expect(try await collector.upload(log, 10..<11, token: token).status == 200)
            let rows = try await collector.rows("host, index, erased, salt IS NULL AND fields IS NULL")
            let expected: [[String?]] = [
                ["1", "2", "f", "t"], ["1", "3", "f", "t"], ["1", "4", "f", "t"],
                ["3", "2", "t", "t"], ["3", "3", "t", "t"], ["3", "4", "t", "t"],
            ]
            #expect(rows.filter { $0[3] == "t" } == expected)
            let grants = try await collector.store.pool.query("SELECT host, client FROM fleet.grant_state")
            #expect(grants == [["3", nil]])
        }
    }

    @Test("Two collectors that take one host's log at once store each record once")
    func twoCollectors() async throws {
        let database = try await PrivatePostgreSQL.shared.get().newDatabase()
        let keys = try CollectorKeys(name: "collector.example")
        try await RunningCollector.run(database: database, keys: keys) { first in
            try await RunningCollector.run(database: database, keys: keys) { second in
                for _ in 0..<4 {
                    var grown = try SimulatedLog()
                    grown.appendSessions(1500)
                    let log = grown
                    let token = try await first.enrol(log)
                    #expect(try await first.addCheckpoint(log, from: 0).status == 200)
                    async let one = first.upload(log, 0..<log.size, token: token)
                    async let two = second.upload(log, 0..<log.size, token: token)
                    let statuses = try await [one.status, two.status]
                    #expect(statuses.allSatisfy { [200, 409].contains($0) } && statuses.contains(200))
                }
                let counts = try await first.store.pool.query(
                    "SELECT count(*), count(DISTINCT (host, index)) FROM fleet.record")
                #expect(counts == [["6008", "6008"]])
            }
        }
    }
}
