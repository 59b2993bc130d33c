import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Speech

/// How long a client may let the service wait, and what becomes of a request that is not sent to its end.
///
/// Only the time counts in which the service reads and nothing comes. A service that is busy stops reading, and cuts no client:
/// the event loop reads what has arrived before it runs what is due.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    struct Timeouts: Sendable {
        /// For the head of a request, and between two requests. Then the connection is closed.
        var idle = TimeAmount.seconds(30)
        /// In the middle of a body. Then its reader gets `UploadError`, and the client an answer.
        var pause = TimeAmount.seconds(120)
    }

    /// In all, one body may let the service wait as long as one pause, and a second for each of these bytes: a client that
    /// sends one now and then never pauses for long.
    static let bytesPerSecond: Int64 = 100
    /// For the rest of the body of an answered request, so that a client which sends all of it before it reads gets its
    /// answer. Several gigabytes go over a Unix socket in it.
    static let refusedBody = TimeAmount.seconds(30)
    /// For the answer to bytes that are not HTTP.
    static let refusedHead = TimeAmount.seconds(5)

    private let timeouts: Timeouts
    /// Requests that have begun, less answers that have ended.
    private var unanswered = 0
    private var isReadingBody = false
    /// Whether the reader of the body has got an error.
    private var isCut = false
    /// Whether bytes came that are not HTTP. What follows them is never read: the answer to them may have to wait for a
    /// processor, and the client could fill that time.
    private var isBroken = false
    private var receivedBytes: Int64 = 0
    /// Without the present wait.
    private var waited = TimeAmount.zero
    /// Since when the service waits for the client; `nil`: it does not.
    private var waitingSince: NIODeadline?
    private var check: (task: Scheduled<Void>, at: NIODeadline)?
    private var closing: Scheduled<Void>?

    init(_ timeouts: Timeouts = Timeouts()) { self.timeouts = timeouts }

    /// The service asks for more; it does not while it has enough to do.
    func read(context: ChannelHandlerContext) {
        guard !isBroken else { return }
        if waitingSince == nil { waitingSince = context.eventLoop.now }
        scheduleCheck(context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let since = waitingSince { waited = waited + (context.eventLoop.now - since) }
        waitingSince = nil
        switch unwrapInboundIn(data) {
        case .head:
            isReadingBody = true
            unanswered += 1
            (isCut, receivedBytes, waited) = (false, 0, .zero)
        case .body(let bytes):
            receivedBytes += Int64(bytes.readableBytes)
        case .end:
            isReadingBody = false
            closing?.cancel()
            closing = nil
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            // Bytes that are not HTTP are answered, too.
            unanswered = max(0, unanswered - 1)
            if unanswered == 0 {
                // From here on it waits for the next request.
                if waitingSince != nil { waitingSince = context.eventLoop.now }
                scheduleCheck(context)
                if isReadingBody { closeLater(context, in: Self.refusedBody) }
            }
        }
        context.write(data, promise: promise)
    }

    /// An end of the stream in the middle of a body is named: the HTTP parser's error could be anything.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isReadingBody, case HTTPParserError.invalidEOFState = error {
            cut(context, .clientGone)
        } else {
            // After bytes that are not HTTP nothing can be read; the client gets an answer first.
            if error is HTTPParserError {
                isBroken = true
                closeLater(context, in: Self.refusedHead)
            }
            context.fireErrorCaught(error)
        }
    }

    /// Without the error, a body that is cut off looks like one that is complete.
    func channelInactive(context: ChannelHandlerContext) {
        if isReadingBody { cut(context, .clientGone) }
        cancelAll()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancelAll() }

    private func closeLater(_ context: ChannelHandlerContext, in time: TimeAmount) {
        guard closing == nil else { return }
        let channel = context.channel
        closing = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    private func cut(_ context: ChannelHandlerContext, _ error: UploadError) {
        guard !isCut else { return }
        isCut = true
        context.fireErrorCaught(error)
    }

    private var deadline: NIODeadline? {
        guard let since = waitingSince else { return nil }
        guard isReadingBody else { return unanswered == 0 ? since + timeouts.idle : nil }
        guard !isCut else { return nil }
        let inAll = timeouts.pause + .seconds(receivedBytes / Self.bytesPerSecond)
        return since + min(timeouts.pause, inAll - waited)
    }

    /// One check at a time is scheduled, and a later deadline does not move it: most checks find that nothing is due.
    private func scheduleCheck(_ context: ChannelHandlerContext) {
        guard let deadline, check.map({ deadline < $0.at }) ?? true else { return }
        check?.task.cancel()
        let loop = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: deadline) {
            let (limits, context) = loop.value
            limits.check = nil
            limits.enforce(context)
        }
        check = (task, deadline)
    }

    private func enforce(_ context: ChannelHandlerContext) {
        guard let deadline, deadline <= context.eventLoop.now else { return scheduleCheck(context) }
        if isReadingBody { cut(context, .clientStalled) } else { context.close(promise: nil) }
    }

    private func cancelAll() {
        check?.task.cancel()
        check = nil
        closing?.cancel()
        closing = nil
    }
}
