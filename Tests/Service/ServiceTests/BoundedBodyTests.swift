import Hummingbird
import NIOCore
import Testing

@testable import Service

@Suite("A sound file's way in")
struct BoundedBodyTests {
    private func body(_ sizes: [Int], limit: Int) -> BoundedBody {
        let pieces = AsyncStream<ByteBuffer> { continuation in
            for size in sizes { continuation.yield(ByteBuffer(repeating: 7, count: size)) }
            continuation.finish()
        }
        return BoundedBody(body: RequestBody(asyncSequence: pieces), limit: limit)
    }

    @Test("up to the bound it passes, piece by piece")
    func fits() async throws {
        var sizes: [Int] = []
        for try await piece in body([4, 0, 6], limit: 10) { sizes.append(piece.count) }
        #expect(sizes == [4, 0, 6])
    }

    @Test("the piece that goes beyond it is refused, and nothing of it passes")
    func tooLarge() async throws {
        var passed = 0
        let error = await #expect(throws: RouteError.self) {
            for try await piece in body([4, 7, 1], limit: 10) { passed += piece.count }
        }
        #expect(error?.code == .tooLarge)
        #expect(passed == 4)
    }
}
