import Consent
import FleetDatabase
import Foundation
import Logging
import ServiceLifecycle

/// What is done without a request. Of all collectors of a database one does each duty at a time; one that takes long, or waits for
/// another organisation's server, holds up no other.
struct PeriodicWork: Service {
    /// Pauses between two times that old checkpoints are thinned out.
    private static let pruningPauses = 360
    /// Rounds between two exports of metrics.
    private static let exportRounds = 12
    /// Alarms that are sent in one round.
    private static let mostAlarms = 100
    /// For the alarms of one round; the rest are sent in the next.
    private static let patience = Duration.seconds(60)
    /// Connections to the database: each duty keeps one while it uses another. They are its own, because requests may have to wait
    /// for theirs.
    static let connections = 8

    let store: FleetStore
    let webhook: Webhook?
    let witnesses: UpstreamWitnesses?
    let export: MetricsExport?
    let logger: Logger
    let pause: Duration

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await repeated("watch", after: pause) { _ in
                        try await store.raiseSilent()
                        try await store.makePartitions(ahead: Timestamp(Date()))
                    }
                }
                group.addTask {
                    try await repeated("prune", after: pause * Self.pruningPauses) { _ in
                        try await store.pruneCheckpoints()
                    }
                }
                group.addTask { try await repeated("notify", after: pause, notify) }
                if let witnesses {
                    group.addTask { try await repeated("witness", after: pause) { _ in try await witnesses.update() } }
                }
                try await group.waitForAll()
            }
        }
    }

    private func repeated(
        _ duty: String, after pause: Duration, _ work: @Sendable (_ round: Int) async throws -> Void
    ) async throws {
        for round in 0... {
            do {
                try await store.alone(duty) { try await work(round) }
            } catch {
                // The database is away, or belongs to a different collector: the next round tries again.
                logger.warning("periodic work failed", metadata: ["duty": "\(duty)", "error": "\(error)"])
            }
            try await Task.sleep(for: pause)
        }
    }

    private func notify(_ round: Int) async throws {
        if let webhook { try await notify(by: webhook) }
        if let export, round.isMultiple(of: Self.exportRounds) {
            do {
                try await export.send(try await store.status(), at: Date())
            } catch let error as DatabaseError {
                throw error
            } catch {
                logger.warning("export of metrics failed", metadata: ["error": "\(error)"])
            }
        }
    }

    private func notify(by webhook: Webhook) async throws {
        let end = ContinuousClock.now + Self.patience
        for alarm in try await store.unnotified(limit: Self.mostAlarms) where .now < end {
            do {
                try await webhook.send(alarm)
            } catch {
                logger.warning("webhook failed", metadata: ["alarm": "\(alarm.number)", "error": "\(error)"])
                // The server answers, and refuses this alarm; it may take others.
                guard error is OutgoingRequest.Refused else { return }
                try await store.markTried(alarm)
                continue
            }
            try await store.markNotified(alarm)
        }
    }
}
