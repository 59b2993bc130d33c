import Authorization
import Speech
import Synchronization

/// One session of the service's recogniser whose final texts come from an external engine. Live text goes on while the engine
/// is asked: the final text of an utterance may come after the beginning of the next one. Final texts keep their order, and the
/// last events of the session follow them. The session fails with its engine.
///
/// An engine that streams text hears an utterance while it is spoken, and gives its live text, too; others get it when it is
/// over. Each utterance has its own exchange, of which several can be open. A file waits while too much of it waits for the
/// engine.
final class EngineSession: RecognitionSession {
    /// An utterance whose text is due, or an event that must not overtake one.
    private enum Item: Sendable {
        /// With its number. Without an exchange the engine is not asked.
        case utterance(Transcript, Int, EngineExchange?)
        case event(RecognitionEvent)
    }

    private struct State {
        var audio = UtteranceAudio()
        /// Of a file: the sound of the utterance whose text is next.
        var sound: [Int16] = []
        /// Samples that wait for the engine, which bounds the memory.
        var waiting = 0
        /// The utterance that is sent while it is spoken.
        var open: EngineExchange?
        /// Utterances that have begun.
        var begun = 0
        /// The utterance whose live text may come from the engine, and whether it did.
        var live: (number: Int, hasText: Bool)?
        /// What waits until less waits for the engine.
        var waiters: [CheckedContinuation<Void, Never>] = []
        var isOver = false
    }

    let events: AsyncStream<RecognitionEvent>

    private let session: any RecognitionSession
    private let knowsLanguage: Bool
    private let isFile: Bool
    private let engine: OutsideEngine
    private let request: EngineRequest
    private let connection: EngineConnection
    private let state = Mutex(State())
    private let queue = EventQueue<RecognitionEvent>()
    private let relaying: Task<Void, Never>

    /// - Parameters:
    ///   - session: finds the utterances. Of a file it gives their sound.
    ///   - knowsLanguage: whether the session understands what is spoken: then its live text is shown, its utterances without
    ///     words are not sent, and its texts are used when the permission excludes the engine.
    init(
        _ session: any RecognitionSession, knowsLanguage: Bool = true, ofFile isFile: Bool = false,
        asking engine: OutsideEngine, _ request: EngineRequest = EngineRequest(), lease: Lease
    ) {
        self.session = session
        self.knowsLanguage = knowsLanguage
        self.isFile = isFile
        self.engine = engine
        self.request = request
        let connection = EngineConnection { lease.isLive && lease.fidelity == .full }
        self.connection = connection
        // At once, on the thread that ends the permission: nothing more is sent.
        lease.onEnd { _ in connection.close() }
        events = AsyncStream { [queue] in await queue.next() }
        let (relay, relays) = AsyncStream.makeStream(of: EngineSession.self)
        relaying = Task { [queue] in
            for await session in relay { await session.relay() }
            queue.close(nil)
        }
        relays.yield(self)
        relays.finish()
        lease.onLowering { [weak self] in self?.fidelityLowered() }
    }

    var hasSentAudio: Bool { connection.hasSentAudio }

    /// Whether a file waits for the engine.
    var isHoldingUp: Bool { state.withLock { !$0.waiters.isEmpty } }

    func accept(_ frames: Frames) async -> Bool {
        if connection.isOpen {
            state.withLock { state in
                state.audio.append(frames)
                if let open = state.open { open.put(state.audio.next()) }
            }
        }
        return await session.accept(frames)
    }

    func skip(to position: Int64) async { await session.skip(to: position) }

    func accept(file bytes: [UInt8]) async {
        await hasRoom()
        await session.accept(file: bytes)
    }

    func finish() async { await session.finish() }

    func cancel() async {
        connection.close()
        relaying.cancel()
        await session.cancel()
    }

    private func relay() async {
        // `EngineLimits.waiting` bounds it; a text must not be lost.
        let (items, item) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .unbounded)
        async let asking: Void = ask(items)
        var began = 0.0
        for await event in session.events {
            switch event {
            case .speechStarted(let at):
                began = at
                begin(at)
            case .partial(let partial): if let partial = passing(partial) { queue.append(live: partial) }
            case .sound(let samples): state.withLock { $0.sound += samples }
            case .final(let transcript):
                if isFile { await hasRoom() }
                let (number, exchange) = end(transcript, since: began)
                item.yield(.utterance(transcript, number, exchange))
            default: item.yield(.event(event))
            }
        }
        item.finish()
        await asking
        connection.close()
    }

    private func begin(_ start: Double) {
        let exchange = state.withLock { state -> EngineExchange? in
            state.begun += 1
            state.live = nil
            queue.append(.speechStarted(at: start))
            guard !isFile, engine.declared?.streamsText == true, connection.isOpen, takesMore(state) else { return nil }
            let number = state.begun
            let exchange = EngineExchange(engine, request, over: connection) { [weak self] in
                self?.show($0, of: number)
            }
            exchange.put(state.audio.begin(at: start))
            (state.open, state.live) = (exchange, (number, false))
            return exchange
        }
        exchange?.begin()
    }

    private func takesMore(_ state: State) -> Bool {
        connection.exchanges < engine.limits.utterances && !isBehind(state)
    }

    private func isBehind(_ state: State) -> Bool { Double(state.waiting) > engine.limits.waiting * 16_000 }

    /// Waits while the engine is behind. Each of its answers has a deadline.
    private func hasRoom() async {
        while state.withLock({ !$0.isOver && isBehind($0) }) {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    let isWaiting = !state.isOver && isBehind(state)
                    if isWaiting { state.waiters.append(continuation) }
                    return isWaiting
                }
                if !isWaiting { continuation.resume() }
            }
        }
    }

    private func resumeWaiters() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The engine's live text, which no other follows in its utterance.
    private func show(_ text: PartialTranscript, of number: Int) {
        state.withLock { state in
            guard state.live?.number == number else { return }
            state.live?.hasText = true
            queue.append(live: text)
        }
    }

    /// The service's live text as the client gets it. It promises nothing where the engine's may follow.
    private func passing(_ partial: PartialTranscript) -> PartialTranscript? {
        guard knowsLanguage else { return nil }
        return state.withLock { state in
            guard let live = state.live else { return partial }
            return live.hasText ? nil : PartialTranscript(text: partial.text, stablePrefix: 0)
        }
    }

    /// - Returns: the utterance's number, and what is asked for its text.
    private func end(_ transcript: Transcript, since began: Double) -> (Int, EngineExchange?) {
        let limits = engine.limits
        var isTooSlow = false
        let (number, exchange) = state.withLock { state -> (Int, EngineExchange?) in
            let open = state.open.take()
            let exchange = open ?? EngineExchange(engine, request, over: connection)
            if isFile {
                exchange.put(state.sound)
                state.sound = []
            } else if open == nil {
                exchange.put(state.audio.take(from: min(began, transcript.start), to: transcript.end))
            } else {
                exchange.put(state.audio.take(to: transcript.end))
            }
            exchange.end()
            let isShort = 1...Int(limits.utterance * 16_000) ~= exchange.samples
            // Without words it is a knock or a cough, if the recogniser knows the language.
            let isWanted = connection.isOpen && isShort && (!transcript.text.isEmpty || !knowsLanguage)
            isTooSlow = isWanted && isBehind(state)
            guard isWanted, !isTooSlow else {
                state.live = nil
                exchange.abandon()
                return (state.begun, nil)
            }
            state.waiting += exchange.samples
            return (state.begun, exchange)
        }
        if isTooSlow {
            fail(
                RecognitionError(
                    code: .workerHung,
                    message: "\(engine.address) is more than \(Int(limits.waiting)) seconds of speech behind. Use a "
                        + "smaller model there."))
        } else if connection.exchanges < limits.utterances {
            exchange?.begin()
        }
        return (number, exchange)
    }

    private func fail(_ error: RecognitionError) {
        engine.note(error)
        // First: an answer that the closing ends would else be reported as a text.
        queue.close(.failed(error))
        connection.close()
    }

    /// Nothing more is sent.
    private func fidelityLowered() {
        if !knowsLanguage {
            // At once, and not with the next text: its time would reveal speech that is not a phrase.
            queue.close(
                .failed(
                    RecognitionError(
                        code: .languageUnavailable,
                        message: "Only the client's phrases may be recognised now, which \(engine.address) does not "
                            + "get.")))
        }
        connection.close()
        state.withLock { $0.audio = UtteranceAudio() }
    }

    /// Takes one text after the other, while further utterances are sent.
    private func ask(_ items: AsyncStream<Item>) async {
        defer {
            state.withLock { $0.isOver = true }
            resumeWaiters()
        }
        for await item in items {
            switch item {
            case .event(let event): queue.append(event)
            case .utterance(let transcript, let number, let exchange):
                let answer = await exchange?.answer()
                state.withLock { state in
                    state.waiting -= exchange?.samples ?? 0
                    if state.live?.number == number { state.live = nil }
                }
                resumeWaiters()
                switch answer {
                case .success(let text)?:
                    if connection.isOpen { engine.note(nil) }
                    // Wyoming has neither word times nor confidences. The external engine may be better in noise.
                    queue.append(
                        .final(Transcript(text: text, start: transcript.start, end: transcript.end, words: [])))
                // An ended permission and an abandoned session are not failures of the engine.
                case .failure(let error)? where connection.isAllowed: return fail(error)
                case .failure?, nil:
                    queue.append(
                        .final(
                            knowsLanguage
                                ? transcript
                                : Transcript(text: "", start: transcript.start, end: transcript.end, words: [])))
                }
            }
        }
    }
}
