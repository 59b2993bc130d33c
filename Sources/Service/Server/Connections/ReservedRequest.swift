import Hummingbird
import NIOCore
import NIOHTTPTypes
import SocketAPI

/// The requests that are served when a user's connections are taken: those that revoke, and what a command reads before.
struct TakingAway: Sendable {
    private let routes: [(method: HTTPRequest.Method, path: [Substring])]

    /// - Parameter routes: a path's parameters begin with a colon.
    init(_ routes: [(method: HTTPRequest.Method, path: String)]) {
        self.routes = routes.map { ($0.method, $0.path.split(separator: "/")) }
    }

    func includes(_ request: HTTPRequest) -> Bool {
        let path = (request.path ?? "").prefix { $0 != "?" }.split(separator: "/")
        return routes.contains { route in
            route.method == request.method && route.path.count == path.count
                && zip(route.path, path).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
        }
    }
}

/// Admits one short request to a reserved connection. Any other is answered with the error that reserved it, before its
/// process is inspected.
final class ReservedRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// For a complete request; a command sends it at once.
    static let requestTimeout = TimeAmount.seconds(3)
    /// For the answer too.
    static let answerTimeout = TimeAmount.seconds(30)
    private static let largestBody = 64 * 1024

    private let error: RouteError
    private let takingAway: TakingAway
    private let onComplete: () -> Void
    private let onRefusal: () -> Void
    /// Gets a descriptor of the socket.
    private let complete: EventLoopPromise<Int32?>
    private var deadlines: [Scheduled<Void>] = []
    private var isWanted = false
    private var isComplete = false
    private var size = 0

    init(
        _ error: RouteError, serving takingAway: TakingAway, _ complete: EventLoopPromise<Int32?>,
        onComplete: @escaping () -> Void, onRefusal: @escaping () -> Void
    ) {
        (self.error, self.takingAway, self.complete) = (error, takingAway, complete)
        (self.onComplete, self.onRefusal) = (onComplete, onRefusal)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadlines = [
            context.eventLoop.scheduleTask(in: Self.requestTimeout) { channel.close(promise: nil) },
            context.eventLoop.scheduleTask(in: Self.answerTimeout) { channel.close(promise: nil) },
        ]
    }

    /// Answers a silent connection that gives way to a newcomer.
    static func giveWay(_ channel: any Channel) { channel.pipeline.fireUserInboundEventTriggered(GivesWay()) }

    private struct GivesWay {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is GivesWay else { return context.fireUserInboundEventTriggered(event) }
        if !isComplete { refuse(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isComplete else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isWanted = takingAway.includes(head)
            guard isWanted else { return refuse(context) }
        case .body(let bytes):
            size += bytes.readableBytes
            guard isWanted else { return }
            guard size <= Self.largestBody else { return refuse(context) }
        case .end:
            guard isWanted else { return }
            isComplete = true
            deadlines.first?.cancel()
            onComplete()
            context.fireChannelRead(data)
            // Closes the connection after the answer.
            context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            complete.succeed(Admission.descriptor(of: context.channel))
            return
        }
        context.fireChannelRead(data)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        isComplete = true
        onRefusal()
        let (head, bytes) = Self.lastAnswer(to: error)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(bytes)), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    /// An answer after which the connection is closed.
    static func lastAnswer(to error: any Error) -> (head: HTTPResponse, body: ByteBuffer) {
        guard var problem = try? Problem(error) else {
            return (HTTPResponse(status: .internalServerError), ByteBuffer())
        }
        problem.fields[.connection] = "close"
        return (HTTPResponse(status: problem.status, headerFields: problem.fields), problem.body)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for deadline in deadlines { deadline.cancel() }
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

/// Sends bytes to a connection that is not read, and closes it.
final class LastWords: ChannelInboundHandler {
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
