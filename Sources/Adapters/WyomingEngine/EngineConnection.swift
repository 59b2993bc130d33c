import NIOCore
import RecognizerProtocol
import Speech
import Synchronization

/// What a session has to do with an external engine: whether it may hear, and its exchanges, one for each utterance. Once
/// closed it stays closed.
final class EngineConnection: Sendable {
    private struct State {
        var isOpen = true
        var hasSentAudio = false
        var exchanges: [ObjectIdentifier: EngineExchange] = [:]
    }

    private let state = Mutex(State())
    /// Asked before each piece of audio.
    private let mayListen: @Sendable () -> Bool

    init(mayListen: @escaping @Sendable () -> Bool) { self.mayListen = mayListen }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    var hasSentAudio: Bool { state.withLock { $0.hasSentAudio } }

    /// Exchanges that have begun and are not over.
    var exchanges: Int { state.withLock { $0.exchanges.count } }

    /// Whether audio may be sent now.
    var isAllowed: Bool { isOpen && mayListen() }

    /// Asked for everything that the client or the user said or wrote, which counts as sent from then on.
    func mayCarryAudio() -> Bool {
        guard mayListen() else { return false }
        return state.withLock { state in
            if state.isOpen { state.hasSentAudio = true }
            return state.isOpen
        }
    }

    /// - Returns: `false` if it was closed; nothing may be sent then.
    func add(_ exchange: EngineExchange) -> Bool {
        state.withLock { state in
            if state.isOpen { state.exchanges[ObjectIdentifier(exchange)] = exchange }
            return state.isOpen
        }
    }

    func remove(_ exchange: EngineExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Ends all exchanges, at once and for good.
    func close() {
        let exchanges = state.withLock { state in
            state.isOpen = false
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.abandon() }
    }
}

/// The events of one channel, which are not trusted: their number, their bytes and the length of each part are bounded before
/// anything is parsed.
final class EngineEvents: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// What takes the events of a channel, on its event loop.
    struct Receiver: Sendable {
        let take: @Sendable (WyomingEvent) throws(RecognitionError) -> Void
        /// The channel is closed, or a fault in an event closes it.
        let end: @Sendable (RecognitionError) -> Void
    }

    private let receiver: Receiver
    private let address: EngineAddress
    private let limits: EngineLimits
    private var decoder = WyomingDecoder(limits: WyomingLimits(header: 65_536, data: 262_144, payload: 65_536))
    private var events = 0
    private var bytes = 0

    init(_ receiver: Receiver, _ address: EngineAddress, _ limits: EngineLimits) {
        self.receiver = receiver
        self.address = address
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let piece = unwrapInboundIn(data)
        do {
            bytes += piece.readableBytes
            guard bytes <= limits.bytes else { throw address.garbage("is too long") }
            decoder.append(piece.readableBytesView)
            while let event = try decoder.next() {
                events += 1
                guard events <= limits.events else { throw address.garbage("has too many events") }
                try receiver.take(event)
            }
        } catch {
            receiver.end(error as? RecognitionError ?? address.garbage("is not Wyoming"))
            // Here, because the exchange may not have the channel yet.
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { receiver.end(address.died) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        receiver.end(address.died)
        context.close(promise: nil)
    }
}
