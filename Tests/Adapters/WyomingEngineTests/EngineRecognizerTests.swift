import Foundation
import Speech
import Synchronization
import TestSupport
import Testing

@testable import Authorization
@testable import WyomingEngine

@Suite("An external engine gives the final text", .timeLimit(.minutes(2)))
struct EngineRecognizerTests {
    /// An utterance from 1 s to 2 s, as the service understands it.
    static let spoken = Transcript(
        text: "go forward", start: 1, end: 2, words: [TranscribedWord(word: "go", start: 1, end: 1.5, confidence: 1)])

    /// For engines that answer: a loaded machine may take longer than a person would wait.
    static let patient = {
        var limits = EngineLimits(answer: .seconds(60))
        limits.info = .seconds(60)
        return limits
    }()

    static func lease(_ fidelity: Fidelity = .full) throws -> Lease {
        Lease(
            identifier: "l",
            key: DecisionKey(user: 0, client: Samples.identifier("org.example.test"), resource: .speechRecognition),
            fidelity: fidelity)
    }

    static func session(
        _ name: String, _ inside: WordsInside, lease: Lease, answer: Duration = .seconds(60)
    ) throws -> EngineSession {
        let engine = OutsideEngine(
            try #require(EngineAddress(name)), limits: EngineLimits(answer: answer, answerPerSecond: 0))
        return EngineSession(inside, asking: engine, lease: lease)
    }

    /// Three seconds of sound and the events, to the end of the session.
    static func events(
        _ session: EngineSession, _ inside: WordsInside, _ told: [RecognitionEvent]
    ) async -> [RecognitionEvent] {
        await (session as any RecognitionSession).accept(
            Frames(samples: [Int16](repeating: 1, count: 48_000), position: 700))
        for event in told { inside.tell(event) }
        await session.finish()
        var all: [RecognitionEvent] = []
        for await event in session.events { all.append(event) }
        return all
    }

    @Test("with the service's live text and times, and without words", arguments: ["answers", "streams"])
    func answers(_ behaviour: String) async throws {
        let engine = try await EngineProgram(behaviour, "Go forward, ten metres.")
        let inside = WordsInside()
        let session = try Self.session(engine.name, inside, lease: try Self.lease())
        let partial = PartialTranscript(text: "go", stablePrefix: 2)
        let events = await Self.events(
            session, inside, [.speechStarted(at: 1), .partial(partial), .final(Self.spoken), .finished(duration: 3)])
        #expect(
            events == [
                .speechStarted(at: 1), .partial(partial),
                .final(Transcript(text: "Go forward, ten metres.", start: 1, end: 2, words: [])),
                .finished(duration: 3),
            ])
        #expect(session.hasSentAudio)
        // The second of speech and a quarter on each side, of two bytes a sample; nothing else of the three seconds.
        #expect(try await engine.heard(1) == [48_000])
        #expect(inside.samples == 48_000)
    }

    @Test(
        "if it fails, the session ends with the reason, and nothing more is sent",
        arguments: [
            ("hangs", RecognitionErrorCode.workerHung), ("dies in mid-utterance", .workerDied),
            ("refuses", .decodingFailed), ("lies about a length", .protocolViolation),
            ("promises more than it sends", .workerHung), ("talks without end", .protocolViolation),
            ("sends a line without end", .protocolViolation), ("is something else", .protocolViolation),
            ("sends invalid text", .protocolViolation), ("moves the cursor", .protocolViolation),
        ])
    func fails(_ behaviour: String, _ code: RecognitionErrorCode) async throws {
        let engine = try await EngineProgram(behaviour)
        let inside = WordsInside()
        // Only those that hang are to come to the deadline.
        let session = try Self.session(
            engine.name, inside, lease: try Self.lease(), answer: .seconds(code == .workerHung ? 2 : 30))
        let events = await Self.events(session, inside, [.speechStarted(at: 1), .final(Self.spoken)])
        #expect(events.count == 2 && events.first == .speechStarted(at: 1), "\(events)")
        #expect(events.failure?.code == code, "\(events)")
        #expect(events.failure?.message.contains(engine.name) == true, "\(events)")
        #expect(await (session as any RecognitionSession).accept(Frames(samples: [1], position: 48_700)))
        #expect(try await engine.heard(1).count == 1, "it was asked again")
    }

    @Test("an answer that arrives before the whole utterance was sent is not taken")
    func early() async throws {
        let engine = try await EngineProgram("answers before it is asked")
        let outside = OutsideEngine(try #require(EngineAddress(engine.name)))
        // The third piece of audio waits until the engine has answered the first one.
        let pieces = Mutex(0)
        let connection = EngineConnection {
            let number = pieces.withLock { count in
                count += 1
                return count
            }
            while number == 3, engine.program.count(of: "answered") == 0 { usleep(5_000) }
            return true
        }
        let exchange = EngineExchange(outside, EngineRequest(), over: connection)
        exchange.put([Int16](repeating: 1, count: 24_000))
        exchange.end()
        let outcome = await exchange.answer()
        let error = #expect(throws: RecognitionError.self) { try outcome.get() }
        #expect(error?.code == .protocolViolation, "\(error?.message ?? "")")
        #expect(try await engine.heard(1).count == 1, "it was asked again")
    }

    @Test("if the engine is unreachable, the session ends with the next step")
    func unreachable() async throws {
        let folder = try TemporaryFolder()
        let inside = WordsInside()
        let session = try Self.session("wyoming:unix://\(folder.path)/none", inside, lease: try Self.lease())
        let events = await Self.events(session, inside, [.speechStarted(at: 1), .final(Self.spoken)])
        #expect(events.failure?.code == .workerUnavailable)
        #expect(events.failure?.message.hasSuffix("Start the engine.") == true, "\(events)")
        #expect(!session.hasSentAudio)
    }

    @Test("nothing is sent to a socket of another user", .enabled(if: geteuid() == 0, "needs root"))
    func foreign() async throws {
        let engine = try await EngineProgram(
            "answers", "foreign", prefix: ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"])
        let inside = WordsInside()
        let session = try Self.session(engine.name, inside, lease: try Self.lease())
        let events = await Self.events(session, inside, [.speechStarted(at: 1), .final(Self.spoken)])
        #expect(events.failure?.message.contains("engines.yaml") == true, "\(events)")
        #expect(try await engine.heard(1) == [0])
        #expect(!session.hasSentAudio)
        let allowed = OutsideEngine(try #require(EngineAddress(engine.name)), isAllowedByAdministrator: true)
        let exchange = EngineExchange(allowed, EngineRequest(), over: EngineConnection { true })
        exchange.put([1, 2])
        exchange.end()
        #expect(try await exchange.answer().get() == "foreign")
    }

    @Test("live text goes on while a final text is awaited")
    func live() async throws {
        let engine = try await EngineProgram("hangs")
        let inside = WordsInside()
        let session = try Self.session(engine.name, inside, lease: try Self.lease(), answer: .seconds(100))
        _ = await session.accept(Frames(samples: [Int16](repeating: 1, count: 48_000), position: 0))
        let partial = RecognitionEvent.partial(PartialTranscript(text: "and", stablePrefix: 0))
        inside.tell(.speechStarted(at: 1), .final(Self.spoken), .speechStarted(at: 2.5), partial)
        var events = session.events.makeAsyncIterator()
        #expect(await events.next() == .speechStarted(at: 1))
        #expect(await events.next() == .speechStarted(at: 2.5))
        #expect(await events.next() == partial)
        try await engine.program.shows("heard ")
        await session.cancel()
        #expect(await events.next() == .final(Self.spoken))
        #expect(await events.next() == nil)
    }

    @Test("an engine that is too slow does not fill the memory: the session ends with the reason")
    func tooSlow() async throws {
        let engine = try await EngineProgram("hangs")
        let inside = WordsInside()
        var limits = EngineLimits(answer: .seconds(100), answerPerSecond: 0)
        limits.waiting = 0.5
        let session = EngineSession(
            inside, asking: OutsideEngine(try #require(EngineAddress(engine.name)), limits: limits),
            lease: try Self.lease())
        let later = Transcript(text: "ten metres", start: 2.2, end: 2.9, words: [])
        let events = await Self.events(
            session, inside,
            [
                .speechStarted(at: 1), .final(Self.spoken), .speechStarted(at: 2.2), .final(later),
                .finished(duration: 3),
            ])
        #expect(events.withoutStarts.count == 1 && events.failure?.code == .workerHung, "\(events)")
        #expect(events.failure?.message.contains("behind") == true, "\(events)")
    }

    @Test("a revoked permission closes the connection at once, and is not a failure of the engine")
    func revoked() async throws {
        let engine = try await EngineProgram("hangs")
        let inside = WordsInside()
        let lease = try Self.lease()
        let session = try Self.session(engine.name, inside, lease: lease, answer: .seconds(100))
        async let events = Self.events(session, inside, [.speechStarted(at: 1), .final(Self.spoken)])
        try await engine.program.shows("heard ")
        lease.end(.revoked)
        #expect(try await engine.heard(1) == [48_000])
        let told = await events
        #expect(told == [.speechStarted(at: 1), .final(Self.spoken)])
        #expect(engine.program.count(of: "closed") == 1)
    }

    @Test("if the fidelity is lowered, audio is no longer sent, and the service's own words are used")
    func reduced() async throws {
        let engine = try await EngineProgram("answers", "never")
        let inside = WordsInside()
        let lease = try Self.lease()
        let session = try Self.session(engine.name, inside, lease: lease)
        lease.lowerFidelity()
        lease.lowerFidelity()
        let events = await Self.events(session, inside, [.speechStarted(at: 1), .final(Self.spoken)])
        #expect(events == [.speechStarted(at: 1), .final(Self.spoken)])
        #expect(!session.hasSentAudio)
        #expect(engine.program.count(of: "heard") == 0)
    }

    @Test("the engine's text replaces the service's unreliable one, and it gets no knock")
    func noise() async throws {
        let engine = try await EngineProgram("answers", "in noise")
        let inside = WordsInside()
        let session = try Self.session(engine.name, inside, lease: try Self.lease())
        let noisy = Transcript(text: "knee high", start: 1, end: 2, words: [], noisyDecibels: 9)
        let nothing = Transcript(text: "", start: 2.2, end: 2.9, words: [])
        let events = await Self.events(
            session, inside, [.speechStarted(at: 1), .final(noisy), .speechStarted(at: 2.2), .final(nothing)])
        #expect(
            events.withoutStarts == [
                .final(Transcript(text: "in noise", start: 1, end: 2, words: [])), .final(nothing),
            ])
        #expect(try await engine.heard(1).count == 1)
    }

    @Test("phrases, key phrases and grammars stay in the service")
    func tasks() throws {
        let recognizer = EngineRecognizer(
            NoRecognizer(), asking: OutsideEngine(try #require(EngineAddress("wyoming:unix:///e"))))
        #expect(recognizer.engine(for: RecognitionConfiguration()) == .outside(name: "wyoming:unix:///e"))
        #expect(recognizer.engine(for: RecognitionConfiguration(input: .file)) == .outside(name: "wyoming:unix:///e"))
        for task in [.phrases(["a"]), .keyPhrases([]), .grammar("g")] as [RecognitionTask] {
            #expect(recognizer.engine(for: RecognitionConfiguration(task: task)) == .ofService)
        }
    }
}

extension [RecognitionEvent] {
    var withoutStarts: [RecognitionEvent] { filter { if case .speechStarted = $0 { false } else { true } } }
}

struct NoRecognizer: Recognizer {
    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        throw RecognitionError(code: .workerUnavailable, message: "None.")
    }
}
