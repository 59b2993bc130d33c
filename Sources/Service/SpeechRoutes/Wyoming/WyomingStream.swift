import NIOCore
import RecognizerProtocol
import Server
import SocketAPI
import Speech
import Synchronization

/// Reads the events of one connection, each within bounds of size and time.
final class WyomingReader: @unchecked Sendable {
    // Safe: the conversation passes it to a session's sound and back; never used by two tasks at a time.
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var decoder = WyomingDecoder(limits: WyomingReader.limits)
    private let clock: WyomingClock
    private var hasBegun = false

    /// Bytes of a header with terms, of a message of terms, and of ten seconds of a recording in one piece.
    static let limits = WyomingLimits(header: 65_536, data: 65_536, payload: 1_048_576)
    private var timeouts: WyomingTimeouts { clock.timeouts }

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ clock: WyomingClock) {
        iterator = inbound.makeAsyncIterator()
        self.clock = clock
    }

    /// The next complete event, or `nil` if the client has ended the stream between two.
    ///
    /// - Throws: `ProtocolError` for a malformed event, `RouteError` for an end in the middle, and the channel's error.
    func next(isAudio: Bool = false) async throws -> WyomingEvent? {
        var limit = hasBegun && !isAudio && decoder.isAtBoundary ? timeouts.idle : timeouts.event
        let start = ContinuousClock.now
        while true {
            if let event = try decoder.next() {
                hasBegun = true
                return event
            }
            let left = max(limit - (ContinuousClock.now - start), .zero)
            guard let piece = try await clock.waiting(for: left, { try await piece() }) else {
                guard decoder.isAtBoundary else {
                    throw RouteError(.clientGone, "The stream ended in the middle of an event. Send it again.")
                }
                return nil
            }
            // The timeout of an event counts from its first byte, so that a client cannot extend it byte by byte.
            if decoder.isAtBoundary { limit = min(limit, ContinuousClock.now - start + timeouts.event) }
            decoder.append(piece.readableBytesView)
        }
    }

    /// Reads and drops what a client has sent meanwhile, until it ends the stream or takes too long: closing a socket with
    /// unread data discards what was written to it last (unix(7), tcp(7)).
    func drain() async {
        let end = ContinuousClock.now + timeouts.drain
        // After a cancellation a session may still be reading.
        while ContinuousClock.now < end, !Task.isCancelled {
            guard (try? await clock.waiting(for: end - .now, { try await piece() })) ?? nil != nil else { return }
        }
    }

    private func piece() async throws -> ByteBuffer? {
        var reading = iterator
        defer { iterator = reading }
        return try await reading.next()
    }
}

struct WyomingWriter: Sendable {
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    let clock: WyomingClock

    /// Writes all events at once, because a client may close the connection after the first.
    func write(_ events: WyomingEvent...) async throws {
        var bytes = ByteBuffer()
        for event in events { bytes.writeBytes(try event.encoded()) }
        try await clock.waiting(for: clock.timeouts.event) { try await outbound.write(bytes) }
    }

    /// Writes an error as the last event; close the connection then.
    func fail(_ error: any Error) async {
        guard !clock.isOver, !(error is CancellationError), !(error is ChannelError) else { return }
        var detail = ErrorTranslation.answer(to: error).1.error
        if let error = error as? ProtocolError {
            detail = ErrorReply(code: ErrorCode.badRequest.rawValue, message: error.message).error
        }
        // A client that is gone needs no answer.
        try? await write(Self.error(detail))
        outbound.finish()
    }

    /// `{"text":"…","code":"denied"}`, with the status, the resource, the client and the command that changes it, as in the
    /// errors of the HTTP socket.
    static func error(_ detail: ErrorReply.Detail) -> WyomingEvent {
        let extra = [
            "status": detail.status?.rawValue, "resource": detail.resource?.rawValue, "client": detail.client,
            "settings": detail.settings,
        ].compactMapValues { $0.map { WyomingValue.string($0) } }
        return WyomingEvent(
            type: "error",
            data: ["text": .string(detail.message), "code": .string(detail.code)].merging(extra) { own, _ in own })
    }
}

/// Closes a connection whose client lets the service wait too long. It runs only while the service waits for the client: not
/// during a prompt, nor while the recogniser works.
final class WyomingClock: Sendable {
    private let channel: any Channel
    let timeouts: WyomingTimeouts
    private let state = Mutex<(deadline: Scheduled<Void>?, isOver: Bool)>((nil, false))

    init(_ channel: any Channel, _ timeouts: WyomingTimeouts) {
        self.channel = channel
        self.timeouts = timeouts
    }

    /// Whether a timeout has passed; the connection is closed then, or soon will be.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Runs what waits for the client. After the timeout an error is sent and the connection closed.
    func waiting<Result>(for limit: Duration, _ work: () async throws -> Result) async rethrows -> Result {
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { [weak self] () -> Void in self?.expire()
        }
        state.withLock { $0.deadline = deadline }
        defer {
            deadline.cancel()
            state.withLock { $0.deadline = nil }
        }
        return try await work()
    }

    /// Does not wait for the error to be read: a client that does not read would not read it either.
    private func expire() {
        state.withLock { $0.isOver = true }
        // A session that reads the connection ends for this reason, and not because the connection closes.
        channel.pipeline.fireErrorCaught(UploadError.clientStalled)
        let message = "The client sent no complete event in time. Connect again."
        let reply = ErrorReply(code: ErrorCode.clientStalled.rawValue, message: message)
        if let bytes = try? WyomingWriter.error(reply.error).encoded() {
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
        channel.eventLoop.scheduleTask(in: .milliseconds(200)) { [channel] in channel.close(promise: nil) }
    }
}

/// How long the service waits for a Wyoming client.
struct WyomingTimeouts: Sendable {
    /// For a connection's first event, for the rest of an event that has begun, for the next piece of audio, and for an
    /// answer to be read.
    var event = Duration.seconds(30)
    /// Between two transcriptions.
    var idle = Duration.seconds(300)
    /// For what a client still sends after it was refused.
    var drain = Duration.seconds(2)
}
