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

    private struct Stream {
        let beat: ByteBuffer
        let interval: TimeAmount
        var last: NIODeadline
        /// Whether the last bytes ended a line.
        var isBetweenLines = true
    }

    /// Of the requests that are not answered yet, oldest first.
    private var intervals: [TimeAmount?] = []
    private var stream: Stream?
    private var next: Scheduled<Void>?

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
        case .head(let head):
            let type = head.headerFields[.contentType] ?? ""
            if let interval = intervals.first ?? nil, let beat = Self.beats[type],
                head.headerFields[.contentLength] == nil
            {
                stream = Stream(beat: ByteBuffer(string: beat), interval: interval, last: context.eventLoop.now)
                schedule(context)
            }
        case .body(let bytes):
            guard let last = bytes.readableBytesView.last else { break }
            stream?.last = context.eventLoop.now
            stream?.isBetweenLines = last == UInt8(ascii: "\n")
        case .end:
            if !intervals.isEmpty { intervals.removeFirst() }
            end()
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        next?.cancel()
        (stream, next) = (nil, nil)
    }

    /// Each line moves the deadline; the check before finds that nothing is due yet.
    private func schedule(_ context: ChannelHandlerContext) {
        guard let stream else { return }
        let loop = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        next = context.eventLoop.scheduleTask(deadline: stream.last + stream.interval) {
            let (heartbeat, context) = loop.value
            heartbeat.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard let stream else { return }
        let now = context.eventLoop.now
        if stream.last + stream.interval <= now {
            self.stream?.last = now
            // A client that does not read its lines needs no beat.
            if stream.isBetweenLines, context.channel.isWritable {
                context.writeAndFlush(wrapOutboundOut(.body(stream.beat)), promise: nil)
            }
        }
        schedule(context)
    }
}
