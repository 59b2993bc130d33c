import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Service

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

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

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
        pass(9)
        #expect(try sent() == "")
        try send("{}\n")
        pass(9)
        #expect(try sent() == "{}\n")
        pass(1)
        #expect(try sent() == beat)
        pass(30)
        #expect(try sent() == beat + beat + beat)
    }

    @Test("does not come unasked, into a response that is not a stream, into the middle of a line, or after the end")
    func none() throws {
        for path in ["/v1/indicator/changes", "/v1/indicator/changes?heartbeat=0", "/heartbeat=10"] {
            try begin(path)
            pass(100)
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }
        try begin("/v1/health?heartbeat=10", "application/json")
        pass(100)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try begin("/v1/history/items/x?heartbeat=10", length: 8)
        pass(100)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try begin("/v1/history/items/x?heartbeat=10")
        try send("{\"text")
        pass(100)
        #expect(try sent() == "{\"text")
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        pass(100)
        #expect(try sent() == "")
    }

    @Test(
        "an interval that is not a number of seconds from 1 to 3600 is refused",
        arguments: ["0", "3601", "-1", "x", ""])
    func bounds(_ text: String) {
        #expect(throws: RouteError.self) { try Heartbeat.interval("heartbeat=\(text)") }
    }
}
