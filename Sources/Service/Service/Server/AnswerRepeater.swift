import NIOCore
import Synchronization

/// Repeats the last answer to a `GET` with the same bytes while its condition holds, before HTTP is parsed: a client that
/// polls its permissions costs the service little more than the bytes.
///
/// It is the first handler of the connection. It repeats only while it knows where requests begin: from the start of the
/// connection until the first bytes that are not exactly one request without a body.
final class AnswerRepeater: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private struct Exchange {
        let request: ByteBuffer
        var answer = ByteBuffer()
    }

    private struct Repeatable {
        let exchange: Exchange
        let condition: AnswerCondition.Condition
        let end: NIODeadline
    }

    /// The longest time without a new answer, for what a condition cannot see: permissions that end at a time.
    static let longest = TimeAmount.seconds(1)

    /// Of the bytes of an answer that is repeated: a stream of hours is not collected.
    static let largestAnswer = 16 * 1024

    private let condition = AnswerCondition()
    private let requests: ConnectionLimits
    private var isAtStart = true
    /// The request that is being answered, and what was written of its answer.
    private var current: Exchange?
    private var last: Repeatable?

    private init(counting requests: ConnectionLimits) { self.requests = requests }

    /// Call it on the event loop, before the first bytes are read.
    ///
    /// - Returns: what the connection's routes set.
    static func add(to channel: any Channel) throws -> AnswerCondition {
        let pipeline = channel.pipeline.syncOperations
        let repeater = AnswerRepeater(counting: try pipeline.handler(type: ConnectionLimits.self))
        try pipeline.addHandler(repeater, position: .first)
        return repeater.condition
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isAtStart else { return context.fireChannelRead(data) }
        let bytes = unwrapInboundIn(data)
        // A client that does not read its answers gets the next ones from the route, which waits for it.
        if let last, last.exchange.request == bytes, requests.isIdle, context.channel.isWritable,
            last.end > context.eventLoop.now,
            last.condition()
        {
            return context.writeAndFlush(wrapOutboundOut(.byteBuffer(last.exchange.answer)), promise: nil)
        }
        last = nil
        isAtStart = requests.isIdle && Self.isRequest(bytes)
        current = isAtStart ? Exchange(request: bytes) : nil
        condition.take()
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data),
            (current?.answer.readableBytes ?? 0) + bytes.readableBytes <= Self.largestAnswer
        {
            current?.answer.writeImmutableBuffer(bytes)
        } else {
            current = nil
        }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard let exchange = current, requests.isIdle else { return }
        current = nil
        last = condition.take().map {
            Repeatable(exchange: exchange, condition: $0, end: context.eventLoop.now + Self.longest)
        }
    }

    /// Whether these are the bytes of one `GET` and no others. Its end is the first empty line (RFC 9112, section 2.1); one
    /// with a body is not asked for repeatable answers.
    private static func isRequest(_ bytes: ByteBuffer) -> Bool {
        let view = bytes.readableBytesView
        guard view.starts(with: "GET ".utf8), let end = view.firstRange(of: "\r\n\r\n".utf8) else { return false }
        return end.upperBound == view.endIndex
    }
}

/// Under which condition the answer that a connection is getting is also the answer to the same request later.
final class AnswerCondition: Sendable {
    /// Runs on the event loop, so it must not block.
    typealias Condition = @Sendable () -> Bool

    private let condition = Mutex<Condition?>(nil)

    /// A route sets it before it returns the answer. Everything that the answer depends on must have been read after the
    /// state that the condition compares with.
    func set(_ condition: @escaping Condition) { self.condition.withLock { $0 = condition } }

    @discardableResult
    func take() -> Condition? {
        condition.withLock { condition in
            defer { condition = nil }
            return condition
        }
    }
}
