import Foundation
import NIOHTTP1
import VoiceGateWire

/// Where the service listens, and the requests of the socket API. Each request has its own connection.
package protocol ServiceConnection: Sendable {
    var socketPath: String { get }
    /// The language of the service's messages, as `Accept-Language` names it.
    var languageTag: String { get }
}

extension ServiceConnection {
    /// Parameters of a request; those without a value are left out.
    package typealias Query = [String: String?]

    package func answer<Reply: Decodable>(
        _ method: HTTPMethod, _ path: String, query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws -> Reply {
        let bytes = try await exchange(method, path, query, body).collect()
        do {
            return try JSONCoding.decoder().decode(Reply.self, from: bytes)
        } catch {
            throw ClientError.violation("it is not \(Reply.self)")
        }
    }

    /// An answer that is text.
    package func text(_ path: String) async throws -> String {
        guard let text = String(validating: try await exchange(.GET, path).collect(), as: UTF8.self) else {
            throw ClientError.violation("it is not text")
        }
        return text
    }

    package func perform(
        _ method: HTTPMethod, _ path: String, query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws {
        _ = try await exchange(method, path, query, body).collect()
    }

    package func stream<Element>(
        _ method: HTTPMethod, _ path: String, query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws -> EventStream<Element> {
        EventStream(body: try await exchange(method, path, query, body).body)
    }

    /// Sends a request, and waits for the head of its answer.
    package func exchange(
        _ method: HTTPMethod, _ path: String, _ query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws -> Exchange {
        let bytes = try body.map { try JSONCoding.encoder().encode($0) }
        let exchange = try await Exchange(socketPath: socketPath)
        let fields = bytes.map { [("Content-Type", "application/json"), ("Content-Length", "\($0.count)")] }
        exchange.send(head(method, uri(path, query), fields ?? []), bytes)
        _ = try await exchange.response()
        return exchange
    }

    /// Sends a body as the service takes it, and reads the events of the answer, which may come before the whole body is sent.
    ///
    /// - Parameters:
    ///   - body: read as the service takes it.
    ///   - uri: with its query.
    ///   - fields: of the head, besides those that every request has.
    package func upload<Body: AsyncSequence & Sendable, Element>(
        _ body: Body, to uri: String, _ fields: [(String, String)]
    ) async throws -> EventStream<Element> where Body.Element == [UInt8] {
        let exchange = try await Exchange(socketPath: socketPath)
        let head = head(.POST, uri, fields + [("Transfer-Encoding", "chunked")])
        let sending = Task { [channel = exchange.channel] in await Exchange.send(head, streaming: body, over: channel) }
        // Also while it waits for the body.
        exchange.channel.closeFuture.whenComplete { _ in sending.cancel() }
        do {
            _ = try await exchange.response()
        } catch {
            sending.cancel()
            throw error
        }
        return EventStream(body: exchange.body)
    }

    /// Escapes text for one part of a path, or for a value of a query.
    package func escaped(_ text: String) -> String {
        // RFC 3986, section 2.3.
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// A path with those parameters that have a value.
    package func uri(_ path: String, _ query: Query) -> String {
        let query = query.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { "\(name)=\(escaped($0))" }
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// - Parameter fields: besides those that every request has.
    private func head(_ method: HTTPMethod, _ uri: String, _ fields: [(String, String)]) -> HTTPRequestHead {
        let common = [("Host", "voicegate"), ("Connection", "close"), ("Accept-Language", languageTag)]
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: HTTPHeaders(common + fields))
    }
}
