import Consent
import FleetDatabase
import Foundation
import Logging
import ServiceLifecycle

/// What is done without a request: silent hosts, partitions before they are needed, notification, witnesses and metrics. Of all
/// collectors of a database one does it at a time.
struct PeriodicWork: Service {
    /// Rounds between two times that old checkpoints are thinned out.
    private static let pruningRounds = 360
    /// Rounds between two exports of metrics.
    private static let exportRounds = 12

    let store: FleetStore
    let webhook: Webhook?
    let witnesses: UpstreamWitnesses?
    let export: MetricsExport?
    let logger: Logger
    let pause: Duration

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            for round in 0... {
                do {
                    try await store.alone("periodic") { try await work(round) }
                } catch {
                    // The database is away, or another one's: the next round tries again.
                    logger.warning("periodic work failed", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    private func work(_ round: Int) async throws {
        try await store.raiseSilent()
        try await store.makePartitions(ahead: Timestamp(Date()))
        if round.isMultiple(of: Self.pruningRounds) { try await store.pruneCheckpoints() }
        if let webhook { try await notify(by: webhook) }
        try await witnesses?.update()
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
        for alarm in try await store.unnotified(limit: 100) {
            do {
                try await webhook.send(alarm)
            } catch {
                logger.warning("webhook failed", metadata: ["alarm": "\(alarm.alarm)", "error": "\(error)"])
                // It is there and refuses this one; others may be taken.
                guard error is Webhook.Failure else { return }
                try await store.markTried(alarm)
                continue
            }
            try await store.markNotified(alarm)
        }
    }
}
