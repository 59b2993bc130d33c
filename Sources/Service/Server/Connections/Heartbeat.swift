import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Sends a beat into a stream in which nothing was sent for as long as its request names (`heartbeat=SECONDS`), so that its
/// client can tell a silent service from one that hangs: an empty line of NDJSON, a comment in server-sent events.
final class Heartbeat: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Seconds that a request may name.
    static let seconds: ClosedRange<Int64> = 1...3_600
    private static let beats = ["application/x-ndjson": "\n", "text/event-stream": ":\n\n"]

    /// Of the requests that are not answered yet, oldest first.
    private var intervals: [TimeAmount?] = []
    /// Of the present answer; `nil`: it has no heartbeat.
    private var stream: (idle: IdleStateHandler, beat: ByteBuffer)?
    /// Whether the last bytes ended a line.
    private var isBetweenLines = true

    /// - Returns: `nil` if the request names none.
    static func interval(_ query: Substring?) throws(RouteError) -> TimeAmount? {
        guard let query, query.contains("heartbeat=") else { return nil }
        guard let text = URI("/?" + query).queryParameters["heartbeat"] else { return nil }
        guard let number = Int64(text), seconds.contains(number) else {
            throw RouteError(
                .invalidValue,
                "heartbeat is a whole number of seconds from \(seconds.lowerBound) to \(seconds.upperBound).")
        }
        return .seconds(number)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let query = head.path?.firstIndex(of: "?").flatMap { head.path?[$0...].dropFirst() }
            intervals.append((try? Self.interval(query)) ?? nil)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            if let last = bytes.readableBytesView.last { isBetweenLines = last == UInt8(ascii: "\n") }
        case .end:
            if !intervals.isEmpty { intervals.removeFirst() }
            if let stream { context.pipeline.syncOperations.removeHandler(stream.idle, promise: nil) }
            stream = nil
        }
        context.write(data, promise: promise)
    }

    private func begin(_ head: HTTPResponse, _ context: ChannelHandlerContext) {
        let type = head.headerFields[.contentType] ?? ""
        guard let interval = intervals.first ?? nil, let beat = Self.beats[type],
            head.headerFields[.contentLength] == nil
        else { return }
        let idle = IdleStateHandler(writeTimeout: interval)
        guard (try? context.pipeline.syncOperations.addHandler(idle, position: .before(self))) != nil else { return }
        stream = (idle, ByteBuffer(string: beat))
        isBetweenLines = true
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case IdleStateHandler.IdleStateEvent.write = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        // A client that does not read its lines needs no beat.
        if let stream, isBetweenLines, context.channel.isWritable {
            context.writeAndFlush(wrapOutboundOut(.body(stream.beat)), promise: nil)
        }
    }
}
