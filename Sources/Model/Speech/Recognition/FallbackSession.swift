import Authorization
import Synchronization

/// A session of an engine that another one continues if it fails: from the audio since the utterance began, of which at most
/// 30 seconds are kept. After that utterance the engine is tried again, until it has failed three times.
///
/// Only for live input: of a sound file nothing is kept, so that its session fails with its engine.
public final class FallbackSession: RecognitionSession {
    /// One of the two engines.
    public struct Side: Sendable {
        let recognizer: any GrantedRecognizer
        let engine: SpeechEngine

        public init(_ recognizer: any GrantedRecognizer, _ engine: SpeechEngine) {
            self.recognizer = recognizer
            self.engine = engine
        }
    }

    /// Failures in one session after which the engine is not tried again.
    public static let mostFailures = 3

    public let events: AsyncStream<RecognitionEvent>

    private let queue: AsyncStream<RecognitionEvent>.Continuation
    private let configuration: RecognitionConfiguration
    private let engine: Side
    private let standby: Side
    private let audio: Mutex<SessionAudio>

    /// - Throws: the engine's error, if the other cannot start either or the error is not the engine's fault.
    public static func start(
        _ configuration: RecognitionConfiguration, with engine: Side, fallingBackTo standby: Side
    ) async throws(RecognitionError) -> any RecognitionSession {
        do {
            let first = try await engine.recognizer.start(configuration)
            guard configuration.input == .live else { return first }
            return FallbackSession(configuration, engine, standby, first, failure: nil)
        } catch {
            guard EngineFallback.isFault(error),
                let first = try? await standby.recognizer.start(configuration)
            else { throw error }
            return FallbackSession(configuration, engine, standby, first, failure: error)
        }
    }

    /// - Parameter failure: of the engine, if `first` is a session of the other.
    private init(
        _ configuration: RecognitionConfiguration, _ engine: Side, _ standby: Side, _ first: any RecognitionSession,
        failure: RecognitionError?
    ) {
        self.configuration = configuration
        self.engine = engine
        self.standby = standby
        (events, queue) = AsyncStream.makeStream()
        audio = Mutex(SessionAudio(session: first))
        Task { await relay(first, failure) }
    }

    public func accept(_ frames: Frames) async -> Bool {
        guard let session = audio.withLock({ $0.note(frames) }) else { return audio.withLock { !$0.isOver } }
        let isTaken = await session.accept(frames)
        // Audio that a failed session did not take is kept for the next.
        return isTaken || audio.withLock { !$0.isOver }
    }

    public func skip(to position: Int64) async { await audio.withLock { $0.skip(to: position) }?.skip(to: position) }

    public func accept(file bytes: [UInt8]) async { await audio.withLock { $0.session }?.accept(file: bytes) }

    public func finish() async {
        let session = audio.withLock { audio in
            audio.isFinishing = true
            return audio.session
        }
        await session?.finish()
    }

    public func cancel() async {
        let session = audio.withLock { audio in
            audio.isOver = true
            return audio.session.take()
        }
        await session?.cancel()
        queue.finish()
    }

    private func relay(_ first: any RecognitionSession, _ failure: RecognitionError?) async {
        var session = first
        var iterator = session.events.makeAsyncIterator()
        var isStandby = failure != nil
        var hasFailed = isStandby
        var failures = isStandby ? 1 : 0
        var utterance = OpenUtterance()
        if let failure { reportFallback(failure) }
        while let event = await iterator.next() {
            if case .failed(let error) = event, !isStandby, EngineFallback.isFault(error) {
                failures += 1
                if let next = await replace(session, with: standby) {
                    (session, iterator, isStandby) = (next, next.events.makeAsyncIterator(), true)
                    utterance.isInterrupted = utterance.isOpen
                    if !hasFailed { reportFallback(error) }
                    hasFailed = true
                    continue
                }
            }
            let shifted = audio.withLock { audio in event.shifted(by: audio.offset) }
            for event in utterance.passing(shifted) { queue.yield(event) }
            switch shifted {
            case .speechStarted(let time): audio.withLock { $0.utteranceBegan(at: time) }
            case .final(let transcript):
                audio.withLock { $0.utteranceEnded(at: transcript.end) }
                if !isStandby, hasFailed {
                    hasFailed = false
                    queue.yield(.engineChanged(change(from: standby, to: engine, .recovered)))
                }
                // The sound of a file is not kept, so it stays with the one that began it.
                if isStandby, configuration.input == .live, failures < Self.mostFailures {
                    if let next = await replace(session, with: engine) {
                        (session, iterator, isStandby) = (next, next.events.makeAsyncIterator(), false)
                    } else {
                        // That it cannot start is a failure, too.
                        failures += 1
                    }
                }
            default: break
            }
        }
        queue.finish()
    }

    private func reportFallback(_ error: RecognitionError) {
        queue.yield(.fellBack(EngineFallback(error, of: engine.engine.title ?? "the engine")))
        queue.yield(.engineChanged(change(from: engine, to: standby, .fallback)))
    }

    private func change(from: Side, to: Side, _ reason: EngineChange.Reason) -> EngineChange {
        EngineChange([EngineTask(of: configuration)], from: from.engine, to: to.engine, reason)
    }

    /// Starts another session with the kept audio, and ends this one.
    ///
    /// - Returns: `nil` if it cannot be started, or nothing is to follow.
    private func replace(_ old: any RecognitionSession, with side: Side) async -> (any RecognitionSession)? {
        let isWanted = audio.withLock { !$0.isOver && !($0.isFinishing && side.engine == engine.engine) }
        guard isWanted, let new = try? await side.recognizer.start(configuration) else { return nil }
        audio.withLock { $0.beginReplay() }
        await old.cancel()
        while true {
            let step = audio.withLock { $0.replay(to: new) }
            switch step {
            case .frames(let frames): _ = await new.accept(frames)
            case .done(let isFinishing):
                if isFinishing { await new.finish() }
                return new
            case .over:
                await new.cancel()
                return nil
            }
        }
    }
}

/// What a session has heard since its utterance began.
private struct SessionAudio {
    enum Step {
        case frames(Frames)
        case done(isFinishing: Bool)
        case over
    }

    /// Frames that are kept in an utterance, and outside of one, where an utterance may have begun that is not reported yet.
    static let most: Int64 = 30 * 16_000
    static let mostOutside: Int64 = 5 * 16_000
    /// Frames before the reported beginning of an utterance.
    static let margin: Int64 = 8_000

    /// Takes the audio now; `nil` while one replaces another, and after the end.
    var session: (any RecognitionSession)?
    var isFinishing = false
    var isOver = false

    private var kept: [Frames] = []
    /// Of `kept`, what was replayed.
    private var replayed = 0
    private var isSpeaking = false
    /// Positions of the first frame of all, of the first one that the session got, and after the last one.
    private var origin: Int64?
    private var begin: Int64?
    private var end: Int64 = 0

    init(session: any RecognitionSession) { self.session = session }

    /// Seconds from the zero of all events to that of the session's.
    var offset: Double { Double((begin ?? end) - (origin ?? end)) / 16_000 }

    /// - Returns: what takes the frames now.
    mutating func note(_ frames: Frames) -> (any RecognitionSession)? {
        guard !isOver else { return nil }
        origin = origin ?? frames.position
        end = frames.position + Int64(frames.samples.count)
        kept.append(frames)
        if session != nil {
            begin = begin ?? frames.position
            drop(before: end - (isSpeaking ? Self.most : Self.mostOutside))
        }
        return session
    }

    mutating func skip(to position: Int64) -> (any RecognitionSession)? {
        end = max(end, position)
        return session
    }

    mutating func utteranceBegan(at time: Double) {
        isSpeaking = true
        drop(before: (origin ?? 0) + Int64(time * 16_000) - Self.margin)
    }

    mutating func utteranceEnded(at time: Double) {
        isSpeaking = false
        let position = (origin ?? 0) + Int64(time * 16_000)
        kept = kept.compactMap { frames in
            let passed = position - frames.position
            if passed <= 0 { return frames }
            guard passed < frames.samples.count else { return nil }
            return Frames(samples: Array(frames.samples[Int(passed)...]), position: position)
        }
    }

    /// From now on frames are only kept.
    mutating func beginReplay() {
        session = nil
        replayed = 0
        begin = nil
    }

    mutating func replay(to next: any RecognitionSession) -> Step {
        guard !isOver else { return .over }
        guard replayed < kept.count else {
            session = next
            begin = kept.first?.position
            return .done(isFinishing: isFinishing)
        }
        defer { replayed += 1 }
        return .frames(kept[replayed])
    }

    private mutating func drop(before position: Int64) {
        kept.removeAll { $0.position + Int64($0.samples.count) <= position }
    }
}

/// The utterance that the client knows of. When one engine takes over from another, the client gets one utterance.
private struct OpenUtterance {
    private var start: Double?
    private var latest = 0.0
    /// Its engine failed. What it promised to be stable cannot be kept by the next, which gives no partial text of it.
    var isInterrupted = false

    var isOpen: Bool { start != nil }

    mutating func passing(_ event: RecognitionEvent) -> [RecognitionEvent] {
        switch event {
        case .speechStarted(let time):
            guard start == nil else { return [] }
            start = max(time, latest)
            return [.speechStarted(at: max(time, latest))]
        case .partial: return isInterrupted ? [] : [event]
        case .final(let transcript):
            (start, isInterrupted) = (nil, false)
            latest = max(latest, transcript.end)
            return [event]
        case .finished:
            guard let start else { return [event] }
            self.start = nil
            return [.final(Transcript(text: "", start: start, end: start, words: [])), event]
        default: return [event]
        }
    }
}

extension EngineFallback {
    /// Whether the engine is at fault, and not the request or the permission.
    static func isFault(_ error: RecognitionError) -> Bool { reason(of: error) != nil }

    init(_ error: RecognitionError, of engine: String) {
        self.init(engine: engine, reason: Self.reason(of: error) ?? .refused, message: error.message)
    }

    private static func reason(of error: RecognitionError) -> Reason? {
        switch error.code {
        case .workerDied: .died
        case .workerHung: .hung
        case .protocolViolation: .garbage
        case .decodingFailed: .refused
        case .workerUnavailable, .modelUnavailable: .unreachable
        case .busy, .badAudio, .phraseRefused, .grammarRefused, .languageUnavailable, .wordsRefused, .permissionEnded:
            nil
        }
    }
}

extension RecognitionEvent {
    /// The same with other times.
    fileprivate func shifted(by offset: Double) -> RecognitionEvent {
        guard offset != 0 else { return self }
        switch self {
        case .speechStarted(let time): return .speechStarted(at: time + offset)
        case .final(let transcript):
            let words = transcript.words.map {
                TranscribedWord(
                    word: $0.word, start: $0.start + offset, end: $0.end + offset, confidence: $0.confidence)
            }
            return .final(
                Transcript(
                    text: transcript.text, start: transcript.start + offset, end: transcript.end + offset, words: words,
                    alternatives: transcript.alternatives, noisyDecibels: transcript.noisyDecibels))
        case .finished(let duration): return .finished(duration: duration + offset)
        default: return self
        }
    }
}
