import Authorization
import Speech
import Synchronization

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
