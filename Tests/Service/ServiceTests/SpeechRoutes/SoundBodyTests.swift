import Hummingbird
import NIOCore
import Testing

@testable import Server
@testable import SpeechRoutes

@Suite("The body with a sound file")
struct SoundBodyTests {
    private func body(_ sizes: [Int], limit: Int) -> SoundBody {
        let pieces = AsyncStream<ByteBuffer> { continuation in
            for size in sizes { continuation.yield(ByteBuffer(repeating: 7, count: size)) }
            continuation.finish()
        }
        return SoundBody(RequestBody(asyncSequence: pieces), limit: limit)
    }

    @Test("a body within the bound is returned piece by piece")
    func fits() async throws {
        var sizes: [Int] = []
        for try await piece in body([4, 0, 6], limit: 10) { sizes.append(piece.count) }
        #expect(sizes == [4, 0, 6])
    }

    @Test("the piece that exceeds the bound is refused, and nothing of it is returned")
    func tooLarge() async throws {
        var passed = 0
        let error = await #expect(throws: RouteError.self) {
            for try await piece in body([4, 7, 1], limit: 10) { passed += piece.count }
        }
        #expect(error?.code == .tooLarge)
        #expect(passed == 4)
    }
}
