import NIOCore
import NIOHTTP1

/// Hands one response on: its head once, its body as it is asked for, so that a reader who does not read holds the
/// service back instead of filling memory.
final class ResponseHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart
    typealias Body = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, BodyDemand
    >

    private let head: EventLoopPromise<HTTPResponseHead>
    private let source: Body.Source
    /// Whether what was asked for is still owed to the reader. A read that brings too little for a part of the body, such as
    /// the beginning of a chunk, owes it still.
    private var wantsMore = true
    private var isComplete = false

    init(head: EventLoopPromise<HTTPResponseHead>, source: Body.Source) {
        self.head = head
        self.source = source
    }

    func channelActive(context: ChannelHandlerContext) {
        context.read()
        context.fireChannelActive()
    }

    /// Somebody asks for more: the reader, through `BodyDemand`, or `channelReadComplete`.
    func read(context: ChannelHandlerContext) {
        wantsMore = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head.succeed(head)
        case .body(let bytes):
            switch source.yield(bytes) {
            case .produceMore: wantsMore = true
            case .stopProducing: wantsMore = false
            case .dropped: context.close(promise: nil)
            }
        case .end:
            isComplete = true
            source.finish()
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if wantsMore { context.read() }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ClientError.disconnected)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState: fail(ClientError.disconnected)
        case is HTTPParserError: fail(ClientError.violation("it is not HTTP"))
        case is IOError, is ChannelError: fail(ClientError.disconnected)
        default: fail(error)
        }
        context.close(promise: nil)
    }

    /// Without effect once the response is complete; the first reason counts.
    private func fail(_ error: any Error) {
        guard !isComplete else { return }
        isComplete = true
        head.fail(error)
        source.finish(error)
    }
}
