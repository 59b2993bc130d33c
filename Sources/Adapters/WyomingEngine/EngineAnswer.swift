import NIOCore
import RecognizerProtocol
import Speech
import Synchronization

/// Finds the transcript in an external engine's reply, which is not trusted: everything is bounded before it is read.
final class EngineAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: EventLoopPromise<String>
    private let connection: EngineConnection
    private let address: EngineAddress
    private let limits: EngineLimits
    private var decoder = WyomingDecoder(limits: WyomingLimits(header: 65_536, data: 262_144, payload: 65_536))
    private var events = 0

    init(
        _ answer: EventLoopPromise<String>, over connection: EngineConnection, _ address: EngineAddress,
        _ limits: EngineLimits
    ) {
        self.answer = answer
        self.connection = connection
        self.address = address
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        decoder.append(unwrapInboundIn(data).readableBytesView)
        do {
            while let event = try decoder.next() { try take(event) }
        } catch {
            answer.fail(error as? EngineFallback ?? garbage("is not Wyoming"))
            // Here, because the session may not have the channel yet: it sends no more audio.
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(address.died) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(address.died)
        context.close(promise: nil)
    }

    private func take(_ event: WyomingEvent) throws(EngineFallback) {
        events += 1
        guard events <= limits.events else { throw garbage("has too many events and no transcript") }
        switch event.type {
        case "transcript":
            guard connection.hasSentUtterance else { throw garbage("comes before the end of the audio") }
            guard let text = event.data["text"]?.string, text.utf8.count <= limits.text, let line = Self.line(text)
            else { throw garbage("is no text, or too long") }
            answer.succeed(line)
        case "error":
            let reason = event.data["text"]?.string.flatMap(Self.line)?.prefix(200) ?? "no reason"
            throw address.failure(.refused, "\(address) answered with an error: \(reason)")
        // The transcript follows its chunks as a whole.
        default: break
        }
    }

    private func garbage(_ what: String) -> EngineFallback {
        address.failure(.garbage, "The answer of \(address) \(what). Check that it is a Wyoming engine.")
    }

    /// Words with single spaces between them, without characters that change the direction of text; `nil` if there are control
    /// characters.
    private static func line(_ text: String) -> String? {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isBidiControl }))
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : words
    }
}

/// A session's connection to an external engine, one channel for each utterance. Once closed it stays closed.
final class EngineConnection: Sendable {
    private struct State {
        var channel: (any Channel)?
        var isOpen = true
        var hasSentAudio = false
        var hasSentUtterance = false
    }

    private let state = Mutex(State())
    /// Asked before each piece of audio.
    private let mayListen: @Sendable () -> Bool

    init(mayListen: @escaping @Sendable () -> Bool) { self.mayListen = mayListen }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    var hasSentAudio: Bool { state.withLock { $0.hasSentAudio } }

    /// Whether the engine has the whole utterance, so that a transcript can be its answer.
    var hasSentUtterance: Bool {
        get { state.withLock { $0.hasSentUtterance } }
        set { state.withLock { $0.hasSentUtterance = newValue } }
    }

    /// - Returns: `false` if the connection was closed; nothing may be sent then.
    func connect(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.channel = channel
            return true
        }
    }

    /// Whether audio may be sent now.
    var isAllowed: Bool { isOpen && mayListen() }

    /// Asked for every piece of audio, which counts as sent from then on.
    func mayCarryAudio() -> Bool {
        guard mayListen() else { return false }
        return state.withLock { state in
            if state.isOpen { state.hasSentAudio = true }
            return state.isOpen
        }
    }

    /// Closes the channel. Another utterance may follow.
    func hangUp() { state.withLock { $0.channel.take() }?.close(promise: nil) }

    /// Closes at once and for good.
    func close() {
        state.withLock { $0.isOpen = false }
        hangUp()
    }
}
