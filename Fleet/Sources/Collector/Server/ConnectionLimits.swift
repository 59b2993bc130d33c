import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends connections that take a place without using it: a request's head or body that does not arrive, or drop by drop, and a
/// body that the answer did not wait for.
///
/// Time in which the collector itself does not read, because it is storing, does not count.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    struct Times: Sendable {
        /// Between two requests, and before the first.
        var idle = TimeAmount.seconds(75)
        /// Without a byte of the body.
        var body = TimeAmount.seconds(15)
        /// For a whole request.
        var request = TimeAmount.seconds(600)
        /// Bytes of a body for each second of waiting for it, on average once it was waited for this long.
        var rate: (bytes: Int64, after: TimeAmount) = (1024, .seconds(10))
        /// For what is under way after an answer that came before the body's end.
        var linger = TimeAmount.seconds(2)
    }

    private let times: Times
    private var isInRequest = false
    private var isAnswered = false
    /// Of the request's body.
    private var bytes: Int64 = 0
    private var waited = TimeAmount.zero
    /// Since when the body is waited for.
    private var start: NIODeadline?
    private var waiting: Scheduled<Void>?
    private var deadline: Scheduled<Void>?

    init(_ times: Times) { self.times = times }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { wait(times.idle, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        wait(times.idle, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting?.cancel()
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        if isInRequest, !isAnswered, start == nil {
            start = .now()
            wait(times.body, context)
        }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Bytes behind the answer do not prolong the connection.
        if !(isInRequest && isAnswered) { waiting?.cancel() }
        if let start { waited = waited + (.now() - start) }
        start = nil
        switch unwrapInboundIn(data) {
        case .head:
            (isInRequest, isAnswered, bytes, waited) = (true, false, 0, .zero)
            deadline = close(after: times.request, context)
        case .body(let part):
            bytes += Int64(part.readableBytes)
            let needed = times.rate.bytes * waited.nanoseconds / 1_000_000_000
            if waited > times.rate.after, bytes < needed { return context.close(promise: nil) }
        case .end:
            isInRequest = false
            deadline?.cancel()
            if isAnswered { wait(times.idle, context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            isAnswered = true
            wait(isInRequest ? times.linger : times.idle, context)
        }
        context.write(data, promise: promise)
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        waiting?.cancel()
        waiting = close(after: time, context)
    }

    private func close(after time: TimeAmount, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
