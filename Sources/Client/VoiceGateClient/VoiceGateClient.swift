import Authorization
import Foundation
import NIOHTTP1
import SocketAPI

/// Calls VoiceGate's service. Each request has a connection of its own.
///
/// The kernel identifies the connecting process to the service, so the user is asked about the program that uses this
/// library, which needs an Info.plist of its own. All methods throw `ClientError`.
public struct VoiceGateClient: Sendable {
    public let socketPath: String
    /// The language of the service's messages, and of prompts that this process shows.
    public let language: Language

    /// - Parameters:
    ///   - socketPath: where the service listens; default: this user's socket.
    ///   - language: default: that of this process's locale.
    public init(
        socketPath: String = ServicePaths().socket,
        language: Language = Language(environment: ProcessInfo.processInfo.environment)
    ) {
        self.socketPath = socketPath
        self.language = language
    }

    public func health() async throws -> HealthReply { try await answer(.GET, "/v1/health") }

    /// The capture devices; those that cannot be used have the reason.
    public func devices() async throws -> DevicesReply { try await answer(.GET, "/v1/devices") }

    /// One device, with the reason if it cannot be used. It is not opened.
    ///
    /// - Parameter name: `nil`: the one that the service uses by default.
    public func device(named name: String?) async throws -> DevicesReply {
        try await answer(.GET, "/v1/devices", query: ["device": name ?? ""])
    }

    /// What listens now, and what listened until a moment ago.
    public func indicator() async throws -> IndicatorReply { try await answer(.GET, "/v1/indicator") }

    /// What listens now, and again after each change. A slow reader gets the newest state only.
    public func indicatorChanges() async throws -> EventStream<IndicatorReply> {
        try await stream(.GET, "/v1/indicator/changes")
    }

    /// Parameters of a request; those without a value are left out.
    typealias Query = [String: String?]

    func answer<Reply: Decodable>(
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
    func text(_ path: String) async throws -> String {
        guard let text = String(validating: try await exchange(.GET, path).collect(), as: UTF8.self) else {
            throw ClientError.violation("it is no text")
        }
        return text
    }

    func perform(
        _ method: HTTPMethod, _ path: String, query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws {
        _ = try await exchange(method, path, query, body).collect()
    }

    func stream<Element>(
        _ method: HTTPMethod, _ path: String, query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws -> EventStream<Element> {
        EventStream(body: try await exchange(method, path, query, body).body)
    }

    /// Sends a request, and waits for the head of its answer.
    func exchange(
        _ method: HTTPMethod, _ path: String, _ query: Query = [:], _ body: (any Encodable)? = nil
    ) async throws -> Exchange {
        let bytes = try body.map { try JSONCoding.encoder().encode($0) }
        let exchange = try await Exchange(socketPath: socketPath)
        let fields = bytes.map { [("Content-Type", "application/json"), ("Content-Length", "\($0.count)")] }
        exchange.send(head(method, uri(path, query), fields ?? []), bytes)
        _ = try await exchange.response()
        return exchange
    }

    /// - Parameter fields: besides those that every request has.
    func head(_ method: HTTPMethod, _ uri: String, _ fields: [(String, String)] = []) -> HTTPRequestHead {
        let common = [("Host", "voicegate"), ("Connection", "close"), ("Accept-Language", language.rawValue)]
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: HTTPHeaders(common + fields))
    }

    /// Escapes text for one part of a path, or for a value of a query.
    func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    /// A path with those parameters that have a value.
    func uri(_ path: String, _ query: Query) -> String {
        let query = query.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { "\(name)=\(escaped($0))" }
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// Sends a body as the service takes it, and reads the events of the answer, which may come before the whole body is sent.
    ///
    /// - Parameter fields: besides those that every request has.
    func upload<Body: AsyncSequence & Sendable, Element>(
        _ body: Body, to uri: String, _ fields: [(String, String)]
    ) async throws -> EventStream<Element> where Body.Element == [UInt8] {
        let exchange = try await Exchange(socketPath: socketPath)
        let head = head(.POST, uri, fields + [("Transfer-Encoding", "chunked")])
        // Ends with the connection.
        let sending = Task { [channel = exchange.channel] in await Exchange.send(head, streaming: body, over: channel) }
        do {
            _ = try await exchange.response()
        } catch {
            sending.cancel()
            throw error
        }
        return EventStream(body: exchange.body)
    }

    /// RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
