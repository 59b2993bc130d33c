import AsyncHTTPClient
import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Logging
import NIOCore
import Testing

@testable import Collector

/// A collector in this process, with its own database.
struct RunningCollector: Sendable {
    let url: String
    let store: FleetStore
    let keys: CollectorKeys
    let database: String

    struct Answer: Sendable {
        let status: UInt
        let type: String?
        let headers: [String: String]
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Runs the body while the collector runs.
    static func run(
        _ change: (inout CollectorSettings) -> Void = { _ in }, times: ConnectionLimits.Times = .init(),
        pause: Duration = .seconds(5), database: String? = nil, keys: CollectorKeys? = nil,
        _ body: (RunningCollector) async throws -> Void
    ) async throws {
        var settings = CollectorSettings()
        settings.listen = "127.0.0.1:0"
        settings.monitoring = "open"
        settings.database =
            if let database { database } else { try await PrivatePostgreSQL.shared.get().newDatabase() }
        change(&settings)
        let keys = try keys ?? CollectorKeys(name: "collector.example")
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ports, port) = AsyncStream<Int?>.makeStream()
        let server = CollectorServer(
            settings: settings, keys: keys, logger: logger, onListening: { port.yield($0) }, times: times,
            pause: pause)
        let running = Task {
            defer { port.finish() }
            try await server.run()
        }
        guard let listening = await ports.first(where: { _ in true }), let listening else {
            try await running.value
            throw SimulatedLog.Failure()
        }
        let store = FleetStore(
            DatabasePool(settings: settings.database, limit: PeriodicWork.connections), logger: logger)
        let scheme = settings.certificate == nil ? "http" : "https"
        do {
            try await body(
                RunningCollector(
                    url: "\(scheme)://localhost:\(listening)", store: store, keys: keys, database: settings.database))
        } catch {
            running.cancel()
            _ = await running.result
            throw error
        }
        running.cancel()
        _ = await running.result
    }

    func send(
        _ method: String, _ path: String, _ body: Data = Data(), type: String? = nil, token: BearerToken? = nil,
        headers: [(String, String)] = [], client: HTTPClient = .shared
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url + path)
        request.method = .init(rawValue: method)
        if let type { request.headers.add(name: "Content-Type", value: type) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token.text)") }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if method == "POST" { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(120))
        let data = Data(buffer: try await response.body.collect(upTo: 64 << 20))
        return Answer(
            status: response.status.code, type: response.headers.first(name: "Content-Type"),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
            body: data)
    }

    func enrol(_ log: SimulatedLog, name: String = UUID().uuidString) async throws -> BearerToken {
        let token = try await store.newEnrolmentToken(tenant: "test", department: "", host: nil, hours: 1)
        let answer = try await send(
            "POST", "/enroll",
            try JSONEncoder().encode([
                "token": token.text, "key": log.signers[0].verifier.text, "name": name,
                "report": String(
                    decoding: try log.report(counter: 0, time: Timestamp(Date()), signer: log.signers[0]).data,
                    as: UTF8.self),
            ]))
        #expect(answer.status == 201, "\(answer.text)")
        struct Enrolled: Decodable {
            let token: String
        }
        return BearerToken(text: try JSONDecoder().decode(Enrolled.self, from: answer.body).token)
    }

    func addCheckpoint(
        _ log: SimulatedLog, from old: UInt64, to size: UInt64? = nil, token: BearerToken? = nil,
        signers: [NoteSigner]? = nil
    ) async throws -> Answer {
        try await send(
            "POST", "/add-checkpoint", try log.checkpointRequest(from: old, to: size, signers: signers), token: token)
    }

    func upload(
        _ log: SimulatedLog, _ range: Range<UInt64>, _ form: UploadForm = .records, count: Int = .max,
        token: BearerToken?
    ) async throws -> Answer {
        try await send(
            "POST", form == .records ? "/add-records" : "/add-entries", try log.upload(range, form, count: count),
            type: form.mediaType, token: token)
    }

    func report(
        _ log: SimulatedLog, counter: Int, time: Timestamp = Timestamp(Date()), interval: Int = 60, token: BearerToken
    ) async throws -> Answer {
        try await send(try log.report(counter: counter, time: time), interval: interval, token: token)
    }

    func send(_ report: SignedNote, interval: Int = 60, token: BearerToken) async throws -> Answer {
        struct Report: Encodable {
            let report: String
            let interval: Int
        }
        let body = Report(report: String(decoding: report.data, as: UTF8.self), interval: interval)
        return try await send("POST", "/report", try JSONEncoder().encode(body), token: token)
    }

    /// Enrols the log and sends all of it.
    func take(_ log: SimulatedLog) async throws -> BearerToken {
        let token = try await enrol(log)
        #expect(try await addCheckpoint(log, from: 0).status == 200)
        let answer = try await upload(log, 0..<log.size, token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return token
    }

    /// The state of the only host.
    func state() async throws -> String? {
        try await store.pool.query("SELECT state FROM fleet.host_state ORDER BY host DESC LIMIT 1").first?[0]
    }

    /// Kinds of alarms that were ever raised.
    func alarms() async throws -> [String] {
        try await store.pool.query("SELECT kind FROM fleet.alarm ORDER BY id").compactMap { $0[0] }
    }

    func rows(_ columns: String = "index") async throws -> [[String?]] {
        try await store.pool.query("SELECT \(columns) FROM fleet.record ORDER BY host, index")
    }

    /// - Parameter service: `mirror` or `witness`.
    func path(_ log: SimulatedLog, _ service: String, _ rest: String) -> String {
        // A token's digest is the SHA-256 of its text.
        "/\(service)/\(BearerToken(text: log.origin).digest.bytea.dropFirst(2))/\(rest)"
    }
}
