import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import Service

/// The handlers of the service are real; HTTP is only as much of it as these requests need.
@Suite("Repeated answers")
struct AnswerRepeaterTests {
    private static let request = "GET /v1/authorization HTTP/1.1\r\nHost: v\r\n\r\n"

    private let channel = EmbeddedChannel()
    /// What the routes of the connection set.
    private let condition: AnswerCondition

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([PlainHTTP(), ConnectionLimits()])
        condition = try AnswerRepeater.add(to: channel)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/v")).wait()
    }

    /// - Returns: whether the route got the request.
    private func reaches(_ request: String = request) throws -> Bool {
        try channel.writeInbound(ByteBuffer(string: request))
        var isReached = false
        while try channel.readInbound(as: HTTPRequestPart.self) != nil { isReached = true }
        return isReached
    }

    private func answer(_ text: String, while holds: AnswerCondition.Condition?) throws {
        if let holds { condition.set(holds) }
        // `writeOutbound` flushes each part, as the service's answers may be.
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: text)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func sent() throws -> String {
        var text = ""
        while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) { text += String(buffer: bytes) }
        return text
    }

    @Test(
        "the same request gets the same answer without the route while the condition holds, and asks the route again after"
    )
    func repeats() throws {
        #expect(try reaches())
        let state = Flag()
        try answer("one", while: { state.isSet })
        #expect(try sent() == "200 one.")
        for _ in 0..<3 {
            #expect(try !reaches())
            #expect(try sent() == "200 one.")
        }
        state.clear()
        #expect(try reaches())
        #expect(try sent().isEmpty, "an outdated answer is not sent")
        try answer("two", while: nil)
        #expect(try sent() == "200 two.")
        #expect(try reaches(), "an answer without a condition is not repeated")
    }

    @Test("an answer is repeated for a second at most")
    func ends() throws {
        #expect(try reaches())
        try answer("one", while: { true })
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(try !reaches())
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try reaches())
    }

    @Test("a long answer is not collected: each request for it reaches the route")
    func long() throws {
        #expect(try reaches())
        try answer(String(repeating: "x", count: AnswerRepeater.largestAnswer), while: { true })
        #expect(try reaches())
    }

    @Test(
        "after bytes that are not exactly one request nothing is repeated: the start of the next is unknown",
        arguments: [
            "GET /v1/health HTTP/1.1\r\nHost: v\r\n\r\n" + request, "POST /v1/mute HTTP/1.1\r\n\r\n", "GET /v1/auth",
            request + "x",
        ])
    func others(_ bytes: String) throws {
        #expect(try reaches())
        try answer("one", while: { true })
        #expect(try reaches(bytes))
        try answer("two", while: { true })
        #expect(try reaches())
    }

    @Test("while a request is being answered, the same one behind it reaches the route")
    func pipelined() throws {
        #expect(try reaches())
        #expect(try reaches())
    }
}

/// Each read is one request without a body; an answer is its status and its body.
private final class PlainHTTP: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = IOData

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        context.fireChannelRead(wrapInboundOut(.head(head)))
        context.fireChannelRead(wrapInboundOut(.end(nil)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let text =
            switch unwrapOutboundIn(data) {
            case .head(let head): "\(head.status.code) "
            case .body(let bytes): String(buffer: bytes)
            case .end: "."
            }
        context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: text))), promise: promise)
    }
}

private final class Flag: Sendable {
    private let value = Atomic(true)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func clear() { value.store(false, ordering: .relaxed) }
}
