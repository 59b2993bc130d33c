import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection beyond a quota. It serves one short request that revokes, or that a command makes before one; any other request
/// gets the error. Then it is closed.
final class SpareConnection: Sendable {
    /// For a complete request; a command sends it at once.
    static let requestTimeout = TimeAmount.seconds(3)
    /// For the answer too.
    static let answerTimeout = TimeAmount.seconds(30)

    let error: RouteError
    private let channel: any Channel
    private let deadlines: (request: Scheduled<Void>, answer: Scheduled<Void>)
    /// `false` if the connection was closed before.
    private let request: EventLoopPromise<Bool>
    private let onComplete: @Sendable () -> Void
    private let onRefusal: @Sendable () -> Void
    /// Whether it can no longer give way.
    private let isTaken = Atomic(false)
    private let isBegun = Atomic(false)

    init(
        _ error: RouteError, on channel: any Channel, onComplete: @escaping @Sendable () -> Void = {},
        onRefusal: @escaping @Sendable () -> Void = {}
    ) {
        (self.error, self.channel) = (error, channel)
        (self.onComplete, self.onRefusal) = (onComplete, onRefusal)
        func close(in time: TimeAmount) -> Scheduled<Void> {
            channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        }
        let deadlines = (request: close(in: Self.requestTimeout), answer: close(in: Self.answerTimeout))
        let request = channel.eventLoop.makePromise(of: Bool.self)
        channel.closeFuture.whenComplete { _ in
            deadlines.request.cancel()
            deadlines.answer.cancel()
            // Has no effect on an earlier result.
            request.succeed(false)
        }
        (self.deadlines, self.request) = (deadlines, request)
    }

    /// Returns when all of the request is there, before its process is inspected.
    ///
    /// - Returns: `false` if the connection was closed before.
    func requestIsComplete() async -> Bool {
        await withTaskCancellationHandler {
            (try? await request.futureResult.get()) == true
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// All of the request is there, so no newcomer replaces the connection.
    ///
    /// - Returns: `false` if it has given way.
    func complete() -> Bool {
        guard !isTaken.exchange(true, ordering: .relaxed) else { return false }
        deadlines.request.cancel()
        onComplete()
        request.succeed(true)
        return true
    }

    /// Answers a silent connection with the error, and closes it, for a newcomer.
    func giveWay() {
        guard !isTaken.exchange(true, ordering: .relaxed) else { return }
        onRefusal()
        let (head, bytes) = Self.lastAnswer(to: error)
        channel.write(HTTPResponsePart.head(head), promise: nil)
        channel.write(HTTPResponsePart.body(bytes), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil)).whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    /// Makes the answer to the present request the last one.
    ///
    /// - Throws: at a second request.
    func begin() throws(CancellationError) {
        guard !isBegun.exchange(true, ordering: .relaxed) else { throw CancellationError() }
        deadlines.request.cancel()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    /// Call it before the body of the request is read.
    func admit(_ access: RouteAccess) throws(RouteError) {
        guard access.isAlwaysServed else {
            onRefusal()
            throw error
        }
    }

    /// An answer after which the connection is closed.
    static func lastAnswer(to error: any Error) -> (head: HTTPResponse, body: ByteBuffer) {
        guard var problem = try? Problem(error) else {
            return (HTTPResponse(status: .internalServerError), ByteBuffer())
        }
        problem.fields[.connection] = "close"
        return (HTTPResponse(status: problem.status, headerFields: problem.fields), problem.body)
    }

    /// The same answer as bytes, for a connection that is not read.
    static func response(to error: RouteError) -> ByteBuffer {
        var (head, body) = lastAnswer(to: error)
        let fields = head.headerFields.map { "\($0.name): \($0.value)\r\n" }.joined()
        var bytes = ByteBuffer(string: "HTTP/1.1 \(head.status)\r\n\(fields)\r\n")
        bytes.writeBuffer(&body)
        return bytes
    }
}

/// Notices when the request of a spare connection is complete, and passes on nothing after it.
final class SpareRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let spare: SpareConnection
    private var isComplete = false

    init(_ spare: SpareConnection) { self.spare = spare }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isComplete else { return }
        if case .end = unwrapInboundIn(data) {
            isComplete = true
            guard spare.complete() else { return }
        }
        context.fireChannelRead(data)
    }
}

/// Sends bytes to a connection that is not read, and closes it.
final class RefusedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let bytes: ByteBuffer
    private var isSent = false

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { send(context) } }

    func channelActive(context: ChannelHandlerContext) { send(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    private func send(_ context: ChannelHandlerContext) {
        guard !isSent else { return }
        isSent = true
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(bytes)).whenComplete { _ in channel.close(promise: nil) }
    }
}
