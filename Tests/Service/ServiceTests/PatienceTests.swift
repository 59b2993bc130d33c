import Testing

@testable import Service

@Suite("Whoever sends too slowly is not waited for", .timeLimit(.minutes(1)))
struct PatienceTests {
    @Test("a request that does not come to its end is an error, and its reading ends")
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

    @Test("one that does is taken at once")
    func quick() async throws {
        #expect(try await BodyTimeout.reading(within: .seconds(3_600)) { 7 } == 7)
    }
}
