import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import SocketAPI
import Synchronization
import Testing

@testable import Server

@Suite("A request on a connection that is kept for revoking")
struct ReservedRequestTests {
    private final class Calls: Sendable {
        let complete = Atomic(0)
        let refused = Atomic(0)
    }

    private let channel = EmbeddedChannel()
    private let calls = Calls()

    init() throws {
        let complete = channel.eventLoop.makePromise(of: Int32?.self)
        channel.closeFuture.whenComplete { _ in complete.succeed(nil) }
        let handler = ReservedRequest(
            RouteError(.unavailable, "Too many."), serving: TakingAway([(.put, "v1/mute")]), complete,
            onComplete: { [calls] in calls.complete.add(1, ordering: .relaxed) },
            onRefusal: { [calls] in calls.refused.add(1, ordering: .relaxed) })
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/v")).wait()
    }

    private func send(_ method: HTTPRequest.Method, _ path: String) throws {
        try channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: method, scheme: nil, authority: nil, path: path)))
    }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    private var counts: [Int] {
        [calls.complete.load(ordering: .relaxed), calls.refused.load(ordering: .relaxed)]
    }

    @Test("one that is not complete within 3 s ends the connection", arguments: [true, false])
    func slow(hasBegun: Bool) throws {
        if hasBegun { try send(.put, "/v1/mute") }
        pass(2)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        #expect(counts == [0, 0])
    }

    @Test("another request gets the error at once, before its process is inspected, and the connection is closed")
    func other() throws {
        try send(.get, "/v1/settings")
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(head.status == .serviceUnavailable)
        #expect(head.headerFields[.retryAfter] == "1")
        #expect(head.headerFields[.connection] == "close")
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil, "no route gets it")
        #expect(!channel.isActive)
        #expect(counts == [0, 1])
    }

    @Test("a silent connection that gives way to a newcomer gets the error, too; one that is served does not")
    func givesWay() throws {
        ReservedRequest.giveWay(channel)
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(head.status == .serviceUnavailable)
        #expect(!channel.isActive)
        let second = try ReservedRequestTests()
        try second.send(.put, "/v1/mute")
        try second.channel.writeInbound(HTTPRequestPart.end(nil))
        ReservedRequest.giveWay(second.channel)
        #expect(try second.channel.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(second.channel.isActive)
    }

    @Test("one request that revokes passes, a second does not; the answer may take 30 s")
    func served() throws {
        try send(.put, "/v1/mute")
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(counts == [1, 0])
        var parts = 0
        while try channel.readInbound(as: HTTPRequestPart.self) != nil { parts += 1 }
        #expect(parts == 2)
        try send(.put, "/v1/mute")
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }
}
