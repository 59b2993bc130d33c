import FleetDatabase
import Foundation
import Hummingbird
import Synchronization

/// What this process has done since it started.
final class Counters: Sendable {
    let records = Atomic(0)
    let uploads = Atomic(0)
    let checkpoints = Atomic(0)
}

/// For load balancers and Prometheus.
struct StatusRoutes: Sendable {
    let store: FleetStore
    let counters: Counters
    /// Who may read the metrics.
    let readers: Monitoring
    /// Whether each host has its own metrics.
    let isByHost: Bool

    func add(to router: Router<some RequestContext>) {
        router.get("health") { _, _ in Response(type: "text/plain; charset=utf-8", "alive\n") }
        router.get("ready") { _, _ in
            do {
                try await store.check()
            } catch let problem as Migrator.Problem {
                throw Refusal(.serviceUnavailable, problem.description)
            } catch let problem as FleetStore.Volatile {
                throw Refusal(.serviceUnavailable, problem.description)
            }
            return Response(type: "text/plain; charset=utf-8", "ready\n")
        }
        router.get("metrics") { request, _ in
            try readers.admit(request)
            return Response(type: "text/plain; version=0.0.4; charset=utf-8", try await metrics())
        }
    }

    private func metrics() async throws -> String {
        let status = try await store.status()
        var page = MetricsPage()
        page.add(
            "voicegate_collector_records_total", "counter", "Records that this process has stored.",
            [("", load(counters.records))])
        page.add(
            "voicegate_collector_uploads_total", "counter", "Uploads that this process has answered.",
            [("", load(counters.uploads))])
        page.add(
            "voicegate_collector_checkpoints_total", "counter", "Checkpoints that this process has cosigned.",
            [("", load(counters.checkpoints))])
        page.add(
            "voicegate_fleet_hosts", "gauge", "Hosts by state.",
            status.states.map { ("{state=\"\($0.key)\"}", Double($0.value)) })
        page.add(
            "voicegate_fleet_alarms", "gauge", "Open alarms by kind.",
            status.alarms.map { ("{kind=\"\($0.key)\"}", Double($0.value)) })
        page.add("voicegate_fleet_records", "gauge", "Records of all hosts.", [("", Double(status.records))])
        if isByHost {
            let hosts = try await store.hostActivity()
            let labels = hosts.map { "{host=\"\($0.identifier)\",name=\"\(MetricsPage.escaped($0.name))\"}" }
            page.add(
                "voicegate_host_last_report_seconds", "gauge", "Seconds since the host's last report.",
                zip(labels, hosts).compactMap { label, host in host.silence.map { (label, $0) } })
            page.add(
                "voicegate_host_records", "gauge", "Records of the host.",
                zip(labels, hosts).map { ($0, Double($1.records)) })
        }
        return page.text
    }

    private func load(_ counter: borrowing Atomic<Int>) -> Double { Double(counter.load(ordering: .relaxed)) }
}

/// Prometheus's text format, version 0.0.4.
private struct MetricsPage {
    private(set) var text = ""

    mutating func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: Double)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in values.sorted(by: { $0.labels < $1.labels }) {
            text += "\(name)\(labels) \(Int64(exactly: value).map(String.init) ?? String(value))\n"
        }
    }

    static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
