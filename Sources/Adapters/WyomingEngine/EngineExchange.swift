import NIOCore
import RecognizerProtocol
import Speech
import Synchronization

/// What an external engine is asked to do with an utterance.
struct EngineRequest: Sendable, Hashable {
    /// The engine's tag of the language; `nil`: any.
    var language: String?
    /// Likely phrases.
    var terms: [String] = []

    /// The protocol has no place for sample text, alternatives and what is kept of a voice.
    static let options: Set<RecognitionOption> = [.contextPhrases]

    /// Bytes of all phrases: engines read events of bounded length.
    private static let longestTerms = 32_768

    init(language: String? = nil, terms: [String] = []) {
        self.language = language
        var left = Self.longestTerms
        self.terms = Array(
            terms.prefix {
                left -= $0.utf8.count
                return left >= 0
            })
    }

    var event: WyomingEvent {
        var data: [String: WyomingValue] = [:]
        if let language { data["language"] = .string(language) }
        if !terms.isEmpty { data["transcript_terms"] = .array(terms.map { .string($0) }) }
        return WyomingEvent(type: "transcribe", data: data)
    }
}

/// One utterance, over its own channel, because some engines close theirs after one. Audio can be put before and while
/// it is sent; the answer ends the exchange.
final class EngineExchange: Sendable {
    private struct State {
        var channel: (any Channel)?
        var hasBegun = false
        /// The engine has the whole utterance, so that a transcript can be its answer.
        var hasSentAll = false
        var isOver = false
        /// Samples that were put.
        var samples = 0
        /// The chunks of the transcript so far.
        var text = ""
    }

    typealias Outcome = Result<String, RecognitionError>

    private let engine: OutsideEngine
    private let request: EngineRequest
    private let connection: EngineConnection
    private let live: @Sendable (PartialTranscript) -> Void
    private let state = Mutex(State())
    private let audio: (stream: AsyncStream<[Int16]>, continuation: AsyncStream<[Int16]>.Continuation)
    private let outcomes: (stream: AsyncStream<Outcome>, continuation: AsyncStream<Outcome>.Continuation)

    /// Bytes of audio in one event.
    private static let pieceLength = 8_192

    /// - Parameters:
    ///   - connection: closed by the session's end; nothing is sent then.
    ///   - live: gets the text of the utterance so far, on the channel's event loop.
    init(
        _ engine: OutsideEngine, _ request: EngineRequest, over connection: EngineConnection,
        live: @escaping @Sendable (PartialTranscript) -> Void = { _ in }
    ) {
        self.engine = engine
        self.request = request
        self.connection = connection
        self.live = live
        // `EngineLimits.utterance` bounds it.
        audio = AsyncStream.makeStream(of: [Int16].self)
        outcomes = AsyncStream.makeStream(of: Outcome.self)
    }

    /// Samples that were put.
    var samples: Int { state.withLock { $0.samples } }

    /// Takes the next samples of the utterance: 16 kHz, one channel. One that becomes too long is abandoned.
    func put(_ samples: [Int16]) {
        let isTooLong = state.withLock { state in
            state.samples += samples.count
            return Double(state.samples) > engine.limits.utterance * 16_000
        }
        if isTooLong { abandon() } else if !samples.isEmpty { audio.continuation.yield(samples) }
    }

    /// The utterance is complete.
    func end() { audio.continuation.finish() }

    /// Connects and sends what was put and will be. Only the first call has an effect.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && !state.isOver
        }
        guard isFirst else { return }
        guard connection.add(self) else { return abandon() }
        Task {
            do throws(RecognitionError) {
                let receiver = EngineEvents.Receiver(take: take) { self.settle(.failure($0)) }
                let channel = try await engine.connect(receiver)
                guard keep(channel) else { return channel.close(promise: nil) }
                try await engine.checkOwner(of: channel)
                try await send(over: channel)
            } catch {
                settle(.failure(error))
            }
        }
    }

    /// Waits for the answer; the time that the engine has for it begins here. Call it once, after `end()`.
    ///
    /// - Returns: one line of text, empty if the engine found no words; or why there is none.
    func answer() async -> Outcome {
        begin()
        let limit = engine.limits.answer(to: samples)
        let deadline = Task { [engine] in
            try await Task.sleep(for: limit)
            let seconds = limit.components.seconds
            settle(
                .failure(
                    RecognitionError(
                        code: .workerHung,
                        message: "\(engine.address) did not answer within \(seconds) seconds. Restart it.")))
        }
        defer { deadline.cancel() }
        for await outcome in outcomes.stream { return outcome }
        return .failure(engine.address.died)
    }

    /// Ends it without an answer.
    func abandon() { settle(.failure(engine.address.died)) }

    /// The first outcome is the exchange's.
    private func settle(_ outcome: Outcome) {
        let (isFirst, channel) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.channel.take())
        }
        channel?.close(promise: nil)
        guard isFirst else { return }
        connection.remove(self)
        audio.continuation.finish()
        outcomes.continuation.yield(outcome)
        outcomes.continuation.finish()
    }

    private func keep(_ channel: any Channel) -> Bool {
        state.withLock { state in
            if !state.isOver { state.channel = channel }
            return !state.isOver
        }
    }

    private func send(over channel: any Channel) async throws(RecognitionError) {
        let format: [String: WyomingValue] = ["rate": .number(16_000), "width": .number(2), "channels": .number(1)]
        guard connection.mayCarryAudio() else { throw engine.address.died }
        try await write(request.event, channel)
        try await write(WyomingEvent(type: "audio-start", data: format), channel)
        for await samples in audio.stream {
            var rest = samples[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceLength / 2)
                rest = rest.dropFirst(piece.count)
                guard connection.mayCarryAudio() else { throw engine.address.died }
                try await write(
                    WyomingEvent(type: "audio-chunk", data: format, payload: Frames.bytes(of: piece)), channel)
            }
        }
        state.withLock { $0.hasSentAll = true }
        try await write(WyomingEvent(type: "audio-stop"), channel)
    }

    private func write(_ event: WyomingEvent, _ channel: any Channel) async throws(RecognitionError) {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: try event.encoded())).get()
        } catch {
            throw engine.address.died
        }
    }

    private func take(_ event: WyomingEvent) throws(RecognitionError) {
        switch event.type {
        case "transcript-chunk":
            let addition = try text(of: event)
            guard !addition.isEmpty else { return }
            let text = state.withLock { state -> String? in
                guard !state.isOver else { return nil }
                state.text += addition
                return state.text
            }
            guard let text else { return }
            guard text.utf8.count <= engine.limits.text, let line = Self.line(text) else {
                throw engine.address.garbage("is not text, or too long")
            }
            live(PartialTranscript(text: line, stablePrefix: Self.settled(line, of: text)))
        case "transcript":
            guard state.withLock({ $0.hasSentAll }) else {
                throw engine.address.garbage("comes before the end of the audio")
            }
            guard let line = Self.line(try text(of: event)) else { throw engine.address.garbage("is not text") }
            settle(.success(line))
        case "error":
            let reason = event.data["text"]?.string.flatMap(Self.line)?.prefix(200) ?? "no reason"
            throw RecognitionError(
                code: .decodingFailed, message: "\(engine.address) answered with an error: \(reason)")
        default: break
        }
    }

    private func text(of event: WyomingEvent) throws(RecognitionError) -> String {
        guard let text = event.data["text"]?.string, text.utf8.count <= engine.limits.text else {
            throw engine.address.garbage("is not text, or too long")
        }
        return text
    }

    /// Words with single spaces between them, without characters that change the direction of text; `nil` if there are control
    /// characters.
    private static func line(_ text: String) -> String? {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isBidiControl }))
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : words
    }

    /// Bytes of the words that no further chunk changes: a chunk may end within a word.
    private static func settled(_ line: String, of text: String) -> Int {
        if text.last?.isWhitespace == true { return line.utf8.count }
        return line.lastIndex(of: " ").map { line.utf8.distance(from: line.startIndex, to: $0) } ?? 0
    }
}
