import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request was answered and whose body still comes, after a while.
///
/// What is left of a body is read and thrown away, so that a client which sends all of it before it reads gets its answer.
/// A body without an end must not be read without one.
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
