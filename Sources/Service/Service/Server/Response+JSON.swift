import Foundation
import Hummingbird
import SocketAPI

extension Response {
    init(status: HTTPResponse.Status = .ok, json value: some Encodable) throws {
        let data = try JSONCoding.encoder().encode(value)
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data + [UInt8(ascii: "\n")])))
    }

    /// A stream of JSON values, one a line, each written as soon as it comes.
    ///
    /// - Parameters:
    ///   - first: a value that was taken from the lines already.
    ///   - ended: runs when the last line was written or the client has gone.
    init<Lines: AsyncSequence & Sendable>(
        first: Lines.Element? = nil, lines: Lines, ended: @escaping @Sendable () async -> Void = {}
    ) where Lines.Element: Encodable & Sendable {
        self.init(
            status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let encoder = JSONCoding.encoder()
                do {
                    if let first { try await writer.write(try Self.line(first, encoder)) }
                    for try await line in lines { try await writer.write(try Self.line(line, encoder)) }
                } catch {
                    await ended()
                    throw error
                }
                await ended()
                try await writer.finish(nil)
            })
    }

    private static func line(_ value: some Encodable, _ encoder: JSONEncoder) throws -> ByteBuffer {
        ByteBuffer(bytes: try encoder.encode(value) + [UInt8(ascii: "\n")])
    }
}
