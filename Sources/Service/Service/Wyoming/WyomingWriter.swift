import NIOCore
import RecognizerProtocol
import SocketAPI

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
