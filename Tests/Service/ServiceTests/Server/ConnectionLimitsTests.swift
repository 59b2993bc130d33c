import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Speech
import Testing

@testable import Server

/// The test decides the time, and when the service asks for more.
@Suite("How long a client may let the service wait")
struct ConnectionLimitsTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: ConnectionLimits())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/v")).wait()
    }

    private func send(_ part: HTTPRequestPart) throws { try channel.writeInbound(part) }

    private func begin() throws {
        channel.read()
        try send(.head(HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/audio/transcriptions")))
    }

    private func sendBytes(_ count: Int) throws { try send(.body(ByteBuffer(repeating: 1, count: count))) }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    private func expectNoError() { #expect(throws: Never.self) { try channel.throwIfErrorCaught() } }

    private func expect(_ code: UploadErrorCode) {
        let error = #expect(throws: UploadError.self) { try channel.throwIfErrorCaught() }
        #expect(error?.code == code)
    }

    @Test("a body that pauses for a minute arrives, any number of times")
    func pauses() throws {
        try begin()
        for _ in 0..<100 {
            channel.read()
            pass(119)
            try sendBytes(40_000)
        }
        channel.read()
        pass(60)
        try send(.end(nil))
        expectNoError()
        #expect(channel.isActive)
    }

    @Test("a client that sends nothing for two minutes while the service waits has stalled, which is reported once")
    func stalls() throws {
        try begin()
        channel.read()
        pass(119)
        expectNoError()
        pass(1)
        expect(.clientStalled)
        channel.read()
        pass(600)
        expectNoError()
        #expect(channel.isActive, "the client can still be answered")
    }

    @Test("a service that does not read for hours cuts no client")
    func busy() throws {
        try begin()
        channel.read()
        try sendBytes(40_000)
        // The reader does not ask for more: the recogniser is behind.
        pass(100_000)
        expectNoError()
        channel.read()
        pass(119)
        try sendBytes(40_000)
        pass(100_000)
        expectNoError()
        #expect(channel.isActive)
    }

    @Test("a client that sends a byte now and then has stalled too")
    func drips() throws {
        try begin()
        // Two minutes, and a second for the first hundred bytes.
        for _ in 0..<120 {
            channel.read()
            pass(1)
            try sendBytes(1)
        }
        expectNoError()
        channel.read()
        pass(1)
        // Before the next byte: the channel throws a caught error at the next write, too.
        expect(.clientStalled)
        for _ in 0..<4 {
            channel.read()
            pass(1)
            try sendBytes(1)
        }
        expectNoError()
    }

    @Test("a client that goes in the middle of a body is named, by the end of its stream or of its connection")
    func goes() throws {
        try begin()
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidEOFState)
        expect(.clientGone)
        try channel.close().wait()
        expectNoError()
        let second = try ConnectionLimitsTests()
        try second.begin()
        try second.sendBytes(3)
        second.channel.pipeline.fireChannelInactive()
        second.expect(.clientGone)
    }

    @Test("a connection is closed 30 s after its last answer or without a request, and not while an answer is made")
    func idle() throws {
        channel.read()
        pass(29)
        try begin()
        try send(.end(nil))
        channel.read()
        pass(3_600)
        #expect(channel.isActive)
        try answer()
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        expectNoError()
        let silent = try ConnectionLimitsTests()
        silent.channel.read()
        silent.pass(30)
        #expect(!silent.channel.isActive)
    }

    @Test("the rest of a body is read for 30 s after the answer")
    func refused() throws {
        try begin()
        try answer()
        for _ in 0..<29 {
            channel.read()
            pass(1)
            try sendBytes(1_000_000)
        }
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("after bytes that are not HTTP nothing more is read, and the connection is closed after 5 s")
    func broken() throws {
        let reads = Reads()
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        channel.read()
        #expect(reads.count == 1)
        channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow)
        #expect(throws: HTTPParserError.headerOverflow) { try channel.throwIfErrorCaught() }
        for _ in 0..<4 {
            channel.read()
            pass(1)
        }
        #expect(reads.count == 1)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }
}

/// Counts how often bytes are asked for.
private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never
    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
