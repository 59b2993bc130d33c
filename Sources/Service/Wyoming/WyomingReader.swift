import NIOCore
import Wyoming

/// The events of one connection, one after the other, each within bounds of size and time.
final class WyomingReader: @unchecked Sendable {
    // Safe: handed from the conversation to a session's sound and back, and never used by two at a time.
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var decoder = WyomingDecoder(limits: WyomingReader.limits)
    private let clock: WyomingClock
    private var hasBegun = false

    /// A header with its terms in line, a message of them, and ten seconds of a recording in one piece.
    static let limits = WyomingLimits(header: 65_536, data: 65_536, payload: 1_048_576)
    /// For the first whole event of a connection, and for one that has begun.
    static let firstPatience = Duration.seconds(30)
    /// Between two transcriptions.
    static let idlePatience = Duration.seconds(300)
    /// Between two pieces of audio.
    static let audioPatience = Duration.seconds(30)
    private static let drainPatience = Duration.seconds(2)

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ clock: WyomingClock) {
        iterator = inbound.makeAsyncIterator()
        self.clock = clock
    }

    /// The next whole event, or `nil` where the client has ended the stream between two.
    ///
    /// - Throws: `WyomingError` for what is not the protocol, `RouteError` for an end in the middle, and the channel's error.
    func next(isAudio: Bool = false) async throws -> WyomingEvent? {
        if let event = try decoder.next() { return begun(event) }
        let patience = !hasBegun ? Self.firstPatience : isAudio ? Self.audioPatience : Self.idlePatience
        guard !decoder.isAtBoundary else { return try await read(within: patience) }
        return try await read(within: min(patience, Self.audioPatience))
    }

    private func begun(_ event: WyomingEvent) -> WyomingEvent {
        hasBegun = true
        return event
    }

    private func read(within patience: Duration) async throws -> WyomingEvent? {
        let start = ContinuousClock.now
        var limit = patience
        while true {
            let left = max(limit - (ContinuousClock.now - start), .zero)
            guard let piece = try await clock.waiting(for: left, { try await piece() }) else {
                guard decoder.isAtBoundary else {
                    throw RouteError(.badRequest, "The stream ended in the middle of an event.")
                }
                return nil
            }
            decoder.append(piece.readableBytesView)
            if let event = try decoder.next() { return begun(event) }
            // A whole event is waited for, and not its next byte: one that drips is no event.
            limit = min(limit, ContinuousClock.now - start + Self.audioPatience)
        }
    }

    /// Reads what a client has sent meanwhile and throws it away, until it ends the stream or takes too long: a socket that
    /// is closed with something unread in it takes its own last words back (unix(7), tcp(7)).
    func drain() async {
        let end = ContinuousClock.now + Self.drainPatience
        while ContinuousClock.now < end {
            guard (try? await clock.waiting(for: end - .now, { try await piece() })) ?? nil != nil else { return }
        }
    }

    private func piece() async throws -> ByteBuffer? {
        var reading = iterator
        defer { iterator = reading }
        return try await reading.next()
    }
}
