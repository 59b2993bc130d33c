import Authorization
import Logging
import PolicyFiles
import ServiceLifecycle

/// Puts each change of the administrator's policy in force.
struct PolicyService: Service {
    let snapshots: AsyncStream<PolicySnapshot>
    /// What the gate was made with.
    let initial: PolicySnapshot
    let gate: Gate
    let problems: ProblemBoard
    let logger: Logger

    func run() async throws {
        var inForce = PolicySnapshot(policy: Policy(), provenance: PolicyProvenance(files: [:], broken: [:]))
        if initial != inForce {
            await apply(initial)
            inForce = initial
        }
        for await snapshot in snapshots.cancelOnGracefulShutdown() where snapshot != inForce {
            await apply(snapshot)
            inForce = snapshot
        }
    }

    private func apply(_ snapshot: PolicySnapshot) async {
        await problems.setPolicyProblems(snapshot.provenance.broken)
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
