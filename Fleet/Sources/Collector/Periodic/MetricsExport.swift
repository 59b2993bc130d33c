import AsyncHTTPClient
import FleetDatabase
import Foundation
import NIOCore

/// Sends the fleet's numbers by OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/), if
/// OTEL_EXPORTER_OTLP_ENDPOINT says where to.
struct MetricsExport: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    private let headers: [(name: String, value: String)]

    /// - Returns: `nil` if the environment names no endpoint.
    init?(environment: [String: String]) {
        guard let endpoint = environment["OTEL_EXPORTER_OTLP_ENDPOINT"], !endpoint.isEmpty else { return nil }
        url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/metrics"
        headers = (environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "").split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    func send(_ status: FleetStatus, at time: Date) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        request.body = .bytes(ByteBuffer(bytes: try Self.body(status, at: time)))
        let answer = try await OutgoingRequest.send(request)
        guard answer.status == 200 else { throw Failure(description: "\(url) answered \(answer.status)") }
    }

    static func body(_ status: FleetStatus, at time: Date) throws -> Data {
        let nanoseconds = String(UInt64(time.timeIntervalSince1970 * 1000)) + "000000"
        func gauge(_ name: String, _ values: [(label: (String, String)?, value: Int64)]) -> Metric {
            Metric(
                name: name,
                gauge: Gauge(
                    dataPoints: values.map { label, value in
                        Point(
                            timeUnixNano: nanoseconds, asInt: String(value),
                            attributes: label.map { [Attribute(key: $0.0, value: .init(stringValue: $0.1))] } ?? [])
                    }))
        }
        let metrics = [
            gauge(
                "voicegate.fleet.hosts",
                status.states.sorted { $0.key < $1.key }.map { (("state", $0.key), Int64($0.value)) }),
            gauge(
                "voicegate.fleet.alarms",
                status.alarms.sorted { $0.key < $1.key }.map { (("kind", $0.key), Int64($0.value)) }),
            gauge("voicegate.fleet.records", [(nil, status.records)]),
        ]
        let service = Attribute(key: "service.name", value: .init(stringValue: "voicegate-collector"))
        return try JSONEncoder().encode(
            Export(resourceMetrics: [
                .init(
                    resource: .init(attributes: [service]),
                    scopeMetrics: [.init(metrics: metrics.filter { !$0.gauge.dataPoints.isEmpty })])
            ]))
    }

    private struct Export: Encodable {
        struct Resources: Encodable {
            let resource: Resource
            let scopeMetrics: [Scope]
        }
        struct Resource: Encodable {
            let attributes: [Attribute]
        }
        struct Scope: Encodable {
            let metrics: [Metric]
        }
        let resourceMetrics: [Resources]
    }

    private struct Metric: Encodable {
        let name: String
        let gauge: Gauge
    }

    private struct Gauge: Encodable {
        let dataPoints: [Point]
    }

    /// Numbers of 64 bits are texts in Protobuf's JSON.
    private struct Point: Encodable {
        let timeUnixNano: String
        let asInt: String
        let attributes: [Attribute]
    }

    private struct Attribute: Encodable {
        struct Value: Encodable {
            let stringValue: String
        }
        let key: String
        let value: Value
    }
}
