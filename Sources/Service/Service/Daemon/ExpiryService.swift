import Authorization
import ServiceLifecycle

/// Writes down each hour which yeses have ended by themselves. They end at their time; this only keeps the log current.
struct ExpiryService: Service {
    let gate: Gate

    func run() async throws {
        let hours = AsyncStream<Void> { (try? await Task.sleep(for: .seconds(3600))).map { _ in } }
        for await _ in hours.cancelOnGracefulShutdown() { await gate.expireGrants() }
    }
}
