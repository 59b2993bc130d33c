import Consent
import FleetDatabase
import Foundation

/// Sends the fleet's numbers by OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/), if
/// OTEL_EXPORTER_OTLP_ENDPOINT says where to.
struct MetricsExport: Sendable {
    let url: String
    private let headers: [(name: String, value: String)]

    /// - Returns: `nil` if the environment names no endpoint.
    init?(environment: [String: String]) throws {
        guard let endpoint = environment["OTEL_EXPORTER_OTLP_ENDPOINT"], !endpoint.isEmpty else { return nil }
        try OutgoingRequest.check(endpoint, of: "OTEL_EXPORTER_OTLP_ENDPOINT")
        url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/metrics"
        headers = (environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "").split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    func send(_ status: FleetStatus, at time: Date) async throws {
        let answer = try await OutgoingRequest.post(
            Self.body(status, at: time), to: url, headers: [("Content-Type", "application/json")] + headers)
        guard answer.status == 200 else {
            throw OutgoingRequest.Refused(description: "\(url) answered \(answer.status)")
        }
    }

    static func body(_ status: FleetStatus, at time: Date) -> Data {
        let nanoseconds = JSONValue.string("\(UInt64(time.timeIntervalSince1970 * 1000))000000")
        func attribute(_ key: String, _ value: String) -> JSONValue {
            .object(["key": .string(key), "value": .object(["stringValue": .string(value)])])
        }
        func gauge(_ name: String, _ values: [(attributes: [JSONValue], value: Int64)]) -> JSONValue? {
            guard !values.isEmpty else { return nil }
            let points = values.map { attributes, value in
                // Numbers of 64 bits are texts in Protobuf's JSON.
                JSONValue.object([
                    "timeUnixNano": nanoseconds, "asInt": .string("\(value)"), "attributes": .array(attributes),
                ])
            }
            return .object(["name": .string(name), "gauge": .object(["dataPoints": .array(points)])])
        }
        func gauge(_ name: String, by key: String, _ counts: [String: Int]) -> JSONValue? {
            gauge(name, counts.sorted { $0.key < $1.key }.map { ([attribute(key, $0.key)], Int64($0.value)) })
        }
        let metrics = [
            gauge("voicegate.fleet.hosts", by: "state", status.states),
            gauge("voicegate.fleet.alarms", by: "kind", status.alarms),
            gauge("voicegate.fleet.records", [([], status.records)]),
        ]
        let resource = JSONValue.object(["attributes": .array([attribute("service.name", "voicegate-collector")])])
        let scope = JSONValue.object(["metrics": .array(metrics.compactMap { $0 })])
        let resources = JSONValue.object(["resource": resource, "scopeMetrics": .array([scope])])
        return Data(JSONValue.object(["resourceMetrics": .array([resources])]).canonical.utf8)
    }
}
