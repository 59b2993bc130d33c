import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketAPI

/// One request and its response, on a connection of its own.
struct Exchange: Sendable {
    /// Bytes of the longest answer that is no stream.
    private static let answerLimit = 8 << 20
    /// Bytes of a body that wait for the reader before the service is held back.
    private static let watermarks = (low: 4, high: 16)

    let channel: any Channel
    private let head: EventLoopFuture<HTTPResponseHead>
    let body: ResponseHandler.Body

    /// Connects; nothing is sent yet.
    init(socketPath: String) async throws {
        let descriptor = try ServerSocket.connect(to: socketPath)
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
        // A write that fails closes the connection, which the response tells.
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Sends the request's head, and its body piece by piece as the service takes it. Holds nothing of the answer.
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
    /// - Throws: `ClientError`; `refused` with what the service said when it is no success.
    func response() async throws -> HTTPResponseHead {
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
        if let reply = try? JSONCoding.decoder().decode(ErrorReply.self, from: bytes) { throw ClientError(reply) }
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

    func events<Element>(of type: Element.Type) -> EventStream<Element> { EventStream(body: body) }
}
