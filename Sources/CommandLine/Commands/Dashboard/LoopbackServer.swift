import Foundation
import LinuxSystem
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// HTTP/1.1 on 127.0.0.1 for one person's browser: one request a connection. On NIO alone, which the client library links
/// already; Hummingbird would add a quarter to the program's size.
struct LoopbackServer: Sendable {
    struct Request: Sendable {
        let method: HTTPMethod
        let path: String
        /// Of the address; the last of those with the same name.
        let query: [String: String]
        let headers: HTTPHeaders
        /// `nil`: longer than `longestBody`.
        let body: String?
        /// This server's.
        let port: Int
        /// The user at the other end, as the kernel knows; `nil` if unknown.
        let user: UInt32?
    }

    struct Response: Sendable {
        enum Body: Sendable {
            case bytes([UInt8])
            /// A server-sent event for each element.
            case events(AsyncThrowingStream<Void, any Error>)
        }

        var status: HTTPResponseStatus
        var headers: [(String, String)]
        var body = Body.bytes([])
        /// Called when it was sent, or its connection has ended.
        var onEnd: @Sendable () -> Void = {}
    }

    /// Connections of this process's user at the same time; others are closed.
    private static let mostConnections = 64
    /// Of all other users together, who are only refused: they must not take the places of this one.
    private static let mostOfOthers = 8
    private static let longestBody = 8_192
    /// How long a request may take to arrive.
    private static let patience = TimeAmount.seconds(20)

    typealias Answer = @Sendable (Request) async -> Response
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// The open connections.
    private final class Connections: Sendable {
        private let channels = Mutex<[ObjectIdentifier: (channel: any Channel, isOwn: Bool)]>([:])

        /// - Parameter user: at its other end.
        /// - Returns: whether there is room for it.
        func add(_ channel: any Channel, of user: UInt32?) -> Bool {
            let isOwn = user == getuid()
            let hasRoom = channels.withLock { channels in
                let present = channels.values.count { $0.isOwn == isOwn }
                guard present < (isOwn ? mostConnections : mostOfOthers) else { return false }
                channels[ObjectIdentifier(channel)] = (channel, isOwn)
                return true
            }
            channel.closeFuture.whenComplete { _ in
                self.channels.withLock { $0[ObjectIdentifier(channel)] = nil }
            }
            return hasRoom
        }

        func closeAll() { for open in channels.withLock({ $0.values }) { open.channel.close(promise: nil) } }
    }

    private let listener: NIOAsyncChannel<Void, Never>
    private let connections: Connections
    let port: Int

    /// Listens; `run` must follow.
    ///
    /// - Parameter port: 0: any.
    /// - Throws: `IOError` if the port is in use.
    init(port: Int, _ answer: @escaping Answer) async throws {
        let connections = Connections()
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let user = Self.user(of: channel)
                    guard connections.add(channel, of: user) else { return channel.close(promise: nil) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    // From here, and not from the listener's stream, whose last elements are not read at its end: a
                    // connection that is not served crashes NIO.
                    Task { try? await Self.serve(connection, of: user, answer) }
                }
            }
        self.connections = connections
        self.port = listener.channel.localAddress?.port ?? port
    }

    /// Serves until the task is cancelled.
    func run() async throws {
        defer { connections.closeAll() }
        try await listener.executeThenClose { accepted in for try await _ in accepted {} }
    }

    private static func serve(_ connection: Connection, of user: UInt32?, _ answer: Answer) async throws {
        let channel = connection.channel
        let overdue = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        defer { overdue.cancel() }
        try await connection.executeThenClose { parts, output in
            guard let request = try await read(parts, channel, of: user) else { return }
            overdue.cancel()
            let response = await answer(request)
            defer { response.onEnd() }
            var headers = HTTPHeaders(response.headers + [("Connection", "close")])
            if case .bytes(let bytes) = response.body { headers.add(name: "Content-Length", value: "\(bytes.count)") }
            try await output.write(
                .head(HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)))
            switch response.body {
            case .bytes(let bytes): try await output.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
            case .events(let events):
                let sending = Task {
                    for try await _ in events {
                        try await output.write(.body(.byteBuffer(ByteBuffer(string: "data: change\n\n"))))
                    }
                }
                // A browser that leaves is noticed at once, and not with the next event.
                channel.closeFuture.whenComplete { _ in sending.cancel() }
                try await sending.value
            }
            try await output.write(.end(nil))
        }
    }

    /// - Returns: `nil` if the connection has ended.
    private static func user(of channel: any Channel) -> UInt32? {
        // Another address of this machine may have the same port.
        guard let peer = channel.remoteAddress, peer.ipAddress == "127.0.0.1", let port = peer.port,
            let own = channel.localAddress?.port
        else { return nil }
        return LoopbackPeer.user(atPort: port, connectedTo: own)
    }

    /// - Returns: `nil` if the connection ends before the request does.
    private static func read(
        _ parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ channel: any Channel, of user: UInt32?
    ) async throws -> Request? {
        var head: HTTPRequestHead?
        var body = ByteBuffer()
        for try await part in parts {
            switch part {
            case .head(let sent): head = sent
            case .body(var bytes): if body.readableBytes <= longestBody { body.writeBuffer(&bytes) }
            case .end:
                guard let head, let address = URLComponents(string: head.uri), let port = channel.localAddress?.port
                else { return nil }
                let query = (address.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                return Request(
                    method: head.method, path: address.path, query: Dictionary(query) { $1 }, headers: head.headers,
                    body: body.readableBytes > longestBody ? nil : String(buffer: body), port: port, user: user)
            }
        }
        return nil
    }
}
