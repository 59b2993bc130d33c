import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Server

@Suite("A stream's heartbeat")
struct HeartbeatTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: Heartbeat())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/v")).wait()
    }

    private func begin(_ path: String, _ type: String = "application/x-ndjson", length: Int? = nil) throws {
        try channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)))
        var fields: HTTPFields = [.contentType: type]
        if let length { fields[.contentLength] = "\(length)" }
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
    }

    private func send(_ text: String) throws {
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: text)))
    }

    /// Seconds without a line after which there is a beat; `nil`: there is none. NIO's handler counts them, by the real clock.
    private func interval() -> Int64? {
        let idle = try? channel.pipeline.syncOperations.handler(type: IdleStateHandler.self)
        return idle?.writeTimeout.map { $0.nanoseconds / 1_000_000_000 }
    }

    /// The interval has passed, as NIO's handler reports it.
    private func pass() { channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.write) }

    /// What was sent since the last call.
    private func sent() throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            if case .body(let bytes) = part { text += String(buffer: bytes) }
        }
        return text
    }

    @Test(
        "comes after each interval in which nothing was sent, as what the stream's readers skip",
        arguments: [("application/x-ndjson", "\n"), ("text/event-stream", ":\n\n")])
    func beats(_ type: String, _ beat: String) throws {
        try begin("/v1/indicator/changes?after=x&heartbeat=10", type)
        #expect(interval() == 10)
        pass()
        #expect(try sent() == beat)
        try send("{}\n")
        #expect(try sent() == "{}\n")
        for _ in 1...3 { pass() }
        #expect(try sent() == beat + beat + beat)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        #expect(interval() == nil)
    }

    @Test("does not come unasked, into a response that is not a stream, into the middle of a line, or after the end")
    func none() throws {
        for path in ["/v1/indicator/changes", "/v1/indicator/changes?heartbeat=0", "/heartbeat=10"] {
            try begin(path)
            #expect(interval() == nil, "\(path)")
            pass()
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }
        try begin("/v1/health?heartbeat=10", "application/json")
        #expect(interval() == nil)
        pass()
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try begin("/v1/history/items/x?heartbeat=10", length: 8)
        #expect(interval() == nil)
        pass()
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try begin("/v1/history/items/x?heartbeat=10")
        try send("{\"text")
        pass()
        #expect(try sent() == "{\"text")
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        pass()
        #expect(try sent() == "")
    }

    @Test(
        "an interval that is not a number of seconds from 1 to 3600 is refused",
        arguments: ["0", "3601", "-1", "x", ""])
    func bounds(_ text: String) {
        #expect(throws: RouteError.self) { try Heartbeat.interval("heartbeat=\(text)") }
    }
}
