import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import SocketAPI
import Synchronization
import Testing

@testable import Service

@Suite("A connection beyond a quota")
struct SpareConnectionTests {
    private final class Calls: Sendable {
        let complete = Atomic(0)
        let refused = Atomic(0)
    }

    private let channel = EmbeddedChannel()
    private let calls = Calls()
    private let spare: SpareConnection

    init() throws {
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/v")).wait()
        spare = SpareConnection(
            RouteError(.unavailable, "Too many."), on: channel,
            onComplete: { [calls] in calls.complete.add(1, ordering: .relaxed) },
            onRefusal: { [calls] in calls.refused.add(1, ordering: .relaxed) })
        try channel.pipeline.syncOperations.addHandler(SpareRequest(spare))
    }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    private var counts: [Int] {
        [calls.complete.load(ordering: .relaxed), calls.refused.load(ordering: .relaxed)]
    }

    private func send(_ parts: HTTPRequestPart...) throws { for part in parts { try channel.writeInbound(part) } }

    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/v1/mute"))

    /// The parts that the routes get.
    private func passed() throws -> Int {
        var parts = 0
        while try channel.readInbound(as: HTTPRequestPart.self) != nil { parts += 1 }
        return parts
    }

    @Test("a request that is not complete within 3 s ends the connection", arguments: [true, false])
    func slow(hasBegun: Bool) throws {
        if hasBegun { try send(Self.head) }
        pass(2)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        #expect(counts == [0, 0])
    }

    @Test(
        "a request that does not revoke gets the error", arguments: [RouteAccess.client, .client.streaming, .process])
    func other(_ access: RouteAccess) throws {
        try send(Self.head, .end(nil))
        let error = #expect(throws: RouteError.self) { try spare.admit(access) }
        #expect(error?.message == "Too many.")
        #expect(counts == [1, 1])
        try spare.admit(access.alwaysServed)
    }

    @Test("a silent connection that gives way to a newcomer gets the error, and its request is not served")
    func givesWay() throws {
        try send(Self.head)
        spare.giveWay()
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(head.status == .serviceUnavailable)
        #expect(head.headerFields[.retryAfter] == "1")
        #expect(head.headerFields[.connection] == "close")
        #expect(!channel.isActive)
        #expect(!spare.complete())
        #expect(counts == [0, 1])
    }

    @Test("one complete request passes, a second does not, and it gives no way; the answer may take 30 s")
    func served() throws {
        let quiesces = Quiesces()
        try channel.pipeline.syncOperations.addHandler(quiesces)
        try send(Self.head, .end(nil))
        #expect(counts == [1, 0])
        #expect(try passed() == 2)
        spare.giveWay()
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
        try spare.begin()
        #expect(quiesces.count == 1, "the answer is the last one")
        #expect(throws: CancellationError.self) { try spare.begin() }
        try send(Self.head, .end(nil))
        #expect(try passed() == 0)
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    private final class Quiesces: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart

        private(set) var count = 0

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { count += 1 }
        }
    }
}
