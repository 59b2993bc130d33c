import Consent
import Foundation
import Logging
import ServiceLifecycle

/// Signs a checkpoint from time to time and at the end, so that a log that is put back to an earlier state is noticed.
struct CheckpointService: Service {
    private static let pause = Duration.seconds(60)

    let log: ConsentLog
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await sign()
                try await Task.sleep(for: Self.pause)
            }
        }
        await sign()
    }

    /// The log goes on when it cannot be signed: what was promised stays as it was.
    private func sign() async {
        do {
            _ = try await log.signedCheckpoint()
        } catch {
            logger.error("the consent log could not be signed", metadata: ["reason": "\(error)"])
        }
    }
}
