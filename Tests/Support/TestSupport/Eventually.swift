/// Waits until a condition holds that sends no event, and checks it every 5 ms. A suite's time limit ends it.
public func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
