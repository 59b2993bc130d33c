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
    let onListening: @Sendable () -> Void
    /// Ends the sessions; runs when the service stops, before the connections are closed.
    let onStopping: @Sendable () async -> Void

    private var connections: ConnectionTasks { admission.connections }
    private var logger: Logger { admission.logger }

    func run() async throws {
        // Sets connections up; each is answered by a channel of its own, which knows its process.
        let http = http1Channel { _, _, _ in }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.takeDescriptor(), serverBackPressureStrategy: nil) { channel in accept(channel, http) }
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
    private func accept(_ channel: any Channel, _ http: HTTP1Channel) -> EventLoopFuture<Void> {
        guard let descriptor = admission.enter(channel) else { return channel.close() }
        return http.setup(channel: channel, logger: logger).map { connection in
            connections.run { await serve(connection, socket: OwnedDescriptor(owning: descriptor)) }
        }
    }

    private func serve(_ connection: HTTP1Channel.Value, socket: consuming OwnedDescriptor) async {
        await admission.admit(
            inspecting: { try await admission.inspector.inspect(socket: socket.rawValue) },
            // NIO requires this call for closing an asynchronous channel; without it the service crashes.
            refuse: { _ in try? await connection.executeThenClose { _, _ in } },
            serve: { await answer(connection, $0) })
    }

    private func answer(_ connection: HTTP1Channel.Value, _ peer: ConnectedCaller) async {
        let http = http1Channel(answering(Connection(closing: connection.channel.closeFuture, peer: peer)))
        let task = Task(executorPreference: EventLoopExecutor(connection.channel.eventLoop)) {
            await http.handle(value: connection, logger: logger)
        }
        // Hummingbird does not notice a disconnect after a pipelined request; the channel's close future does.
        connection.channel.closeFuture.whenComplete { _ in task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        try? await connection.channel.close()
    }

    /// Whether the answer takes only microseconds.
    private static func isQuick(_ request: Request) -> Bool {
        request.method == .get && ["/v1/authorization", "/v1/health"].contains(request.uri.path)
    }

    private func answering(_ connection: Connection) -> HTTPChannelHandler.Responder {
        { [responder, logger] request, writer, _ in
            let context = ServiceContext(source: ServiceContext.Source(connection: connection, logger: logger))
            // The router translates all errors.
            let response =
                if Self.isQuick(request) {
                    try await responder.respond(to: request, context: context)
                } else {
                    // A slow answer must not block the other connections of this thread.
                    try await withTaskExecutorPreference(globalConcurrentExecutor) {
                        try await responder.respond(to: request, context: context)
                    }
                }
            try await writer.write(response: response.head, body: response.body)
        }
    }

    private func http1Channel(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTP1Channel {
        HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [RefusedBodyLimit()],
                idleTimeout: .seconds(30),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
    }
}

/// Runs a connection's task on the thread that reads its bytes: a short answer needs no other thread to be woken, which
/// would cost more than the answer.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Reads the rest of the body of an answered request for a while, so that a client which sends all of it before it reads
/// gets its answer; then closes the connection.
final class RefusedBodyLimit: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Several gigabytes go over a Unix socket in it.
    static let patience = TimeAmount.seconds(30)

    /// Requests that have begun, less answers that have ended.
    private var unanswered = 0
    private var isReading = false
    private var closing: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReading = true
            unanswered += 1
        case .body:
            break
        case .end:
            isReading = false
            closing?.cancel()
            closing = nil
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            if isReading, unanswered == 0, closing == nil {
                let channel = context.channel
                closing = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
            }
        }
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        closing?.cancel()
        context.fireChannelInactive()
    }
}
