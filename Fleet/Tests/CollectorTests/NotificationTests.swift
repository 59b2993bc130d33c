import Consent
import Cryptography
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Collector

/// What the collector does by itself.
@Suite("Periodic work", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct NotificationTests {
    private static let pause = Duration.milliseconds(200)

    /// A program that takes webhooks, and metrics by OTLP.
    private final class Receiver: Sendable {
        struct Message: Sendable {
            let path: String
            let headers: HTTPFields
            let body: Data
        }

        let messages = Mutex<[Message]>([])
        private let takes: @Sendable (Message, _ count: Int) -> Bool

        init(takes: @escaping @Sendable (Message, _ count: Int) -> Bool) { self.takes = takes }

        func run(_ body: (String) async throws -> Void) async throws {
            let router = Router()
            router.post("**") { [self] request, _ in
                let message = Message(
                    path: request.uri.path, headers: request.headers, body: try await request.body(upTo: 1 << 20))
                let isTaken = messages.withLock { messages in
                    messages.append(message)
                    return takes(message, messages.count)
                }
                return Response(status: isTaken ? .ok : .serviceUnavailable)
            }
            let (ports, port) = AsyncStream<Int?>.makeStream()
            let application = Application(
                router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { port.yield($0.localAddress?.port) })
            let running = Task { try await application.run() }
            let listening = try #require(await ports.first { _ in true } ?? nil)
            try await body("http://127.0.0.1:\(listening)")
            running.cancel()
            _ = await running.result
        }
    }

    @Test("A silent host is found without a request, and the webhook gets the alarm until it has taken it")
    func webhook() async throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
        try Data("k3y\n".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        // The first attempt fails.
        let receiver = Receiver { _, count in count > 1 }
        try await receiver.run { url in
            try await RunningCollector.run(
                { $0.webhook = .init(url: url + "/alarm", secretFile: secret.path) }, pause: Self.pause
            ) { collector in
                let log = try SimulatedLog()
                let token = try await collector.take(log)
                #expect(try await collector.report(log, counter: 1, interval: 1, token: token).status == 200)
                while receiver.messages.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(100)) }
                while try await collector.store.unnotified(limit: 1).isEmpty == false {
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(try await collector.state() == "silent")
            }
        }
        let messages = receiver.messages.withLock { $0 }
        #expect(messages.count == 2)
        let form =
            /\{"alarm":1,"detail":\{"lastReport":"[^"]+"\},"host":1,"kind":"silent","name":"[^"]+","since":"[^"]+Z","tenant":"test"\}/
        for message in messages {
            let text = String(decoding: message.body, as: UTF8.self)
            #expect(text.wholeMatch(of: form) != nil, "\(text)")
            let code = HMACSHA256.authenticationCode(for: message.body, using: SymmetricKey(data: "k3y".utf8))
            let signature = HTTPField.Name("X-VoiceGate-Signature").flatMap { message.headers[$0] }
            #expect(signature == "sha256=" + Data(code).bytea.dropFirst(2))
        }
    }

    @Test(
        "Alarms, numbers and checkpoints go nowhere in plain text but on this machine",
        arguments: [
            "http://example.org/x", "http://127.0.0.1.example.org", "ftp://127.0.0.1", "example.org", "https://",
        ])
    func plainText(url: String) {
        #expect(throws: CollectorSettings.Problem.self) { try OutgoingRequest.check(url, of: "It") }
        #expect(throws: CollectorSettings.Problem.self) { try Webhook(.init(url: url, secretFile: nil)) }
        #expect(throws: CollectorSettings.Problem.self) {
            try MetricsExport(environment: ["OTEL_EXPORTER_OTLP_ENDPOINT": url])
        }
    }

    @Test("An alarm that the webhook always refuses holds up no other")
    func refused() async throws {
        let first = Mutex<Data?>(nil)
        let receiver = Receiver { message, _ in
            first.withLock { first in
                first = first ?? message.body
                return first != message.body
            }
        }
        try await receiver.run { url in
            try await RunningCollector.run(
                { $0.webhook = .init(url: url + "/alarm", secretFile: nil) }, pause: Self.pause
            ) {
                collector in
                for _ in 0..<2 {
                    let log = try SimulatedLog()
                    let token = try await collector.take(log)
                    #expect(try await collector.report(log, counter: 1, interval: 1, token: token).status == 200)
                }
                while receiver.messages.withLock({ Set($0.map(\.body)).count }) < 2 {
                    try await Task.sleep(for: .milliseconds(100))
                }
                while try await collector.store.unnotified(limit: 2).count > 1 {
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }
    }

    @Test(
        "The numbers go to the OTLP endpoint that the environment names, with its headers, also after it has refused them"
    )
    func exported() async throws {
        let receiver = Receiver { _, count in count > 1 }
        try await receiver.run { url in
            try await RunningCollector.run { collector in
                _ = try await collector.take(try SimulatedLog())
                #expect(try MetricsExport(environment: [:]) == nil)
                let export = try MetricsExport(environment: [
                    "OTEL_EXPORTER_OTLP_ENDPOINT": url + "/",
                    "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic YQ==,x=y",
                ])
                let work = PeriodicWork(
                    store: collector.store, webhook: nil, witnesses: nil, export: export,
                    logger: .init(label: "test") { _ in SwiftLogNoOpLogHandler() }, pause: .milliseconds(10))
                let running = Task { try await work.run() }
                while receiver.messages.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(20)) }
                running.cancel()
                _ = await running.result
            }
        }
        for message in receiver.messages.withLock({ $0 }) {
            #expect(message.path == "/v1/metrics")
            #expect(message.headers[.authorization] == "Basic YQ==")
            #expect(message.headers[.contentType] == "application/json")
            let metrics = String(decoding: message.body, as: UTF8.self).matches(of: /"name":"([a-z.]+)"/)
            #expect(metrics.map(\.1) == ["voicegate.fleet.hosts", "voicegate.fleet.records"])
        }
    }

    @Test("Only one of several collectors does the periodic work at a time")
    func alone() async throws {
        let settings = try await PrivatePostgreSQL.shared.get().newDatabase()
        let store = FleetStore(DatabasePool(settings: settings, limit: 4), logger: .init(label: "test"))
        let count = Mutex(0)
        try await store.alone("test") {
            try await store.alone("test") { count.withLock { $0 += 1 } }
            count.withLock { $0 += 10 }
            // A pooler of transactions leaves them alone on the server's connection.
            let holders = try await store.pool.query(
                """
                SELECT state FROM pg_stat_activity JOIN pg_locks USING (pid)
                WHERE relation = 'fleet.duty'::regclass AND mode = 'RowShareLock'
                """)
            #expect(holders == [["idle in transaction"]])
        }
        struct Stop: Error {}
        await #expect(throws: Stop.self) { try await store.alone("test") { throw Stop() } }
        try await store.alone("test") { count.withLock { $0 += 100 } }
        #expect(count.withLock { $0 } == 110)
    }

    @Test("An endless answer delays nothing, and a redirect is not followed")
    func answers() async throws {
        let router = Router()
        let counters = Counters()
        router.post("endless") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    while true {
                        try await writer.write(ByteBuffer(string: "x"))
                        try await Task.sleep(for: .milliseconds(50))
                    }
                })
        }
        router.post("elsewhere") { _, _ in Response(status: .temporaryRedirect, headers: [.location: "/target"]) }
        router.post("target") { _, _ in
            counters.uploads.add(1, ordering: .relaxed)
            return Response(status: .ok)
        }
        let (ports, port) = AsyncStream<Int?>.makeStream()
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port) })
        let running = Task { try await application.run() }
        let listening = try #require(await ports.first { _ in true } ?? nil)
        let url = "http://127.0.0.1:\(listening)"
        await #expect(throws: OutgoingRequest.Late.self) {
            try await OutgoingRequest.post(
                Data(), to: url + "/endless", readingUpTo: 1 << 20, within: .milliseconds(300))
        }
        #expect(try await OutgoingRequest.post(Data(), to: url + "/elsewhere").status == 307)
        #expect(counters.uploads.load(ordering: .relaxed) == 0)
        running.cancel()
        _ = await running.result
    }

    @Test("A witness that does not take one host's log cosigns the others'")
    func refusedByWitness() async throws {
        try await RunningCollector.run { witness in
            let (unknown, known) = (try SimulatedLog(), try SimulatedLog())
            _ = try await witness.enrol(known)
            let key = witness.keys.witness.witnessVerifier
            let policy = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString)")
            try Data("witness other \(key.text) \(witness.url)\nquorum other\n".utf8).write(to: policy)
            defer { try? FileManager.default.removeItem(at: policy) }
            try await RunningCollector.run({ $0.witnessPolicy = policy.path }, pause: Self.pause) { collector in
                _ = try await collector.take(unknown)
                _ = try await collector.take(known)
                var note: SignedNote?
                while note?.signers(among: [key]).isEmpty != false {
                    try await Task.sleep(for: .milliseconds(100))
                    note = SignedNote(
                        try await collector.send("GET", collector.path(known, "mirror", "checkpoint")).body)
                }
                let refused = try await collector.store.pool.query(
                    "SELECT cosigned_at FROM fleet.upstream WHERE host = 1 AND tried_at IS NOT NULL")
                #expect(refused == [[nil]])
            }
        }
    }

    @Test("Another collector cosigns the mirror's checkpoints as a witness, from the size that it has")
    func witnesses() async throws {
        try await RunningCollector.run { witness in
            var log = try SimulatedLog()
            _ = try await witness.enrol(log)
            // It has a checkpoint already.
            #expect(try await witness.addCheckpoint(log, from: 0).status == 200)
            let key = witness.keys.witness.witnessVerifier
            let policy = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString)")
            try Data("witness other \(key.text) \(witness.url)\nquorum other\n".utf8).write(to: policy)
            defer { try? FileManager.default.removeItem(at: policy) }
            try await RunningCollector.run({ $0.witnessPolicy = policy.path }, pause: Self.pause) { collector in
                let token = try await collector.enrol(log)
                var old: UInt64 = 0
                for size in [300, 1000] as [UInt64] {
                    log.appendSessions(Int(size - log.size))
                    #expect(try await collector.addCheckpoint(log, from: old).status == 200)
                    #expect(try await collector.upload(log, old..<size, token: token).status == 200)
                    old = size
                    var note: SignedNote?
                    while note?.signers(among: [key]).isEmpty != false {
                        try await Task.sleep(for: .milliseconds(100))
                        note = SignedNote(
                            try await collector.send("GET", collector.path(log, "mirror", "checkpoint")).body)
                    }
                    #expect(note.flatMap { Checkpoint(text: $0.text) }?.size == size)
                    let kept = try await collector.store.pool.query("SELECT note FROM fleet.upstream")
                    #expect(kept.map { $0[0].map { Data($0.utf8) } } == [note?.data])
                    #expect(note?.signers(among: [log.verifier, collector.keys.mirror.witnessVerifier]).count == 2)
                }
            }
        }
    }
}
