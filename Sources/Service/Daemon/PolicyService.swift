import Authorization
import Consent
import Foundation
import LinuxSystem
import Logging
import PermissionRoutes
import PolicyFiles
import ServiceLifecycle

/// Applies each change of the administrator's policy, and the beginning and end of its rules' hours.
struct PolicyService: Service {
    /// Injected, so that tests control the time.
    struct Clocks: Sendable {
        var now: @Sendable () -> Date = { Date() }
        var timeZone: @Sendable () -> TimeZone = { MachineTimeZone.current() }
        var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    }

    /// How often the hours are checked, if rules have any: the kernel does not report a change of the time zone. Requests
    /// are decided by the time of the request; only a running session may continue for this long after the clock was set
    /// over a boundary.
    private static let longestWait: TimeInterval = 60

    let snapshots: AsyncStream<PolicySnapshot>
    /// The policy that the gate was made with.
    let initial: PolicySnapshot
    let log: ConsentLog
    let gate: Gate
    let problems: ProblemBoard
    let logger: Logger
    var clocks = Clocks()

    /// Records changes since the last service ran; called before the first request is served.
    func begin() async {
        problems.setPolicy(initial)
        if await !isRecorded(initial) { await apply(initial) }
    }

    func run() async throws {
        var inForce = initial
        var watch = watchHours(of: inForce)
        defer { watch.cancel() }
        for await snapshot in snapshots.cancelOnGracefulShutdown() where snapshot != inForce {
            // Ended before the next begins, so that an older policy never comes after a newer one.
            watch.cancel()
            await watch.value
            await apply(snapshot)
            inForce = snapshot
            watch = watchHours(of: inForce)
        }
    }

    private func watchHours(of snapshot: PolicySnapshot) -> Task<Void, Never> {
        Task {
            guard snapshot.policy.hasHours else { return }
            var snapshot = snapshot
            var inForce = snapshot.policy.rulesInForce(at: clocks.now())
            while !Task.isCancelled {
                let now = clocks.now()
                let next = snapshot.policy.nextChange(after: now)?.timeIntervalSince(now) ?? Self.longestWait
                guard (try? await clocks.sleep(.seconds(min(next, Self.longestWait)))) != nil else { return }
                let timeZone = clocks.timeZone()
                if timeZone.identifier != snapshot.policy.timeZone.identifier {
                    snapshot = snapshot.inTimeZone(timeZone)
                    await apply(snapshot)
                }
                let nowInForce = snapshot.policy.rulesInForce(at: clocks.now())
                guard nowInForce != inForce else { continue }
                inForce = nowInForce
                logger.info("the hours of a policy began or ended", metadata: ["rules": "\(inForce.count)"])
                await gate.enforcePolicy()
            }
        }
    }

    private func isRecorded(_ snapshot: PolicySnapshot) async -> Bool {
        guard let last = try? await log.lastRecord(of: .policyChanged) else {
            return snapshot.provenance.files.isEmpty && snapshot.provenance.broken.isEmpty
        }
        return last[.files] == snapshot.provenance.files && last[.brokenFiles] == snapshot.provenance.broken
    }

    private func apply(_ snapshot: PolicySnapshot) async {
        problems.setPolicy(snapshot)
        for (path, reason) in snapshot.provenance.broken {
            logger.error("a policy file cannot be used", metadata: ["path": "\(path)", "reason": "\(reason)"])
        }
        do {
            try await gate.apply(snapshot.policy, source: snapshot.provenance)
        } catch {
            logger.error("a policy is in force but could not be recorded", metadata: ["error": "\(error)"])
        }
    }
}

/// Records expired grants every hour. They end at their time; this only keeps the log current.
struct ExpiryService: Service {
    let gate: Gate
    let log: ConsentLog

    func run() async throws {
        let hours = AsyncStream<Void> { (try? await Task.sleep(for: .seconds(3600))).map { _ in } }
        for await _ in hours.cancelOnGracefulShutdown() {
            await gate.expireGrants()
            await log.recordCountedRefusals()
        }
    }
}
