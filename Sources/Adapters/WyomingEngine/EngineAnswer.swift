import NIOCore
import RecognizerProtocol
import Speech
import Synchronization

/// Waits for the transcript among what an engine sends. Believes nothing of it: everything is bounded before it is read.
final class EngineAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: EventLoopPromise<String>
    private let question: EngineQuestion
    private let address: EngineAddress
    private let limits: EngineLimits
    private var decoder = WyomingDecoder(limits: WyomingLimits(header: 65_536, data: 262_144, payload: 65_536))
    private var events = 0

    init(
        _ answer: EventLoopPromise<String>, to question: EngineQuestion, _ address: EngineAddress,
        _ limits: EngineLimits
    ) {
        self.answer = answer
        self.question = question
        self.address = address
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        decoder.append(unwrapInboundIn(data).readableBytesView)
        do {
            while let event = try decoder.next() { try take(event) }
        } catch {
            answer.fail(error as? EngineFailure ?? garbage("is not Wyoming"))
            // Here, since the session may not hold the connection yet: no more audio goes to it.
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(OutsideEngine.died(address)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(OutsideEngine.died(address))
        context.close(promise: nil)
    }

    private func take(_ event: WyomingEvent) throws(EngineFailure) {
        events += 1
        guard events <= limits.events else { throw garbage("goes on and on without a transcript") }
        switch event.type {
        case "transcript":
            guard question.isPut else { throw garbage("comes before it was asked") }
            guard let text = event.data["text"]?.string, text.utf8.count <= limits.text, let line = Self.line(text)
            else { throw garbage("is no text, or too long a one") }
            answer.succeed(line)
        case "error":
            let reason = event.data["text"]?.string.flatMap(Self.line)?.prefix(200) ?? "no reason"
            throw EngineFailure(code: .refused, message: "\(address) answered with an error: \(reason)")
        // The transcript comes whole behind its pieces.
        default: break
        }
    }

    private func garbage(_ what: String) -> EngineFailure {
        EngineFailure(code: .garbage, message: "What \(address) answers \(what). Look whether it is a Wyoming engine.")
    }

    /// Words with single spaces between them; `nil` where control characters are among them. Without characters that turn the
    /// direction of what stands beside them.
    private static func line(_ text: String) -> String? {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isBidiControl }))
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : words
    }
}

/// Whether an engine was given the whole utterance, so that an answer can be one.
final class EngineQuestion: Sendable {
    private let state = Mutex(false)

    var isPut: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A session's connection to an engine outside of the service, if there is one at the moment. Once closed it stays closed.
final class EngineLine: Sendable {
    private struct State {
        var channel: (any Channel)?
        var isOpen = true
        var hasSent = false
    }

    private let state = Mutex(State())
    /// Asked before each piece of audio.
    private let mayListen: @Sendable () -> Bool

    init(mayListen: @escaping @Sendable () -> Bool) { self.mayListen = mayListen }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Whether any audio was let through.
    var hasSent: Bool { state.withLock { $0.hasSent } }

    /// - Returns: `false` when it was closed meanwhile; nothing may be sent then.
    func connect(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.channel = channel
            return true
        }
    }

    /// Whether audio may go out now.
    var isAllowed: Bool { isOpen && mayListen() }

    /// Asked for every piece of audio: from now on it counts as sent.
    func mayCarryAudio() -> Bool {
        guard mayListen() else { return false }
        return state.withLock { state in
            if state.isOpen { state.hasSent = true }
            return state.isOpen
        }
    }

    /// Ends one exchange. Another may follow.
    func hangUp() { state.withLock { $0.channel.take() }?.close(promise: nil) }

    /// Ends everything at once, whatever is under way.
    func close() {
        state.withLock { $0.isOpen = false }
        hangUp()
    }
}
