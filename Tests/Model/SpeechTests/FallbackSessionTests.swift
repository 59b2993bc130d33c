import Authorization
import Speech
import Synchronization
import Testing

@Suite("A session whose engine fails", .timeLimit(.minutes(1)))
struct FallbackSessionTests {
    private static let moonshine = SpeechEngine(name: "Moonshine tiny", version: "0.0.73", model: "ab")
    private static let sphinx = SpeechEngine(name: "PocketSphinx")
    private static let died = RecognitionError(code: .workerDied, message: "The recogniser exited.")

    private let engine = ScriptedEngine()
    private let standby = ScriptedEngine()

    private func session(
        _ input: RecognitionConfiguration.Input = .live
    ) async throws -> any RecognitionSession {
        try await FallbackSession.start(
            RecognitionConfiguration(input: input), with: FallbackSession.Side(engine, Self.moonshine),
            fallingBackTo: FallbackSession.Side(standby, Self.sphinx))
    }

    /// A second from this position.
    private static func second(at position: Int64) -> Frames {
        Frames(samples: [Int16](repeating: 0, count: 16_000), position: position)
    }

    private static func change(_ from: SpeechEngine, _ to: SpeechEngine, _ reason: EngineChange.Reason)
        -> RecognitionEvent
    {
        .engineChanged(EngineChange([.dictation], from: from, to: to, reason))
    }

    @Test("in mid-utterance: the other recognises it from its beginning, and the engine recognises the next one")
    func death() async throws {
        let session = try await session()
        var events = session.events.makeAsyncIterator()
        let first = await engine.next()
        _ = await session.accept(Self.second(at: 32_000))
        first.tell(.speechStarted(at: 0.2))
        #expect(await events.next() == .speechStarted(at: 0.2))
        first.tell(.partial(PartialTranscript(text: "ten min", stablePrefix: 3)))
        #expect(await events.next() == .partial(PartialTranscript(text: "ten min", stablePrefix: 3)))
        _ = await session.accept(Self.second(at: 48_000))
        first.tell(.failed(Self.died))
        #expect(
            await events.next()
                == .fellBack(
                    EngineFallback(engine: "Moonshine tiny 0.0.73", reason: .died, message: Self.died.message)))
        #expect(await events.next() == Self.change(Self.moonshine, Self.sphinx, .fallback))

        let second = await standby.next()
        #expect(second.heard == [32_000, 48_000])
        second.tell(.speechStarted(at: 0.3))
        second.tell(.partial(PartialTranscript(text: "then", stablePrefix: 0)))
        let text = Transcript(text: "ten minutes", start: 0.3, end: 1.5, words: [])
        second.tell(.final(text))
        #expect(await events.next() == .final(text), "one utterance, and nothing that contradicts its stable text")

        let third = await engine.next()
        third.tell(.speechStarted(at: 0.125))
        #expect(await events.next() == .speechStarted(at: 1.625))
        #expect(third.heard == [56_000], "it hears on where the utterance ended")
        #expect(second.isCancelled)
        third.tell(
            .final(
                Transcript(
                    text: "go", start: 0.125, end: 0.25,
                    words: [TranscribedWord(word: "go", start: 0.125, end: 0.25, confidence: 1)], noisyDecibels: 9)))
        #expect(
            await events.next()
                == .final(
                    Transcript(
                        text: "go", start: 1.625, end: 1.75,
                        words: [TranscribedWord(word: "go", start: 1.625, end: 1.75, confidence: 1)], noisyDecibels: 9))
        )
        #expect(await events.next() == Self.change(Self.sphinx, Self.moonshine, .recovered))
        await session.finish()
        third.tell(.finished(duration: 0.5))
        #expect(await events.next() == .finished(duration: 2))
    }

    @Test("an engine that cannot start is replaced from the beginning")
    func start() async throws {
        engine.fail(with: RecognitionError(code: .modelUnavailable, message: "A file is damaged."))
        let session = try await session()
        var events = session.events.makeAsyncIterator()
        guard case .fellBack(let fallback)? = await events.next() else {
            Issue.record("no fall-back")
            return
        }
        #expect(fallback.reason == .unreachable)
        #expect(await events.next() == Self.change(Self.moonshine, Self.sphinx, .fallback))
        _ = await session.accept(Self.second(at: 0))
        #expect(await standby.next().heard == [0])
    }

    @Test("an engine that does not start again is tried twice, and not after each utterance")
    func restarts() async throws {
        let session = try await session()
        var events = session.events.makeAsyncIterator()
        let first = await engine.next()
        engine.fail(with: RecognitionError(code: .workerUnavailable, message: "It exited."))
        first.tell(.failed(Self.died))
        let second = await standby.next()
        for number in 1...5 {
            let text = Transcript(text: "\(number)", start: Double(number), end: Double(number), words: [])
            second.tell(.final(text))
            while let event = await events.next(), event != .final(text) {}
        }
        await session.finish()
        second.tell(.finished(duration: 6))
        #expect(await events.next() == .finished(duration: 6))
        #expect(engine.starts == 3)
    }

    @Test("a file stays with the one that began it")
    func file() async throws {
        engine.fail(with: RecognitionError(code: .workerUnavailable, message: "It exited."))
        let session = try await session(.file)
        var events = session.events.makeAsyncIterator()
        let first = await standby.next()
        for number in 1...3 {
            let text = Transcript(text: "\(number)", start: Double(number), end: Double(number), words: [])
            first.tell(.final(text))
            while let event = await events.next(), event != .final(text) {}
        }
        await session.finish()
        first.tell(.finished(duration: 4))
        #expect(await events.next() == .finished(duration: 4))
        #expect(engine.starts == 1)
        #expect(!first.isCancelled)
    }

    @Test("an error of the request or of the permission is no failure of the engine")
    func refusals() async throws {
        let refusal = RecognitionError(code: .permissionEnded, message: "The permission ended.")
        let session = try await session()
        var events = session.events.makeAsyncIterator()
        await engine.next().tell(.failed(refusal))
        #expect(await events.next() == .failed(refusal))
        engine.fail(with: RecognitionError(code: .languageUnavailable, message: "No."))
        await #expect(throws: RecognitionError.self) { try await self.session() }
        #expect(standby.count == 0)
    }

    @Test("if the other cannot start either, the engine's error ends the session")
    func both() async throws {
        let session = try await session()
        var events = session.events.makeAsyncIterator()
        standby.fail(with: RecognitionError(code: .modelUnavailable, message: "There is no model."))
        await engine.next().tell(.failed(Self.died))
        #expect(await events.next() == .failed(Self.died))
    }

    @Test("an utterance that the other does not find ends without words")
    func nothingFound() async throws {
        let session = try await session()
        var events = session.events.makeAsyncIterator()
        let first = await engine.next()
        _ = await session.accept(Self.second(at: 0))
        first.tell(.speechStarted(at: 0.5))
        _ = await events.next()
        await session.finish()
        first.tell(.failed(Self.died))
        _ = await (events.next(), events.next())
        let second = await standby.next()
        second.tell(.finished(duration: 1))
        #expect(await events.next() == .final(Transcript(text: "", start: 0.5, end: 0.5, words: [])))
        #expect(await events.next() == .finished(duration: 1))
        #expect(second.isFinished)
    }
}

/// An engine whose sessions understand what the test tells them to.
private final class ScriptedEngine: GrantedRecognizer {
    private let started: AsyncStream<ScriptedSession>
    private let start: AsyncStream<ScriptedSession>.Continuation
    private let state = Mutex((failure: RecognitionError?.none, count: 0, starts: 0))

    init() { (started, start) = AsyncStream.makeStream() }

    var count: Int { state.withLock { $0.count } }

    /// Also those that failed.
    var starts: Int { state.withLock { $0.starts } }

    func fail(with error: RecognitionError) { state.withLock { $0.failure = error } }

    /// The next session that was started.
    func next() async -> ScriptedSession {
        for await session in started { return session }
        return ScriptedSession()
    }

    func start(_ configuration: RecognitionConfiguration) async throws(RecognitionError) -> any RecognitionSession {
        let failure = state.withLock { state in
            state.starts += 1
            return state.failure
        }
        if let failure { throw failure }
        state.withLock { $0.count += 1 }
        let session = ScriptedSession()
        start.yield(session)
        return session
    }
}

private final class ScriptedSession: RecognitionSession {
    let events: AsyncStream<RecognitionEvent>
    private let queue: AsyncStream<RecognitionEvent>.Continuation
    private let state = Mutex((heard: [Int64](), isCancelled: false, isFinished: false))

    init() { (events, queue) = AsyncStream.makeStream() }

    /// The positions of the frames.
    var heard: [Int64] { state.withLock { $0.heard } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func tell(_ event: RecognitionEvent) { queue.yield(event) }

    func accept(_ frames: Frames) async -> Bool {
        state.withLock { $0.heard.append(frames.position) }
        return true
    }

    func skip(to position: Int64) async {}
    func accept(file bytes: [UInt8]) async {}
    func finish() async { state.withLock { $0.isFinished = true } }

    func cancel() async {
        state.withLock { $0.isCancelled = true }
        queue.finish()
    }
}
