/// How a follower waits before it connects again.
struct Reconnection: Sendable {
    var first: Duration = .milliseconds(100)
    var longest: Duration = .seconds(10)
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func delay(afterFailures count: Int) -> Duration {
        min(longest, first * (1 << min(count, 10)))
    }
}
