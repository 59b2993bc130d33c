import Authorization
import Base
import Foundation
import Hummingbird
import NIOCore
import SocketAPI

extension Request {
    /// The most bytes of a JSON body.
    package static let longestJSON = 64 * 1024
    /// The same for a body that has the user's own writing, escaped.
    package static let longestWithWords = 1_048_576

    /// The body as JSON; an empty body means `{}`, so that `curl -X POST` works if every field may be absent.
    package func json<Value: Decodable>(_ type: Value.Type, limit: Int = longestJSON) async throws -> Value {
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw RouteError(.tooLarge, "The body may have at most \(limit) bytes.")
        }
        let data = buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer: buffer)
        return try Self.json(type, data)
    }

    /// A value as JSON.
    ///
    /// - Throws: `RouteError`: 422 `invalidValue` for an unknown word and for what is out of range, else 400 `badRequest`.
    package static func json<Value: Decodable>(_ type: Value.Type, _ data: Data) throws(RouteError) -> Value {
        do {
            return try JSONCoding.decoder().decode(type, from: data)
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            let known = (context.underlyingError as? UnknownWord)?.known.joined(separator: ", ")
            throw RouteError(
                .invalidValue,
                "“\(Self.path(context))” " + (known.map { "must be one of \($0)." } ?? "has no value that is known."))
        } catch {
            throw RouteError(.badRequest, "The body is not the JSON that this call takes: \(Self.reason(error)).")
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    package func text(_ name: String) -> String? { uri.queryParameters[Substring(name)].map(String.init) }

    /// A parameter of the query; `nil` if it is absent.
    ///
    /// - Parameter meaning: the message for a value that cannot be parsed.
    package func parameter<Value>(
        _ name: String, _ meaning: String, _ parse: (String) -> Value?
    ) throws(RouteError) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = parse(text) else { throw RouteError(.invalidValue, meaning) }
        return value
    }

    package func client() throws(RouteError) -> ClientIdentifier? {
        try parameter("client", "client is a bundle identifier, such as org.example.Editor.") {
            ClientIdentifier(rawValue: $0)
        }
    }

    package func user() throws(RouteError) -> UInt32? {
        try parameter("user", "user is a user's number.") { UInt32($0) }
    }

    /// A number within 63 bits, which every language has.
    package func number(_ name: String) throws(RouteError) -> UInt64? {
        try parameter(name, "\(name) is a whole number.") { Int64($0).flatMap(UInt64.init(exactly:)) }
    }

    package func time(_ name: String) throws(RouteError) -> Date? {
        try parameter(name, "\(name) is a time in ISO 8601, such as 2026-11-21T10:00:00Z.") { JSONCoding.date($0) }
    }

    /// Whether a parameter of the query is `true`; absent means `false`.
    package func isSet(_ name: String) throws -> Bool {
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
            let path = path(context)
            return path.isEmpty ? "it is not such a JSON object" : "“\(path)” is of another type"
        @unknown default: return "it cannot be read"
        }
    }
}

extension Response {
    package init(status: HTTPResponse.Status = .ok, json value: some Encodable) throws {
        self.init(status: status, bytes: try Self.line(value, JSONCoding.encoder()), type: "application/json")
    }

    package init(status: HTTPResponse.Status = .ok, bytes: ByteBuffer, type: String) {
        self.init(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: bytes))
    }

    /// A stream of JSON values, one a line, each written at once.
    ///
    /// - Parameters:
    ///   - first: a value that was taken from the lines already.
    ///   - ended: runs after the last line, or when the client is gone.
    package init<Lines: AsyncSequence & Sendable>(
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

    static func line(_ value: some Encodable, _ encoder: JSONEncoder) throws -> ByteBuffer {
        ByteBuffer(bytes: try encoder.encode(value) + [UInt8(ascii: "\n")])
    }
}

extension HTTPFields.Element.Name {
    /// The size of the log that the entries are of.
    package static let checkpointSize = known("voicegate-checkpoint-size")
    /// A `RecordSpan`.
    package static let recordSpan = known(RecordSpan.fieldName)
    /// Why the rest of a sound file is missing from its text.
    package static let incomplete = known("voicegate-incomplete")
    /// OpenAI's clients use it before the status.
    package static let shouldRetry = known("x-should-retry")

    private static func known(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("no name of a field") }
        return name
    }
}
