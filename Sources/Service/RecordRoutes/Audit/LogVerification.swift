import Authorization
import Base
import Consent
import Logging
import SocketAPI

/// Reads the whole log after a start, while the service answers already. The gate lets permissions wait for it.
package final class LogVerification: Sendable {
    package typealias Reading =
        @Sendable () async throws -> (
            VerificationReport, openSessions: [String], decisions: [Decision]
        )

    private let log: ConsentLog
    private let verify: Reading
    private let result = Latch<HealthReply.LogState>()

    /// - Parameter verify: default: reads the log.
    package init(log: ConsentLog, verify: Reading? = nil) {
        self.log = log
        self.verify = verify ?? { try await log.verifyAtStart() }
    }

    package var state: HealthReply.LogState { result.reason ?? .verifying }

    /// Records that are read in less time than a start takes.
    package static let smallLog: UInt64 = 50_000

    /// Returns when the log was read, or after this time; at once for a large log, which would only delay the service.
    package func settles(within limit: Duration, upTo records: UInt64 = smallLog) async {
        guard await log.head.size <= records else { return }
        _ = await result.value(within: limit)
    }

    /// Call it once. An altered log may have a forged grant; it is still served, so that it can be inspected.
    ///
    /// - Parameter report: gets what is wrong with the log.
    package func run(gate: Gate, logger: Logger, reportingTo report: @Sendable (String) -> Void) async {
        do {
            let (reading, sessions, decisions) = try await verify()
            // Sessions of a killed service have ended; recorded before a session can begin. In an altered log it is not known
            // which.
            if reading.problem == nil, !sessions.isEmpty {
                do {
                    try await log.record(.recovered(sessions: sessions), changing: nil)
                } catch {
                    // The next start finds them again.
                    logger.error("the ended sessions could not be recorded", metadata: ["error": "\(error)"])
                }
            }
            await settle(reading.problem?.message, decisions, gate, logger, report)
        } catch is CancellationError {
            // The service ends.
        } catch {
            await settle("It cannot be verified: \(error)", [], gate, logger, report)
        }
    }

    private func settle(
        _ problem: String?, _ decisions: [Decision], _ gate: Gate, _ logger: Logger,
        _ report: @Sendable (String) -> Void
    ) async {
        if let problem {
            report(problem)
            logger.critical(
                "the consent log does not verify; every permission must be given again",
                metadata: ["problem": "\(problem)"])
        }
        await gate.ledgerWasVerified(problem == nil ? decisions : nil)
        result.set(problem == nil ? .intact : .altered)
    }
}
