import Glibc
import Hummingbird
import HummingbirdCore
import LinuxSystem
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix
import ServiceLifecycle

/// Serves HTTP on the listening socket. The process of each connection is identified before the first answer, and its
/// requests are cancelled when it closes.
struct SocketServer: Service {
    let socket: ListeningSocket
    let responder: any HTTPResponder<ServiceContext>
    let admission: Admission
    let timeouts: ConnectionLimits.Timeouts
    let onListening: @Sendable () -> Void
    /// Ends the sessions; runs when the service stops, before the connections are closed.
    let onStopping: @Sendable () async -> Void

    private var connections: ConnectionTasks { admission.connections }
    private var logger: Logger { admission.logger }

    func run() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.takeDescriptor(), serverBackPressureStrategy: nil) { accept($0) }
        onListening()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                try? await gracefulShutdown()
                await onStopping()
                try? await listener.channel.close()
            }
            // Connections are served by `accept`; this stream only counts them.
            try await listener.executeThenClose { accepted in for try await _ in accepted {} }
            await connections.stop()
            group.cancelAll()
        }
    }

    /// Runs on the connection's event loop. The connection's task starts here and not in the listener's stream, whose last
    /// elements are not read when the server stops.
    private func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        let (place, peer) = admission.enter(channel)
        var spare: SpareConnection?
        switch place {
        case .counted: break
        case .spare(let taken): spare = taken
        case .refused(let error):
            return channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(RefusedConnection(SpareConnection.response(to: error)))
            }
        }
        let descriptor = Admission.descriptor(of: channel)
        let handlers = { @Sendable [spare] in spare.map { [SpareRequest($0)] } ?? [] }
        // Each connection is answered by its own channel, which knows its process.
        return http1Channel(with: handlers) { _, _, _ in }.setup(channel: channel, logger: logger).map {
            [spare] connection in
            connections.run { await serve(connection, peer, spare, socket: descriptor) }
        }
    }

    private func serve(
        _ connection: HTTP1Channel.Value, _ peer: PeerCredentials, _ spare: SpareConnection?, socket: Int32
    ) async {
        if let spare, await !spare.requestIsComplete() {
            Glibc.close(socket)
            return await close(connection)
        }
        await admission.admit(
            peer, isCounted: spare == nil,
            inspecting: {
                defer { Glibc.close(socket) }
                return try await admission.inspector.inspect(socket: socket)
            },
            refuse: { error in await refuse(connection, error) },
            serve: { peer, error in
                let spare = spare ?? error.map { SpareConnection($0, on: connection.channel) }
                await answer(
                    connection, Connection(closing: connection.channel.closeFuture, peer: peer, spare: spare))
            })
    }

    /// Answers the first request of a process that cannot be identified. Without a request the idle timeout closes the
    /// connection.
    private func refuse(_ connection: HTTP1Channel.Value, _ error: any Error) async {
        let (head, body) = SpareConnection.lastAnswer(to: error)
        let parts: [HTTPResponsePart] = [.head(head), .body(body), .end(nil)]
        try? await connection.executeThenClose { requests, answers in
            for try await part in requests {
                guard case .head = part else { continue }
                return try await answers.write(contentsOf: parts)
            }
        }
    }

    /// NIO requires this call for closing an asynchronous channel; without it the service crashes.
    private func close(_ connection: HTTP1Channel.Value) async { try? await connection.executeThenClose { _, _ in } }

    private func answer(_ connection: HTTP1Channel.Value, _ served: Connection) async {
        let http = http1Channel { [responder, logger] request, writer, _ in
            try served.spare?.begin()
            let context = ServiceContext(source: ServiceContext.Source(connection: served, logger: logger))
            // The router translates all errors.
            var response = try await responder.respond(to: request, context: context)
            if served.spare != nil { response.headers[.connection] = "close" }
            try await writer.write(response: response.head, body: response.body)
        }
        let task = Task { await http.handle(value: connection, logger: logger) }
        // Hummingbird does not notice a disconnect after a pipelined request; the channel's close future does.
        connection.channel.closeFuture.whenComplete { _ in task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        try? await connection.channel.close()
    }

    /// - Parameter handlers: come after those that every connection has.
    private func http1Channel(
        with handlers: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] },
        _ responder: @escaping HTTPChannelHandler.Responder
    ) -> HTTP1Channel {
        HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ConnectionLimits(timeouts), Heartbeat()] + handlers(),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
    }
}
