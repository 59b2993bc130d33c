import Logging
import Retention
import ServiceLifecycle

/// Erases what has come to its end.
struct RetentionService: Service {
    /// A timer does not count the time that the machine sleeps, so that ends are looked for at least so often while
    /// something has one.
    private static let longestWait: Int64 = 60_000

    let items: ItemStore
    let logger: Logger

    func run() async throws {
        // Nothing tells of changes where making up for what happened before failed.
        var timer = await eraseAndWait()
        for await _ in items.changes.cancelOnGracefulShutdown() {
            timer?.cancel()
            timer = await eraseAndWait()
        }
        timer?.cancel()
        // What ends here is noted, so that a clock that is set back while no service runs is not believed.
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
            try await items.eraseDue()
            return try await items.nextEnd().map { min(max($0, 1), Self.longestWait) }
        } catch {
            logger.error(
                "what has come to its end could not be erased; it is tried again", metadata: ["reason": "\(error)"])
            return Self.longestWait
        }
    }
}
