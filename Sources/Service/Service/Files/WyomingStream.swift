import NIOCore
import RecognizerProtocol
import SocketAPI
import Synchronization

/// The events of one connection, one after the other, each within bounds of size and time.
final class WyomingReader: @unchecked Sendable {
    // Safe: handed from the conversation to a session's sound and back, and never used by two at a time.
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var decoder = WyomingDecoder(limits: WyomingReader.limits)
    private let clock: WyomingClock
    private var hasBegun = false

    /// A header with its terms in line, a message of them, and ten seconds of a recording in one piece.
    static let limits = WyomingLimits(header: 65_536, data: 65_536, payload: 1_048_576)
    private let patience: WyomingPatience

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ clock: WyomingClock, _ patience: WyomingPatience) {
        self.patience = patience
        iterator = inbound.makeAsyncIterator()
        self.clock = clock
    }

    /// The next whole event, or `nil` where the client has ended the stream between two.
    ///
    /// - Throws: `WyomingError` for what is not the protocol, `RouteError` for an end in the middle, and the channel's error.
    func next(isAudio: Bool = false) async throws -> WyomingEvent? {
        var limit = hasBegun && !isAudio && decoder.isAtBoundary ? patience.idle : patience.event
        let start = ContinuousClock.now
        while true {
            if let event = try decoder.next() {
                hasBegun = true
                return event
            }
            let left = max(limit - (ContinuousClock.now - start), .zero)
            guard let piece = try await clock.waiting(for: left, { try await piece() }) else {
                guard decoder.isAtBoundary else {
                    throw RouteError(.badRequest, "The stream ended in the middle of an event.")
                }
                return nil
            }
            // A whole event is waited for from its first byte on, and not its next one: what drips is no event.
            if decoder.isAtBoundary { limit = min(limit, ContinuousClock.now - start + patience.event) }
            decoder.append(piece.readableBytesView)
        }
    }

    /// Reads what a client has sent meanwhile and throws it away, until it ends the stream or takes too long: a socket that
    /// is closed with something unread in it takes its own last words back (unix(7), tcp(7)).
    func drain() async {
        let end = ContinuousClock.now + patience.drain
        // One that is cancelled may not have waited until nobody else reads.
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

/// What is told over one connection.
struct WyomingWriter: Sendable {
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let clock: WyomingClock
    private let patience: WyomingPatience

    init(
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ clock: WyomingClock, _ patience: WyomingPatience
    ) {
        self.patience = patience
        self.outbound = outbound
        self.clock = clock
    }

    /// In one write, so that a client that leaves after the first of them gets the others no more often than it wants.
    func write(_ events: WyomingEvent...) async throws {
        var bytes = ByteBuffer()
        for event in events { bytes.writeBytes(try event.encoded()) }
        try await clock.waiting(for: patience.event) { try await outbound.write(bytes) }
    }

    /// The last word: what the client can do nothing about by sending more. The connection is to be closed then.
    func fail(_ error: any Error) async {
        guard !clock.isOver, !(error is CancellationError), !(error is ChannelError) else { return }
        var detail = ErrorTranslation.answer(to: error).1.error
        if let error = error as? WyomingError {
            detail = ErrorReply(code: ErrorCode.badRequest.rawValue, message: error.message).error
        }
        // One who has gone needs no answer.
        try? await write(Self.error(detail))
        outbound.finish()
    }

    static func error(code: String, message: String) -> WyomingEvent {
        error(ErrorReply(code: code, message: message).error)
    }

    /// `{"text":"…","code":"denied"}`, with the status, the resource, the client and the command that changes it, as in the
    /// errors of the HTTP socket.
    private static func error(_ detail: ErrorReply.Detail) -> WyomingEvent {
        let extra = [
            "status": detail.status?.rawValue, "resource": detail.resource?.rawValue, "client": detail.client,
            "settings": detail.settings,
        ].compactMapValues { $0.map { WyomingValue.string($0) } }
        return WyomingEvent(
            type: "error",
            data: ["text": .string(detail.message), "code": .string(detail.code)].merging(extra) { own, _ in own })
    }
}

/// Ends a connection whose client is waited for too long. It runs only while the client is waited for: not while a person
/// is asked, nor while the recogniser works.
final class WyomingClock: Sendable {
    private struct State {
        var deadline: Scheduled<Void>?
        var isOver = false
    }

    private let channel: any Channel
    private let state = Mutex(State())

    init(_ channel: any Channel) { self.channel = channel }

    /// Whether the client was waited for too long; the connection is closed then, or soon will be.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Runs what waits for the client. When that takes too long the client is told, and the connection is closed.
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

    /// One who does not read will not read this either, and is not waited for.
    private func expire() {
        state.withLock { $0.isOver = true }
        let message = "Nothing, or less than a whole event, came for too long. Connect again."
        if let bytes = try? WyomingWriter.error(code: "timedOut", message: message).encoded() {
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
        channel.eventLoop.scheduleTask(in: .milliseconds(200)) { [channel] in channel.close(promise: nil) }
    }
}

/// How long a client of the Wyoming door is waited for.
struct WyomingPatience: Sendable {
    /// For a connection's first event, for the rest of one that has begun, for the next piece of audio, and for an answer
    /// to be read.
    var event = Duration.seconds(30)
    /// Between two transcriptions.
    var idle = Duration.seconds(300)
    /// For what a client sends after it was told that it is refused.
    var drain = Duration.seconds(2)
}
