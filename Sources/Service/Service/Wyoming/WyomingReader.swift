import NIOCore
import RecognizerProtocol

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
