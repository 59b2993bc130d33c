import Logging
import Retention
import ServiceLifecycle

/// Erases items whose time is over.
package struct RetentionService: Service {
    /// A timer does not count the time that the machine sleeps, so that ends are looked for at least so often while
    /// something has one.
    private static let longestWait: Int64 = 60_000

    private let items: ItemStore
    private let logger: Logger

    package init(items: ItemStore, logger: Logger) { (self.items, self.logger) = (items, logger) }

    package func run() async throws {
        // At the start too: if the recovery failed, no change is reported.
        var timer = await eraseAndWait()
        for await _ in items.changes.cancelOnGracefulShutdown() {
            timer?.cancel()
            timer = await eraseAndWait()
        }
        timer?.cancel()
        // Items that end here are recorded, so that a clock that is set back while no service runs is not believed.
        _ = await erase()
    }

    private func eraseAndWait() async -> Task<Void, Never>? {
        await erase().map { wait in
            Task {
                try? await Task.sleep(for: .milliseconds(wait))
                if !Task.isCancelled { items.wake() }
            }
        }
    }

    /// - Returns: milliseconds until there may be something to erase again.
    private func erase() async -> Int64? {
        do {
            try await items.sweep()
            return try await items.nextEnd().map { min(max($0, 1), Self.longestWait) }
        } catch {
            logger.error(
                "items whose time is over could not be erased; the service will try again",
                metadata: ["reason": "\(error)"])
            return Self.longestWait
        }
    }
}
