import Hummingbird
import NIOCore

/// A request's body in pieces, up to a bound.
struct BoundedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let limit: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        var left: Int
        let limit: Int

        mutating func next() async throws -> [UInt8]? {
            guard let buffer = try await body.next() else { return nil }
            left -= buffer.readableBytes
            guard left >= 0 else {
                throw RouteError(.tooLarge, "A sound file may have at most \(limit >> 30) GB; send it in parts.")
            }
            return Array(buffer: buffer)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), left: limit, limit: limit)
    }
}
