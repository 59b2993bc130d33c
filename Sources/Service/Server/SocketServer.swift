import Glibc
import Hummingbird
import HummingbirdCore
import LinuxProcesses
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix
import ServiceLifecycle
import SystemFiles

/// Serves HTTP on the listening socket. Each connection is looked at by the kernel's evidence before a byte is answered,
/// and everything it asked for is cancelled when it closes.
struct SocketServer: Service {
    let socket: ListeningSocket
    let responder: any HTTPResponder<ServiceContext>
    let inspector: CallerInspector
    let logger: Logger
    /// Runs once connections are accepted.
    let onListening: @Sendable () -> Void
    /// Runs when the service is to stop, before the connections are closed: ends the sessions and waits for it.
    let onStopping: @Sendable () async -> Void

    /// Connections at a time. Each may stream for hours, so they are counted and not queued.
    private static let mostConnections = 256

    func run() async throws {
        let http = http1Channel()
        let (logger, inspector) = (logger, inspector)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.takeDescriptor(), serverBackPressureStrategy: nil) { channel in
                // A descriptor of our own: the channel may be closed before the peer has been looked at.
                let peer = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                    of: NIOBSDSocket.Handle.self
                ) { fcntl($0, F_DUPFD_CLOEXEC, 0) }
                return http.setup(channel: channel, logger: logger).map { (connection: $0, peer: peer ?? -1) }
            }
        onListening()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                try? await gracefulShutdown()
                await onStopping()
                try? await listener.channel.close()
            }
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { clients in
                    for try await (connection, peer) in connections {
                        clients.addTask { await serve(connection, peer, http, inspector) }
                    }
                    clients.cancelAll()
                }
            }
            group.cancelAll()
        }
    }

    private func serve(
        _ connection: HTTP1Channel.Value, _ socket: Int32, _ http: HTTP1Channel,
        _ inspector: CallerInspector
    ) async {
        let task = Task {
            let socket = OwnedDescriptor(owning: socket)
            do {
                let peer = try await inspector.inspect(socket: socket.rawValue)
                await Connection.$current.withValue(Connection(channel: connection.channel, peer: peer)) {
                    await http.handle(value: connection, logger: logger)
                }
            } catch {
                logger.notice("a connection was refused", metadata: ["reason": "\(error)"])
            }
            try? await connection.channel.close()
        }
        // The library's own watch over a disconnect can be evaded by a pipelined request; the channel's end cannot.
        connection.channel.closeFuture.whenComplete { _ in task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func http1Channel() -> HTTP1Channel {
        let (responder, logger) = (responder, logger)
        return HTTP1Channel(
            responder: { request, writer, channel in
                let context = ServiceContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
                let response: Response
                do {
                    response = try await responder.respond(to: request, context: context)
                } catch {
                    let (status, reply) = ErrorTranslation.answer(to: error)
                    response = try Response(status: status, json: reply)
                }
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(30),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
    }
}
