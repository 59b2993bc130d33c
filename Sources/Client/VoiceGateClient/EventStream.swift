import Foundation
import NIOCore
import SocketAPI

/// Values that the service sends one a line, in order. Can be iterated once.
///
/// Dropping the stream or its iterator, or cancelling the task that reads it, closes the connection. Iterating throws
/// `ClientError` when the service goes away or sends what cannot be understood.
public struct EventStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    /// Bytes of the longest line that is taken.
    public static var lineLimit: Int { 4 << 20 }

    let body: ResponseHandler.Body

    public func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator(), lines: LineSplitter(limit: Self.lineLimit))
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let body: ResponseHandler.Body.AsyncIterator
        private var lines: LineSplitter
        private var isOver = false
        private let decoder = JSONCoding.decoder()

        init(body: ResponseHandler.Body.AsyncIterator, lines: LineSplitter) {
            self.body = body
            self.lines = lines
        }

        public mutating func next() async throws -> Element? {
            while !isOver {
                if let line = try lines.next() {
                    // An empty line only keeps the connection alive.
                    if let value = try decode(line) { return value }
                } else if let bytes = try await body.next() {
                    lines.append(bytes.readableBytesView)
                } else {
                    isOver = true
                    try Task.checkCancellation()
                    return try decode(lines.rest)
                }
            }
            return nil
        }

        private func decode(_ line: ArraySlice<UInt8>) throws -> Element? {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { return nil }
            do {
                return try decoder.decode(Element.self, from: Data(line))
            } catch {
                throw ClientError.violation("a line is not \(Element.self)")
            }
        }
    }
}
