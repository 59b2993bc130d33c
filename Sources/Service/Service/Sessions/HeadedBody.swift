import Foundation
import NIOCore
import SocketAPI

/// A request's body whose first line is JSON. What follows can be read once.
final class HeadedBody: AsyncSequence, @unchecked Sendable {
    // Safe: handed from the one who reads the line to the one who reads the rest, and never used by two at a time.
    private var iterator: BoundedBody.AsyncIterator
    private var rest: [UInt8] = []

    init(_ body: BoundedBody) {
        iterator = body.makeAsyncIterator()
    }

    /// The first line; to be called once, before anything else is read.
    func head<Value: Decodable>(_ type: Value.Type, limit: Int) async throws -> Value {
        var line: [UInt8] = []
        while let piece = try await read() {
            let end = piece.firstIndex(of: UInt8(ascii: "\n"))
            line += piece[..<(end ?? piece.endIndex)]
            guard line.count <= limit else {
                throw RouteError(.tooLarge, "The line before the sound may have at most \(limit) bytes.")
            }
            if let end {
                rest = Array(piece[(end + 1)...])
                do {
                    return try JSONCoding.decoder().decode(type, from: Data(line))
                } catch {
                    throw RouteError(.badRequest, "The line before the sound is not the JSON that this call takes.")
                }
            }
        }
        throw RouteError(.badRequest, "The body has no line of JSON before the sound.")
    }

    private func read() async throws -> [UInt8]? {
        var reading = iterator
        defer { iterator = reading }
        return try await reading.next()
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        let body: HeadedBody

        func next() async throws -> [UInt8]? {
            guard body.rest.isEmpty else {
                defer { body.rest = [] }
                return body.rest
            }
            return try await body.read()
        }
    }
}
