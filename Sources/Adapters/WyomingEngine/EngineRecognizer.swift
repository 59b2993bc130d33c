import Authorization
import Speech
import Synchronization

/// A recogniser whose live text, and the places where utterances begin and end, are the service's own, and whose final text
/// comes from an engine outside of it.
///
/// Only dictation by microphone, at full fidelity: phrases, grammars and files stay in the service.
public struct EngineRecognizer: Recognizer {
    private let recognizer: any Recognizer
    private let outside: OutsideEngine

    public init(_ recognizer: any Recognizer, asking engine: OutsideEngine) {
        self.recognizer = recognizer
        outside = engine
    }

    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        guard configuration.input == .live, case .dictation = configuration.task else { return .ofService }
        return .outside(name: "\(outside.address)")
    }

    public func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        let session = try await recognizer.start(configuration, grant: grant)
        guard engine(for: configuration) != .ofService else { return session }
        return EngineSession(session, asking: outside, lease: grant.lease)
    }
}

/// One use of the service's recogniser whose final texts an engine outside of the service gives, until that fails.
///
/// The order of the events stays: what comes behind an utterance waits for its text.
final class EngineSession: RecognitionSession {
    let events: AsyncStream<RecognitionEvent>

    private let session: any RecognitionSession
    private let engine: OutsideEngine
    private let line: EngineLine
    private let audio = Mutex(UtteranceAudio())
    private let relaying: Task<Void, Never>

    init(_ session: any RecognitionSession, asking engine: OutsideEngine, lease: Lease) {
        self.session = session
        self.engine = engine
        let line = EngineLine { lease.isLive && lease.fidelity == .full }
        self.line = line
        // At once, on the thread that takes the permission back: nothing more goes out.
        lease.onEnd { _ in line.close() }
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

    var hasSentAudio: Bool { line.hasSent }

    func accept(_ frames: Frames) async {
        if line.isOpen { audio.withLock { $0.append(frames) } }
        await session.accept(frames)
    }

    func accept(file bytes: [UInt8]) async { await session.accept(file: bytes) }

    func finish() async { await session.finish() }

    func cancel() async {
        line.close()
        relaying.cancel()
        await session.cancel()
    }

    private func relay(to queue: AsyncStream<RecognitionEvent>.Continuation) async {
        var began = 0.0
        var noise: Double?
        for await event in session.events {
            switch event {
            case .speechStarted(let at):
                began = at
                queue.yield(event)
            case .noisy(let decibels) where line.isOpen:
                // An engine that is better in noise may understand it all the same.
                noise = decibels
            case .final(let transcript):
                let (text, fallback) = await text(of: transcript, since: began, isNoisy: noise != nil)
                if let fallback { queue.yield(.fellBack(fallback)) }
                if let noise, text?.isEmpty ?? true { queue.yield(.noisy(decibels: noise)) }
                noise = nil
                // The engine knows no times of words and is as sure of each as of any other.
                let other = text.map {
                    Transcript(text: $0, start: transcript.start, end: transcript.end, words: [])
                }
                queue.yield(.final(other ?? transcript))
            default: queue.yield(event)
            }
        }
    }

    /// - Returns: `nil` where the service's own text is the one that counts; and why the engine is not asked any more.
    private func text(
        of transcript: Transcript, since began: Double, isNoisy: Bool
    ) async -> (text: String?, fallback: EngineFallback?) {
        let samples = audio.withLock { $0.take(from: min(began, transcript.start), to: transcript.end) }
        // What has no words and is not only too noisy was a knock or a cough.
        guard line.isOpen, isNoisy || !transcript.text.isEmpty, !samples.isEmpty,
            Double(samples.count) <= engine.limits.utterance * 16_000
        else { return (nil, nil) }
        do {
            return (try await engine.transcribe(samples[...], over: line), nil)
        } catch {
            // A permission that has ended, or a session that was given up, is no failure of the engine.
            guard line.isAllowed else { return (nil, nil) }
            line.close()
            audio.withLock { $0 = UtteranceAudio() }
            return (nil, EngineFallback(engine: "\(engine.address)", reason: error.code, message: error.message))
        }
    }
}

/// The last seconds of what a session heard, to be asked for by the times of an utterance.
struct UtteranceAudio {
    private var runs: [Frames] = []
    /// Position of the session's first frame: the zero of the recogniser's times.
    private var origin: Int64?
    /// Where the last utterance ended.
    private var taken: Int64 = 0

    /// Frames that are kept: somewhat more than the longest utterance.
    private static let most: Int64 = 100 * 16_000
    /// Frames before and behind an utterance, so that no sound is cut off.
    private static let margin: Int64 = 4_000

    mutating func append(_ frames: Frames) {
        origin = origin ?? frames.position
        runs.append(frames)
        let oldest = frames.position + Int64(frames.samples.count) - Self.most
        runs.removeAll { $0.position + Int64($0.samples.count) <= oldest }
    }

    /// The audio between two times, and a little around it; what was dropped in between is left out. What lies before its
    /// end is forgotten.
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
