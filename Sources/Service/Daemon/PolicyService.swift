import Authorization
import Logging
import PolicyFiles
import ServiceLifecycle

/// Puts each change of the administrator's policy in force.
struct PolicyService: Service {
    let snapshots: AsyncStream<PolicySnapshot>
    let gate: Gate
    let problems: ProblemBoard
    let logger: Logger

    func run() async throws {
        for await snapshot in snapshots.cancelOnGracefulShutdown() {
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
}
