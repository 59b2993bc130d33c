import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Collector

@Suite("Limits", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct LimitTests {
    @Test("A gate admits one upload of each host, some of all hosts, as many as may wait, and turns back the rest")
    func gate() async throws {
        let gate = HostGate(active: 1, waiting: 3)
        let (refusals, refused) = AsyncStream<Refusal>.makeStream()
        let (end, ending) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for host in 1...10 {
                group.addTask {
                    do {
                        return try await gate.admit(Int64(host)) { _ in
                            for await _ in end {}
                            return 1
                        }
                    } catch let refusal as Refusal {
                        refused.yield(refusal)
                        return 0
                    }
                }
            }
            var iterator = refusals.makeAsyncIterator()
            for _ in 0..<6 {
                let refusal = await iterator.next()
                #expect(refusal?.status == .serviceUnavailable)
                #expect(refusal?.headers[.retryAfter] != nil)
            }
            ending.finish()
            let admitted = try await group.reduce(0, +)
            #expect(admitted == 4)
        }
        try await gate.admit(1) { _ in
            let same = await #expect(throws: Refusal.self) { try await gate.admit(1) { _ in } }
            #expect(same?.status == .tooManyRequests)
        }
        try await gate.admit(1) { _ in }
    }

    @Test("A body that does not come is cut, and others are served meanwhile")
    func slowBody() async throws {
        var times = ConnectionLimits.Times()
        times.body = .milliseconds(300)
        try await RunningCollector.run(times: times) { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            let port = try #require(Int(collector.url.split(separator: ":").last ?? ""))
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            let head = """
                POST /add-records HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token.text)\r\n\
                Content-Type: application/vnd.voicegate.records\r\nContent-Length: 1000000\r\n\r\n\u{0}
                """
            try await channel.writeAndFlush(ByteBuffer(string: head)).get()
            #expect(try await collector.send("GET", "/health").status == 200)
            try await channel.closeFuture.get()
            #expect(try await collector.upload(log, 2..<2, token: token).status == 200)
        }
    }

    @Test("A body that comes drop by drop is cut")
    func dripping() async throws {
        var times = ConnectionLimits.Times()
        times.rate = (1024, .milliseconds(300))
        try await RunningCollector.run(times: times) { collector in
            let token = try await collector.take(try SimulatedLog())
            let port = try #require(Int(collector.url.split(separator: ":").last ?? ""))
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            let head = """
                POST /add-records HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token.text)\r\n\
                Content-Type: application/vnd.voicegate.records\r\nContent-Length: 1000000\r\n\r\n
                """
            try await channel.writeAndFlush(ByteBuffer(string: head)).get()
            // Each byte comes well before `body` is over.
            while (try? await channel.writeAndFlush(ByteBuffer(bytes: [0])).get()) != nil {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    @Test("The memory of all uploads is bounded, and each has a share of it")
    func memory() throws {
        let memory = UploadMemory(limit: 10 << 20)
        do {
            var large = UploadMemory.Account(memory)
            try large.set(9 << 20)
            var small = UploadMemory.Account(memory)
            try small.set(2 << 20)
            #expect(throws: Refusal.self) { try large.set(9 << 20) }
            try small.set(3 << 20)
        }
        var again = UploadMemory.Account(memory)
        try again.set(10 << 20)
    }

    @Test("An answer that comes before the body's end ends the connection, whatever is still sent")
    func endlessBody() async throws {
        var times = ConnectionLimits.Times()
        times.linger = .milliseconds(100)
        try await RunningCollector.run(times: times) { collector in
            let port = try #require(Int(collector.url.split(separator: ":").last ?? ""))
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            let head = """
                POST /add-records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\n
                """
            try await channel.writeAndFlush(ByteBuffer(string: head)).get()
            let rubbish = ByteBuffer(repeating: 0x41, count: 64 * 1024)
            var sent = 0
            while (try? await channel.writeAndFlush(rubbish).get()) != nil { sent += rubbish.readableBytes }
            #expect(sent < 10_000_000_000)
            #expect(try await collector.send("GET", "/health").status == 200)
        }
    }

    @Test("Bodies that are too large or of another type are refused")
    func sizes() async throws {
        try await RunningCollector.run { collector in
            let log = try SimulatedLog()
            let token = try await collector.take(log)
            #expect(try await collector.send("POST", "/add-checkpoint", Data(count: 1 << 20)).status == 413)
            #expect(try await collector.send("POST", "/enroll", Data(count: 1 << 20)).status == 413)
            #expect(try await collector.send("POST", "/enroll", Data("{}".utf8)).status == 400)
            #expect(
                try await collector.send("POST", "/add-records", Data(), type: "text/plain", token: token).status == 415
            )
            let rubbish = Data((0..<100_000).map { _ in UInt8.random(in: 0...255) })
            let answer = try await collector.send(
                "POST", "/add-records", rubbish, type: UploadForm.records.mediaType, token: token)
            #expect([400, 404].contains(answer.status))
        }
    }

    @Test("A database that is away is 503 with Retry-After, and the collector goes on when it is back")
    func databaseAway() async throws {
        let server = try PrivatePostgreSQL()
        defer { server.stop() }
        try await RunningCollector.run(database: try await server.newDatabase()) { collector in
            var log = try SimulatedLog()
            let token = try await collector.take(log)
            server.kill()
            log.appendSessions(500)
            let away = try await collector.addCheckpoint(log, from: 2)
            #expect(away.status == 503)
            #expect(away.headers["retry-after"] != nil)
            #expect(try await collector.send("GET", "/health").status == 200)
            #expect(try await collector.send("GET", "/ready").status == 503)
            try server.start()
            #expect(try await collector.send("GET", "/ready").status == 200)
            #expect(try await collector.addCheckpoint(log, from: 2).status == 200)
            #expect(try await collector.upload(log, 2..<502, token: token).status == 200)
            #expect(try await collector.rows().count == 502)
        }
    }

    @Test("The metrics are Prometheus's text, for those who have the token, and OTLP's JSON")
    func metrics() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("reader\n".utf8).write(to: file)
        try await RunningCollector.run({ ($0.metricsByHost, $0.metricsTokenFile) = (true, file.path) }) { collector in
            _ = try await collector.take(try SimulatedLog())
            #expect(try await collector.send("GET", "/metrics").status == 401)
            let page = try await collector.send("GET", "/metrics", token: BearerToken(text: "reader")).text
            #expect(page.contains("voicegate_fleet_hosts{state=\"ok\"} 1\n"))
            #expect(page.contains("voicegate_collector_records_total 2\n"))
            #expect(page.contains("voicegate_host_records{host=\"1\",name=\""))
            let exported = MetricsExport.body(
                try await collector.store.status(), at: Date(timeIntervalSince1970: 1.5))
            let expected = """
                {"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":\
                {"stringValue":"voicegate-collector"}}]},"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[\
                {"asInt":"1","attributes":[{"key":"state","value":{"stringValue":"ok"}}],\
                "timeUnixNano":"1500000000"}]},"name":"voicegate.fleet.hosts"},{"gauge":{"dataPoints":[\
                {"asInt":"2","attributes":[],"timeUnixNano":"1500000000"}]},"name":"voicegate.fleet.records"}]}]}]}
                """
            #expect(String(decoding: exported, as: UTF8.self) == expected)
        }
    }
}
