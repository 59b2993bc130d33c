import Authorization
import Consent
import Logging
import PolicyFiles
import ServiceLifecycle

/// Puts each change of the administrator's policy in force.
struct PolicyService: Service {
    let snapshots: AsyncStream<PolicySnapshot>
    /// What the gate was made with.
    let initial: PolicySnapshot
    let log: ConsentLog
    let gate: Gate
    let problems: ProblemBoard
    let logger: Logger

    /// Writes down what came or went while no service ran; before the first request is served.
    func begin() async {
        problems.setPolicyProblems(initial.provenance.broken)
        if await !isRecorded(initial) { await apply(initial) }
    }

    func run() async throws {
        var inForce = initial
        for await snapshot in snapshots.cancelOnGracefulShutdown() where snapshot != inForce {
            await apply(snapshot)
            inForce = snapshot
        }
    }

    /// Whether the log's last word about policies is this one.
    private func isRecorded(_ snapshot: PolicySnapshot) async -> Bool {
        guard let last = try? await log.lastRecord(of: .policyChanged) else {
            return snapshot.provenance.files.isEmpty && snapshot.provenance.broken.isEmpty
        }
        return last.fields["files"] == .object(snapshot.provenance.files.mapValues(JSONValue.string))
            && last.fields["brokenFiles"] == .object(snapshot.provenance.broken.mapValues(JSONValue.string))
    }

    private func apply(_ snapshot: PolicySnapshot) async {
        problems.setPolicyProblems(snapshot.provenance.broken)
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
