import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request and its response, on its own connection.
package struct Exchange: Sendable {
    /// Bytes of the longest answer that is not a stream.
    private static let answerLimit = 8 << 20
    /// Bytes of a body that wait for the reader before the service is held back.
    private static let watermarks = (low: 4, high: 16)

    let channel: any Channel
    private let head: EventLoopFuture<HTTPResponseHead>
    package let body: ResponseHandler.Body

    /// Connects; nothing is sent yet.
    init(socketPath: String) async throws {
        let descriptor = try await ServerSocket.connect(to: socketPath)
        (channel, head, body) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .withConnectedSocket(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let head = channel.eventLoop.makePromise(of: HTTPResponseHead.self)
                    let producer = ResponseHandler.Body.makeSequence(
                        backPressureStrategy: .init(
                            lowWatermark: Self.watermarks.low, highWatermark: Self.watermarks.high),
                        finishOnDeinit: true, delegate: BodyDemand(channel: channel))
                    do {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(
                            ResponseHandler(head: head, source: producer.source))
                    } catch {
                        head.fail(error)
                        throw error
                    }
                    return (channel, head.futureResult, producer.sequence)
                }
            }
    }

    /// Sends the request's head and a body that is there.
    func send(_ head: HTTPRequestHead, _ body: Data?) {
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil) }
        // A write that fails closes the connection, which fails the response.
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Sends the request's head, and its body piece by piece as the service takes it.
    static func send<Body: AsyncSequence & Sendable>(
        _ head: HTTPRequestHead, streaming body: Body, over channel: any Channel
    ) async where Body.Element == [UInt8] {
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        do {
            for try await bytes in body {
                let part = HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: bytes)))
                guard (try? await channel.writeAndFlush(part)) != nil else { return }
            }
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        } catch {
            channel.pipeline.fireErrorCaught(error)
        }
    }

    /// Waits for the answer's head.
    ///
    /// - Throws: `ClientError`; `refused` with the service's answer for an error status.
    package func response() async throws -> HTTPResponseHead {
        let head = try await withTaskCancellationHandler {
            do {
                return try await self.head.get()
            } catch {
                throw Task.isCancelled ? CancellationError() : error
            }
        } onCancel: {
            channel.close(promise: nil)
        }
        guard !(200..<300).contains(head.status.code) else { return head }
        let bytes = try await collect()
        let refusal = Refusal(httpStatus: head.status.code, bytes, retryAfter: head.headers.first(name: "Retry-After"))
        if let refusal { throw ClientError(refusal) }
        throw ClientError.violation("it failed with HTTP status \(head.status.code) and does not say why")
    }

    /// The whole of the answer's body.
    func collect() async throws -> Data {
        var collected = Data()
        for try await bytes in body {
            collected.append(contentsOf: bytes.readableBytesView)
            if collected.count > Self.answerLimit {
                throw ClientError.violation("it is longer than \(Self.answerLimit) bytes")
            }
        }
        try Task.checkCancellation()
        return collected
    }
}

/// Passes on one response: its head once, its body on demand, so that a slow reader slows the service down instead of
/// filling memory.
package final class ResponseHandler: ChannelDuplexHandler {
    package typealias InboundIn = HTTPClientResponsePart
    package typealias OutboundIn = HTTPClientRequestPart
    package typealias OutboundOut = HTTPClientRequestPart
    package typealias Body = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, BodyDemand
    >

    private let head: EventLoopPromise<HTTPResponseHead>
    private let source: Body.Source
    /// Whether the reader still waits for a part of the body. A read may bring too little for one, such as the beginning of
    /// a chunk.
    private var wantsMore = true
    private var isComplete = false
    /// Whether all of the request was passed to the system.
    private var isSent = false

    init(head: EventLoopPromise<HTTPResponseHead>, source: Body.Source) {
        self.head = head
        self.source = source
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.read()
        context.fireChannelActive()
    }

    /// Called for the reader, through `BodyDemand`, and by `channelReadComplete`.
    package func read(context: ChannelHandlerContext) {
        wantsMore = true
        context.read()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head.succeed(head)
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

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { isSent = true }
        context.write(data, promise: promise)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if wantsMore { context.read() }
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        fail(closed)
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState: fail(closed)
        case is HTTPParserError: fail(ClientError.violation("it is not HTTP"))
        case is IOError, is ChannelError: fail(closed)
        default: fail(error)
        }
        context.close(promise: nil)
    }

    private var closed: ClientError { isSent ? .disconnected : .notRead }

    /// Has no effect once the response is complete or has failed.
    private func fail(_ error: any Error) {
        guard !isComplete else { return }
        isComplete = true
        head.fail(error)
        source.finish(error)
    }
}

/// Reads from the connection when the reader of the body asks for more.
package struct BodyDemand: NIOAsyncSequenceProducerDelegate {
    let channel: any Channel

    package func produceMore() { channel.read() }

    /// The reader is gone, or all was read. Closing the connection ends a dictation.
    package func didTerminate() { channel.close(promise: nil) }
}
