import RecognizerProtocol
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import WyomingEngine

@Suite("Capabilities of an external engine are used", .timeLimit(.minutes(1)))
struct EngineAbilitiesTests {
    /// With the words that the service understands, or another language than it understands.
    private struct Inside: Recognizer {
        let session: WordsInside

        func start(
            _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
        ) async throws(RecognitionError) -> any RecognitionSession {
            try await checkLanguage(of: configuration)
            return session
        }

        func checkLanguage(of configuration: RecognitionConfiguration) async throws(RecognitionError) {
            guard configuration.language.map({ ["en", "fr"].contains($0.code) }) ?? true else {
                throw RecognitionError(code: .languageUnavailable, message: "Installed: en, fr (PocketSphinx).")
            }
        }
    }

    private let inside = WordsInside()

    private func start(
        _ engine: EngineProgram, language: String? = nil, phrases: [String] = [],
        limits: EngineLimits = EngineRecognizerTests.patient
    ) async throws -> (session: any RecognitionSession, engine: SpeechEngine) {
        let outside = OutsideEngine(try #require(EngineAddress(engine.name)), limits: limits)
        let recognizer = EngineRecognizer(Inside(session: inside), asking: outside)
        var configuration = RecognitionConfiguration(userWords: try UserWords(contextPhrases: phrases))
        configuration.language = language.flatMap { SpokenLanguage(tag: $0) }
        try await recognizer.checkLanguage(of: configuration)
        configuration.recorded = recognizer.engine(for: configuration)
        let session = try await recognizer.start(
            configuration, grant: SpeechRecognitionGrant(lease: try EngineRecognizerTests.lease()))
        return (session, try #require(configuration.recorded))
    }

    private func second(at number: Int) -> Frames {
        Frames(samples: [Int16](repeating: 1, count: 16_000), position: Int64(number) * 16_000)
    }

    @Test("an engine that streams text hears the utterance while it is spoken, and gives its live text")
    func live() async throws {
        let engine = try await EngineProgram("hears live")
        let (session, _) = try await start(engine)
        var events = session.events.makeAsyncIterator()
        await session.accept(second(at: 0))
        inside.tell(.speechStarted(at: 0.5))
        #expect(await events.next() == .speechStarted(at: 0.5))
        // The end of the word may still change.
        #expect(await events.next() == .partial(PartialTranscript(text: "Go for", stablePrefix: 2)))
        await session.accept(second(at: 1))
        // The service's live text does not follow the engine's.
        inside.tell(.partial(PartialTranscript(text: "knee", stablePrefix: 4)))
        inside.tell(.final(Transcript(text: "knee high", start: 0.5, end: 1.5, words: [])), .finished(duration: 2))
        var rest: [RecognitionEvent] = []
        while let event = await events.next(), event != .finished(duration: 2) { rest.append(event) }
        #expect(
            rest == [
                .partial(PartialTranscript(text: "Go forward.", stablePrefix: 2)),
                .final(Transcript(text: "Go forward.", start: 0.5, end: 1.5, words: [])),
            ])
        // From a quarter of a second before the utterance to all that was captured until its end was found.
        #expect(try await engine.heard(1) == [2 * 28_000])
        await session.cancel()
    }

    @Test("before the engine's first live text the service's is shown, and promises nothing")
    func liveInside() async throws {
        let engine = try await EngineProgram("hears live")
        let (session, _) = try await start(engine)
        var events = session.events.makeAsyncIterator()
        let partial = PartialTranscript(text: "knee", stablePrefix: 4)
        inside.tell(.speechStarted(at: 0.5), .partial(partial))
        #expect(await events.next() == .speechStarted(at: 0.5))
        #expect(await events.next() == .partial(PartialTranscript(text: "knee", stablePrefix: 0)))
        await session.cancel()
    }

    @Test("a noise that it heard has no text")
    func knock() async throws {
        let engine = try await EngineProgram("hears live")
        let (session, _) = try await start(engine)
        var events = session.events.makeAsyncIterator()
        await session.accept(second(at: 0))
        inside.tell(.speechStarted(at: 0.5))
        _ = await events.next()
        #expect(await events.next() == .partial(PartialTranscript(text: "Go for", stablePrefix: 2)))
        let knock = Transcript(text: "", start: 0.5, end: 0.7, words: [])
        inside.tell(.final(knock))
        #expect(await events.next() == .final(knock))
        // Whether it was asked before the noise was over is chance; its answer counts for nothing.
        try await engine.program.shows("closed ")
        await session.cancel()
    }

    @Test("it gets the language in its own spelling, and the client's phrases, and is named as it describes itself")
    func request() async throws {
        let engine = try await EngineProgram("answers", "konnichiwa")
        let (session, identity) = try await start(engine, language: "ja", phrases: ["VoiceGate", "ten meters"])
        #expect(identity == SpeechEngine(recipient: engine.name, name: "test-engine tiny", version: "1.2"))
        await session.accept(second(at: 0))
        // The service does not know the language: neither its live text nor that it found no words counts.
        inside.tell(
            .speechStarted(at: 0), .partial(PartialTranscript(text: "knee", stablePrefix: 0)),
            .final(Transcript(text: "", start: 0, end: 0.5, words: [])))
        await session.finish()
        var events: [RecognitionEvent] = []
        for await event in session.events { events.append(event) }
        #expect(
            events == [.speechStarted(at: 0), .final(Transcript(text: "konnichiwa", start: 0, end: 0.5, words: []))])
        try await engine.program.shows(#"asked {"language": "ja-JP", "transcript_terms": ["VoiceGate", "ten meters"]}"#)
    }

    @Test("if it fails in a language that only it knows, the session fails, too")
    func failsAlone() async throws {
        let engine = try await EngineProgram("refuses")
        let (session, _) = try await start(engine, language: "ja")
        await session.accept(second(at: 0))
        inside.tell(.speechStarted(at: 0), .final(Transcript(text: "cone", start: 0, end: 0.5, words: [])))
        var events: [RecognitionEvent] = []
        for await event in session.events { events.append(event) }
        #expect(events.count == 2)
        #expect(events.failure?.code == .decodingFailed)
        #expect(events.failure?.message.contains("No model.") == true, "\(events)")
        await session.cancel()
    }

    @Test("a language that neither knows is refused with both lists; one that only the service knows stays there")
    func languages() async throws {
        let engine = try await EngineProgram("answers", "never")
        let error = await #expect(throws: RecognitionError.self) { try await start(engine, language: "ko") }
        #expect(error?.code == .languageUnavailable)
        #expect(error?.message == "Installed: en, fr (PocketSphinx). \(engine.name) recognises en, ja-JP.")
        let (session, recorded) = try await start(engine, language: "fr")
        #expect(recorded == .ofService, "the record names an engine that does not recognise")
        #expect(session is WordsInside)
    }

    @Test("sample text and alternatives, for which the protocol has no place, are refused")
    func options() async throws {
        let engine = try await EngineProgram("answers", "never")
        let outside = OutsideEngine(try #require(EngineAddress(engine.name)), limits: EngineRecognizerTests.patient)
        let recognizer = EngineRecognizer(Inside(session: inside), asking: outside)
        var configuration = RecognitionConfiguration()
        configuration.required = [.contextPhrases]
        try await recognizer.checkLanguage(of: configuration)
        configuration.required = [.contextPhrases, .words]
        let error = await #expect(throws: RecognitionError.self) {
            try await recognizer.checkLanguage(of: configuration)
        }
        #expect(error?.code == .optionUnavailable)
    }

    @Test("a session that was recorded with the service's engine uses it, even if an engine answers later")
    func recorded() async throws {
        let engine = try await EngineProgram("answers", "never")
        let recognizer = EngineRecognizer(
            Inside(session: inside), asking: OutsideEngine(try #require(EngineAddress(engine.name))))
        var configuration = RecognitionConfiguration()
        configuration.recorded = .ofService
        let session = try await recognizer.start(
            configuration, grant: SpeechRecognitionGrant(lease: try EngineRecognizerTests.lease()))
        #expect(session is WordsInside)
    }

    @Test(
        "it gets the tag that was asked for if it declares that, else the longest part that it declares",
        arguments: [
            ("zh-TW", "zh-TW"), ("zh-tw", "zh-TW"), ("zh-Hant-TW", "zh-Hant"), ("zh-HK", "zh"), ("en-GB", "en-US"),
            ("en", "en-US"), ("pt", "pt"), ("fr-CA", "fr"),
        ])
    func tags(_ asked: String, _ sent: String) throws {
        let declared = try #require(
            EngineDeclaration(
                try Self.info(
                    #"{"asr": [{"models": [{"languages": ["zh-CN", "zh-Hant", "zh", "zh-TW", "en-US", "pt"]}]}]}"#)))
        #expect(declared.tag(of: try #require(SpokenLanguage(tag: asked))) == sent)
    }

    @Test("the texts before a failure are reported before it")
    func earlierAnswer() async throws {
        let engine = try await EngineProgram("answers the first and refuses the second")
        let (session, _) = try await start(engine)
        await session.accept(second(at: 0))
        for start in [0, 0.5] {
            inside.tell(
                .speechStarted(at: start), .final(Transcript(text: "w", start: start, end: start + 0.2, words: [])))
            try await engine.program.shows("closed ", times: start == 0 ? 1 : 2)
        }
        await session.finish()
        var events: [RecognitionEvent] = []
        for await event in session.events { events.append(event) }
        #expect(
            events.withoutStarts.dropLast() == [.final(Transcript(text: "the first", start: 0, end: 0.2, words: []))])
        #expect(events.failure?.code == .decodingFailed)
    }

    @Test("of live text that was not read only the newest is kept")
    func newest() async throws {
        let engine = try await EngineProgram("hears live")
        let (session, _) = try await start(engine)
        await session.accept(second(at: 0))
        let final = Transcript(text: "knee high", start: 0.5, end: 1, words: [])
        inside.tell(.speechStarted(at: 0.5), .final(final))
        _ = try await engine.heard(1)
        await session.finish()
        var events: [RecognitionEvent] = []
        for await event in session.events { events.append(event) }
        #expect(
            events == [
                .speechStarted(at: 0.5), .partial(PartialTranscript(text: "Go forward.", stablePrefix: 2)),
                .final(Transcript(text: "Go forward.", start: 0.5, end: 1, words: [])),
            ])
    }

    @Test("if the fidelity is lowered in a language that only it knows, the session ends at once")
    func loweredAlone() async throws {
        let engine = try await EngineProgram("hangs")
        let lease = try EngineRecognizerTests.lease()
        let session = EngineSession(
            inside, knowsLanguage: false, asking: OutsideEngine(try #require(EngineAddress(engine.name))), lease: lease)
        lease.lowerFidelity()
        var events = session.events.makeAsyncIterator()
        #expect(await events.next().map { [$0] }?.failure?.code == .languageUnavailable)
        #expect(await events.next() == nil)
        await session.cancel()
    }

    @Test("one that does not say what it is delays a session for a short time only, and nothing is assumed")
    func quiet() async throws {
        let engine = try await EngineProgram("keeps to itself")
        var limits = EngineLimits()
        limits.info = .milliseconds(50)
        let (session, identity) = try await start(engine, limits: limits)
        #expect(identity == .outside(name: engine.name))
        await session.cancel()
        try await engine.program.shows("described")
    }

    @Test("it can have several utterances of a session at once; their texts keep their order")
    func sideBySide() async throws {
        let engine = try await EngineProgram("answers two at a time")
        let (session, _) = try await start(engine)
        await session.accept(second(at: 0))
        func words(_ start: Double) -> [RecognitionEvent] {
            [.speechStarted(at: start), .final(Transcript(text: "w", start: start, end: start + 0.2, words: []))]
        }
        for event in words(0) + words(0.5) { inside.tell(event) }
        await session.finish()
        var texts: [String] = []
        for await case .final(let transcript) in session.events { texts.append(transcript.text) }
        // The bytes that each connection had, with a quarter of a second on each side as far as there is sound.
        #expect(texts == ["14400", "22400"])
    }

    @Test("a file's utterances go to it as they are read, and the file waits while too much of it waits for the engine")
    func file() async throws {
        let folder = try TemporaryFolder()
        let engine = try await EngineProgram("answers when the file is there", folder.path + "/go")
        var limits = EngineLimits(answer: .seconds(100))
        limits.waiting = 0.5
        let session = EngineSession(
            inside, ofFile: true, asking: OutsideEngine(try #require(EngineAddress(engine.name)), limits: limits),
            lease: try EngineRecognizerTests.lease())
        await session.accept(file: [1])
        let sound = [Int16](repeating: 1, count: 8_000)
        let utterance = RecognitionEvent.final(Transcript(text: "w", start: 0, end: 1, words: []))
        inside.tell(.speechStarted(at: 0), .sound(sound), .sound(sound), utterance)
        try await engine.program.shows("heard 32000")
        let uploading = Task { await session.accept(file: [2]) }
        try await eventually { session.isHoldingUp }
        #expect(inside.pieces == 1)
        try folder.write("", to: "go")
        await uploading.value
        #expect(inside.pieces == 2)
        inside.tell(.speechStarted(at: 1), .sound(sound), utterance)
        await session.finish()
        var texts: [String] = []
        for await case .final(let transcript) in session.events { texts.append(transcript.text) }
        #expect(texts == ["at last", "at last"])
        #expect(try await engine.heard(2) == [32_000, 16_000])
    }

    @Test(
        "its description of itself is bounded, and text that is not a name or tag is left out",
        arguments: [
            #"{"asr": [{"name": "a\u001b[2J", "models": [{"languages": [1, "xx-!", "en"], "installed": true}]}]}"#,
            #"{"asr": [{"models": [{"languages": ["en"]}, {"installed": false, "languages": ["fr"]}]}, {"name": "b"}]}"#,
            #"{"asr": [{"name": null, "models": [{"languages": ["en", "en"]}, 7, []], "version": ["1"]}]}"#,
        ])
    func untrusted(_ data: String) throws {
        let declared = try #require(EngineDeclaration(Self.info(data)))
        #expect(declared.capabilities == EngineCapabilities(languages: ["en"], tasks: [.dictation]))
        #expect(!declared.streamsText)
    }

    @Test("an answer without a recogniser of speech says nothing", arguments: ["{}", #"{"asr": []}"#, #"{"asr": {}}"#])
    func noRecognizer(_ data: String) throws { #expect(EngineDeclaration(try Self.info(data)) == nil) }

    @Test("phrases are sent as far as they fit")
    func terms() {
        let long = (0..<500).map { _ in String(repeating: "x", count: 200) }
        #expect(EngineRequest(terms: long).terms.count == 163)
    }

    private static func info(_ data: String) throws -> WyomingEvent {
        var decoder = WyomingDecoder()
        decoder.append(Array((#"{"type": "info", "data": \#(data)}"# + "\n").utf8))
        return try #require(try decoder.next())
    }
}
