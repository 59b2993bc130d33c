import Consent
import FleetModel
import FleetSupport
import Foundation
import Testing

@testable import Collector

/// https://c2sp.org/tlog-tiles
@Suite("Tiles", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct TileTests {
    @Test("Each tile and bundle of a log that grew in steps is what the specification defines")
    func tiles() async throws {
        try await RunningCollector.run { collector in
            var log = try SimulatedLog()
            let token = try await collector.enrol(log)
            var old: UInt64 = 0
            for size in [2, 100, 255, 256, 257, 513, 1100, 1101] as [UInt64] {
                log.appendSessions(Int(size - log.size))
                #expect(try await collector.addCheckpoint(log, from: old).status == 200)
                #expect(try await collector.upload(log, old..<size, token: token).status == 200)
                old = size
            }
            func hashes(_ level: Int, _ count: UInt64, from first: UInt64) -> Data {
                (0..<count).reduce(into: Data()) { data, place in
                    let width = UInt64(1) << UInt64(8 * level)
                    let start = (first + place) * width
                    data.append(log.root(start..<start + width).bytes)
                }
            }
            for tile in [
                TilePath(level: 0, position: 0), TilePath(level: 0, position: 3),
                TilePath(level: 0, position: 4, width: 77),
                TilePath(level: 0, position: 4, width: 1), TilePath(level: 0, position: 0, width: 100),
                TilePath(level: 1, position: 0, width: 4), TilePath(level: 1, position: 0, width: 1),
            ] {
                let answer = try await collector.send("GET", collector.path(log, "mirror", tile.path))
                #expect(answer.status == 200, "\(tile.path)")
                #expect(answer.type == "application/octet-stream")
                #expect(answer.body == hashes(tile.level ?? 0, tile.width, from: tile.position * 256), "\(tile.path)")
            }
            for path in [
                "tile/0/004", "tile/0/004.p/78", "tile/1/000.p/5", "tile/1/000", "tile/2/000.p/1", "tile/0/005.p/1",
                "tile/entries/004.p/78",
            ] {
                #expect(try await collector.send("GET", collector.path(log, "mirror", path)).status == 404, "\(path)")
            }
            let bundle = try await collector.send("GET", collector.path(log, "mirror", "tile/entries/004.p/77"))
            #expect(
                bundle.body
                    == log.leaves.suffix(77).reduce(into: Data()) { $0.append(contentsOf: [0, UInt8($1.count)] + $1) })
        }
    }

    @Test("Tiles are for those who may read them")
    func monitoring() async throws {
        let log = try SimulatedLog()
        let file = FileManager.default.temporaryDirectory.appending(path: "monitor-\(UUID().uuidString)")
        try Data("secret\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await RunningCollector.run({ $0.monitoring = file.path }) { collector in
            _ = try await collector.take(log)
            let path = collector.path(log, "mirror", "tile/0/000.p/2")
            #expect(try await collector.send("GET", path).status == 401)
            #expect(try await collector.send("GET", path, token: .init(text: "secre")).status == 401)
            #expect(try await collector.send("GET", path, token: .init(text: "secret")).status == 200)
        }
        try await RunningCollector.run({ $0.monitoring = nil }) { collector in
            _ = try await collector.take(log)
            #expect(try await collector.send("GET", collector.path(log, "mirror", "checkpoint")).status == 404)
            #expect(try await collector.send("GET", collector.path(log, "witness", "checkpoint")).status == 404)
        }
    }
}
