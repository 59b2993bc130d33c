import Foundation
import Hummingbird
import NIOCore
import SocketAPI

extension Request {
    /// Bytes of a JSON body that are read at the most.
    static let longestJSON = 64 * 1024
    /// The same where the person's own writing comes along, escaped.
    static let longestWithWords = 1_048_576

    /// The body as JSON; no body at all means `{}`, so that `curl -X POST` works where every field may be absent.
    func json<Value: Decodable>(_ type: Value.Type, limit: Int = longestJSON) async throws -> Value {
        let buffer: ByteBuffer
        do {
            buffer = try await Patience.reading { [body] in try await body.collect(upTo: limit) }
        } catch is NIOTooManyBytesError {
            throw RouteError(.tooLarge, "The body may have at most \(limit) bytes.")
        }
        let data = buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer: buffer)
        do {
            return try JSONCoding.decoder().decode(type, from: data)
        } catch {
            throw RouteError(.badRequest, "The body is not the JSON that this call takes: \(Self.reason(error)).")
        }
    }

    /// Whether a word of the query is `true`; absent means `false`.
    ///
    /// - Throws: `RouteError` with `invalidValue` for another word.
    func isSet(_ name: String) throws -> Bool {
        let words = uri.queryParameters[values: Substring(name)]
        guard let word = words.first else { return false }
        guard words.count == 1, word == "true" || word == "false" else {
            throw RouteError(.invalidValue, "\(name) is true or false, once.")
        }
        return word == "true"
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it cannot be read" }
        switch error {
        case .keyNotFound(let key, _): return "“\(key.stringValue)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "it is no such JSON object" : "“\(path)” has no value that is known"
        @unknown default: return "it cannot be read"
        }
    }
}
