import Testing

@testable import Service

@Suite("The timeout of a request's body", .timeLimit(.minutes(1)))
struct BodyTimeoutTests {
    @Test("a request that does not arrive in time is an error, and reading it is cancelled")
    func slow() async throws {
        let (pieces, continuation) = AsyncStream.makeStream(of: Int.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        continuation.yield(1)
        await #expect(throws: RouteError.self) {
            try await BodyTimeout.reading(within: .milliseconds(20)) {
                for await _ in pieces {}
                end.yield(Task.isCancelled)
            }
        }
        #expect(await ends.first { _ in true } == true)
    }

    @Test("a request that arrives in time is accepted at once")
    func quick() async throws {
        #expect(try await BodyTimeout.reading(within: .seconds(3_600)) { 7 } == 7)
    }
}
