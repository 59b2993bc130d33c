import Authorization
import Speech
import Synchronization

/// A recogniser with the service's own live text and utterance boundaries, whose final text comes from an external engine.
///
/// For dictation by microphone at full fidelity only: phrases, grammars and files stay in the service.
public struct EngineRecognizer: Recognizer {
    private let recognizer: any Recognizer
    private let outside: OutsideEngine

    public init(_ recognizer: any Recognizer, asking engine: OutsideEngine) {
        self.recognizer = recognizer
        outside = engine
    }

    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        guard configuration.input == .live, case .dictation = configuration.task else {
            return recognizer.engine(for: configuration)
        }
        return .outside(name: "\(outside.address)")
    }

    public func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        let session = try await recognizer.start(configuration, grant: grant)
        guard engine(for: configuration).isOutside else { return session }
        return EngineSession(
            session, asking: outside, lease: grant.lease,
            fallingBack: EngineChange(
                [.dictation], from: engine(for: configuration), to: recognizer.engine(for: configuration), .fallback))
    }
}

/// One session of the service's recogniser whose final texts come from an external engine, until that fails. Live text goes on
/// while the engine is asked: the final text of an utterance may come after the beginning of the next one. Final texts keep
/// their order, and the last events of the session follow them.
final class EngineSession: RecognitionSession {
    /// An utterance whose text is due, or an event that must not overtake one.
    private enum Item: Sendable {
        case utterance(Transcript, samples: [Int16])
        case event(RecognitionEvent)
    }

    private struct State {
        var audio = UtteranceAudio()
        /// Samples that wait for the engine, which bounds the memory.
        var waiting = 0
        /// Why the engine is no longer asked; reported before the next text.
        var fallback: EngineFallback?
    }

    let events: AsyncStream<RecognitionEvent>

    private let session: any RecognitionSession
    private let engine: OutsideEngine
    private let connection: EngineConnection
    private let fallingBack: EngineChange
    private let state = Mutex(State())
    private let relaying: Task<Void, Never>

    init(
        _ session: any RecognitionSession, asking engine: OutsideEngine, lease: Lease, fallingBack: EngineChange
    ) {
        self.session = session
        self.engine = engine
        self.fallingBack = fallingBack
        let connection = EngineConnection { lease.isLive && lease.fidelity == .full }
        self.connection = connection
        // At once, on the thread that ends the permission: nothing more is sent.
        lease.onEnd { _ in connection.close() }
        let (events, queue) = AsyncStream.makeStream(of: RecognitionEvent.self)
        self.events = events
        let (relay, relays) = AsyncStream.makeStream(of: EngineSession.self)
        relaying = Task {
            for await session in relay { await session.relay(to: queue) }
            queue.finish()
        }
        relays.yield(self)
        relays.finish()
    }

    var hasSentAudio: Bool { connection.hasSentAudio }

    func accept(_ frames: Frames) async -> Bool {
        if connection.isOpen { state.withLock { $0.audio.append(frames) } }
        return await session.accept(frames)
    }

    func skip(to position: Int64) async { await session.skip(to: position) }

    func accept(file bytes: [UInt8]) async { await session.accept(file: bytes) }

    func finish() async { await session.finish() }

    func cancel() async {
        connection.close()
        relaying.cancel()
        await session.cancel()
    }

    private func relay(to queue: AsyncStream<RecognitionEvent>.Continuation) async {
        // `EngineLimits.waiting` bounds it; a text must not be lost.
        let (items, item) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .unbounded)
        async let asking: Void = ask(items, queue)
        var began = 0.0
        for await event in session.events {
            switch event {
            case .speechStarted(let at):
                began = at
                queue.yield(event)
            case .partial: queue.yield(event)
            case .final(let transcript):
                item.yield(.utterance(transcript, samples: take(transcript, since: began)))
            default: item.yield(.event(event))
            }
        }
        item.finish()
        await asking
    }

    /// - Returns: what the engine is to hear of the utterance; nothing if it is not asked.
    private func take(_ transcript: Transcript, since began: Double) -> [Int16] {
        let limits = engine.limits
        let (samples, isTooSlow) = state.withLock { state -> ([Int16], Bool) in
            let samples = state.audio.take(from: min(began, transcript.start), to: transcript.end)
            // Without words it is a knock or a cough.
            guard connection.isOpen, !transcript.text.isEmpty,
                Double(samples.count) <= limits.utterance * 16_000
            else { return ([], false) }
            let isTooSlow = Double(state.waiting) > limits.waiting * 16_000
            if !isTooSlow { state.waiting += samples.count }
            return (isTooSlow ? [] : samples, isTooSlow)
        }
        if isTooSlow {
            fallBack(
                engine.address.failure(
                    .hung, "\(engine.address) is more than \(Int(limits.waiting)) seconds of speech behind."))
        }
        return samples
    }

    private func fallBack(_ fallback: EngineFallback) {
        // An ended permission and an abandoned session are no failures of the engine.
        guard connection.isAllowed else { return }
        state.withLock { state in
            state.fallback = fallback
            state.audio = UtteranceAudio()
        }
        connection.close()
    }

    /// Asks for one text after the other.
    private func ask(_ items: AsyncStream<Item>, _ queue: AsyncStream<RecognitionEvent>.Continuation) async {
        for await item in items {
            switch item {
            case .event(let event): queue.yield(event)
            case .utterance(let transcript, let samples):
                let text = await text(of: samples)
                let fallback = state.withLock { state in
                    state.waiting -= samples.count
                    return state.fallback.take()
                }
                if let fallback {
                    queue.yield(.fellBack(fallback))
                    queue.yield(.engineChanged(fallingBack))
                }
                // Wyoming has neither word times nor confidences. The external engine may be better in noise.
                let other = text.map { Transcript(text: $0, start: transcript.start, end: transcript.end, words: []) }
                queue.yield(.final(other ?? transcript))
            }
        }
    }

    /// - Returns: the external engine's text, or `nil` to use the service's own.
    private func text(of samples: [Int16]) async -> String? {
        guard connection.isOpen, !samples.isEmpty else { return nil }
        do {
            return try await engine.transcribe(samples[...], over: connection)
        } catch {
            fallBack(error)
            return nil
        }
    }
}

/// The last seconds of a session's audio.
struct UtteranceAudio {
    private var runs: [Frames] = []
    /// Position of the session's first frame: the zero of the recogniser's times.
    private var origin: Int64?
    /// The end of the last utterance.
    private var taken: Int64 = 0

    /// Frames that are kept: more than the longest utterance.
    private static let most: Int64 = 100 * 16_000
    /// Frames before and after an utterance, so that no sound is cut off.
    private static let margin: Int64 = 4_000

    mutating func append(_ frames: Frames) {
        origin = origin ?? frames.position
        runs.append(frames)
        let oldest = frames.position + Int64(frames.samples.count) - Self.most
        runs.removeAll { $0.position + Int64($0.samples.count) <= oldest }
    }

    /// The audio between two times with a margin, without dropped frames. Everything before the end is forgotten.
    mutating func take(from start: Double, to end: Double) -> [Int16] {
        guard let origin else { return [] }
        let first = max(origin + Int64(start * 16_000) - Self.margin, taken)
        let last = origin + Int64(end * 16_000) + Self.margin
        var samples: [Int16] = []
        for run in runs {
            let from = max(first - run.position, 0)
            let to = min(last - run.position, Int64(run.samples.count))
            if from < to { samples += run.samples[Int(from)..<Int(to)] }
        }
        taken = origin + Int64(end * 16_000)
        runs.removeAll { $0.position + Int64($0.samples.count) <= taken }
        return samples
    }
}
