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
package struct SocketServer: Service {
    private let socket: ListeningSocket
    private let responder: any HTTPResponder<ServiceContext>
    private let admission: Admission
    /// What is served when a user's connections are taken.
    private let takingAway: TakingAway
    private let timeouts: ConnectionLimits.Timeouts
    private let onListening: @Sendable () -> Void
    private let onStopping: @Sendable () async -> Void

    /// - Parameters:
    ///   - routes: with all of them.
    ///   - idle: for the head of a request, and between two requests.
    ///   - pause: in the middle of a body.
    ///   - onStopping: ends the sessions; runs when the service stops, before the connections are closed.
    package init(
        socket: ListeningSocket, routes: Routes, admission: Admission, idle: TimeAmount, pause: TimeAmount,
        onListening: @escaping @Sendable () -> Void, onStopping: @escaping @Sendable () async -> Void
    ) {
        (self.socket, self.admission, takingAway) = (socket, admission, routes.takingAway)
        responder = routes.responder()
        timeouts = ConnectionLimits.Timeouts(idle: idle, pause: pause)
        (self.onListening, self.onStopping) = (onListening, onStopping)
    }

    private var connections: ConnectionTasks { admission.connections }
    private var logger: Logger { admission.logger }

    package func run() async throws {
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
        switch place {
        case .counted:
            let descriptor = Admission.descriptor(of: channel)
            return setUp(channel).map { connection in
                connections.run { await serve(connection, peer, socket: descriptor) }
            }
        case .reserved(let seat, let error):
            let complete = channel.eventLoop.makePromise(of: Int32?.self)
            // Has no effect on an earlier result.
            channel.closeFuture.whenComplete { _ in complete.succeed(nil) }
            return setUp(channel) {
                ReservedRequest(
                    error, serving: takingAway, complete,
                    onComplete: { [table = admission.table] in table.serve(seat) },
                    onRefusal: { [table = admission.table] in table.report(error, peer) })
            }.map { connection in
                connections.run { await serve(connection, peer, when: complete.futureResult) }
            }
        case .refused(let error):
            return Admission.refuse(channel) { ReservedRequest.response(to: error) }
        }
    }

    /// - Parameter handler: comes before those that every connection has.
    private func setUp(
        _ channel: any Channel, with handler: @escaping @Sendable () -> (any RemovableChannelHandler)? = { nil }
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        // Each connection is answered by its own channel, which knows its process.
        http1Channel(with: handler) { _, _, _ in }.setup(channel: channel, logger: logger)
    }

    private func serve(
        _ connection: HTTP1Channel.Value, _ peer: PeerCredentials, isCounted: Bool = true, socket: Int32
    ) async {
        await admission.admit(
            peer, isCounted: isCounted,
            inspecting: {
                defer { Glibc.close(socket) }
                return try await admission.inspector.inspect(socket: socket)
            },
            refuse: { error in await refuse(connection, error) },
            serve: { peer, error in
                await answer(
                    connection, Connection(closing: connection.channel.closeFuture, peer: peer), refusing: error)
            })
    }

    /// Serves a reserved connection when its request is complete.
    private func serve(
        _ connection: HTTP1Channel.Value, _ peer: PeerCredentials, when complete: EventLoopFuture<Int32?>
    ) async {
        let descriptor = await withTaskCancellationHandler {
            try? await complete.get()
        } onCancel: {
            connection.channel.close(promise: nil)
        }
        guard let descriptor else { return await close(connection) }
        await serve(connection, peer, isCounted: false, socket: descriptor)
    }

    /// Answers the first request of a process that cannot be identified. Without a request the idle timeout closes the
    /// connection.
    private func refuse(_ connection: HTTP1Channel.Value, _ error: any Error) async {
        let (head, body) = ReservedRequest.lastAnswer(to: error)
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

    /// - Parameter error: the answer to all but what is always served; the connection is closed after the first answer.
    private func answer(
        _ connection: HTTP1Channel.Value, _ served: Connection, refusing error: RouteError?
    ) async {
        let http = http1Channel(
            answering(served, refusing: error.map { Refused(error: $0, channel: connection.channel) }))
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

    /// A connection of a program that has too many.
    private struct Refused {
        let error: RouteError
        let channel: any Channel
        /// Closes the connection if no request comes.
        let closing: Scheduled<Void>

        init(error: RouteError, channel: any Channel) {
            self.error = error
            self.channel = channel
            closing = channel.eventLoop.scheduleTask(in: ReservedRequest.requestTimeout) { channel.close(promise: nil) }
        }

        /// The connection is closed after the answer to the present request.
        func answersLast() {
            closing.cancel()
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    private func answering(_ connection: Connection, refusing refused: Refused?) -> HTTPChannelHandler.Responder {
        { [responder, logger, takingAway] request, writer, _ in
            if let refused {
                refused.answersLast()
                if !takingAway.includes(request.head) {
                    let response = try ErrorTranslation.response(to: refused.error)
                    return try await writer.write(response: response.head, body: response.body)
                }
            }
            let context = ServiceContext(source: ServiceContext.Source(connection: connection, logger: logger))
            // The router translates all errors.
            let response = try await responder.respond(to: request, context: context)
            try await writer.write(response: response.head, body: response.body)
        }
    }

    private func http1Channel(
        with handler: @escaping @Sendable () -> (any RemovableChannelHandler)? = { nil },
        _ responder: @escaping HTTPChannelHandler.Responder
    ) -> HTTP1Channel {
        HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ConnectionLimits(timeouts), Heartbeat()] + [handler()].compactMap(\.self),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
    }
}
