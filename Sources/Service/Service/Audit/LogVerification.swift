import Authorization
import Consent
import Logging
import SocketAPI

/// Reads the whole log after a start, while the service answers already. The gate lets permissions wait for it.
final class LogVerification: Sendable {
    private let log: ConsentLog
    /// Of the log's file.
    private let path: String
    private let result = Latch<HealthReply.LogState>()

    init(log: ConsentLog, path: String) {
        self.log = log
        self.path = path
    }

    var state: HealthReply.LogState { result.reason ?? .verifying }

    /// Returns when the log was read, or after this time.
    func settles(within limit: Duration) async {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let registration = result.onSet { _ in continuation.finish() }
        let timer = Task {
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        for await _ in end {}
        timer.cancel()
        registration.cancel()
    }

    /// Call it once. An altered log may have a forged grant; it is still served, so that it can be inspected.
    func run(gate: Gate, problems: ProblemBoard, logger: Logger) async {
        do {
            let (report, sessions) = try await log.verifyAndFindOpenSessions()
            // Sessions of a killed service have ended; recorded before a session can begin. In an altered log it is not known
            // which.
            if report.problem == nil, !sessions.isEmpty {
                do {
                    try await log.record(.recovered(Recovery(reason: .restarted, sessions: sessions)), changing: nil)
                } catch {
                    // The next start finds them again.
                    logger.error("the ended sessions could not be recorded", metadata: ["error": "\(error)"])
                }
            }
            await settle(report.problem?.message, gate, problems, logger)
        } catch is CancellationError {
            // The service ends.
        } catch {
            await settle("It cannot be verified: \(error)", gate, problems, logger)
        }
    }

    private func settle(_ problem: String?, _ gate: Gate, _ problems: ProblemBoard, _ logger: Logger) async {
        if let problem {
            problems.setLogProblem(problem, path: path)
            logger.critical(
                "the consent log does not verify; every permission must be given again",
                metadata: ["problem": "\(problem)"])
        }
        await gate.ledgerWasVerified(isIntact: problem == nil)
        result.set(problem == nil ? .intact : .altered)
    }
}
