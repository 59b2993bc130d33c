import RecognizerProtocol
import Speech
import Testing

@Suite("The protocol between service and worker")
struct ConversationTests {
    static let transcript = Transcript(
        text: "go", start: 0.5, end: 1, words: [TranscribedWord(word: "go", start: 0.5, end: 0.9, confidence: 0.25)])

    @Test(
        "requests survive encoding and decoding",
        arguments: [
            WorkerRequest.start(RecognitionConfiguration(input: .file, endSilence: 1.25)),
            .start(RecognitionConfiguration(task: .phrases(["go", "stop it"]))),
            .start(RecognitionConfiguration(task: .keyPhrases([KeyPhrase("go", tolerance: 0.25)]))),
            .audio(samples: [0, 1, -1, .max, .min], position: 1 << 33), .file([0, 255, 10]), .finish,
        ])
    func requests(request: WorkerRequest) throws { #expect(try WorkerRequest(request.event) == request) }

    @Test(
        "replies survive encoding and decoding",
        arguments: [
            WorkerReply.ready(EngineCapabilities()), .ready(EngineCapabilitiesTests.example), .progress(1.5),
            .recognized(.speechStarted(at: 0.25)), .recognized(.final(transcript)),
            .recognized(.partial(PartialTranscript(text: "café go", stablePrefix: 5))),
            .recognized(.sound([0, 1, -1, .max, .min])), .recognized(.finished(duration: 3)),
            .recognized(.failed(RecognitionError(code: .badAudio, message: "No sound."))),
        ])
    func replies(reply: WorkerReply) throws { #expect(try WorkerReply(reply.event) == reply) }

    static let badReplies: [WyomingEvent] = [
        WyomingEvent(type: "shutdown"), WyomingEvent(type: "ready", payload: [1]),
        WyomingEvent(type: "progress"), WyomingEvent(type: "progress", data: ["time": .string("1")]),
        WyomingEvent(type: "progress", data: ["time": .number(.infinity)]),
        WyomingEvent(type: "progress", data: ["time": .number(.nan)]),
        WyomingEvent(type: "partial", data: ["text": .string("é"), "stable_prefix": .number(1)]),
        WyomingEvent(type: "partial", data: ["text": .string("\u{1B}[2J"), "stable_prefix": .number(0)]),
        WyomingEvent(
            type: "final",
            data: ["text": .string(""), "start": .number(0), "end": .number(1), "words": .array([.null])]),
        WyomingEvent(
            type: "partial",
            data: ["text": .string(String(repeating: "a", count: 70_000)), "stable_prefix": .number(0)]),
        WyomingEvent(type: "error", data: ["code": .string("workerDied"), "text": .string("x")]),
    ]

    @Test("replies out of bounds are refused", arguments: badReplies)
    func bounds(event: WyomingEvent) { #expect(throws: ProtocolError.self) { try WorkerReply(event) } }

    @Test("words with decreasing times or outside their utterance are refused")
    func wordTimes() {
        for (start, end, confidence) in [
            (0.4, 0.6, 0.5), (0.6, 1.1, 0.5), (0.8, 0.7, 0.5), (0.6, 0.7, 1.5), (0.6, 0.7, -0.1),
        ] {
            let transcript = Transcript(
                text: "a", start: 0.5, end: 1,
                words: [TranscribedWord(word: "a", start: start, end: end, confidence: confidence)])
            #expect(throws: ProtocolError.self) { try WorkerReply(WorkerReply.recognized(.final(transcript)).event) }
        }
    }

    @Test("a complete conversation is accepted")
    func whole() throws {
        var conversation = Conversation()
        for reply in [
            WorkerReply.ready(EngineCapabilities()), .progress(0.1), .recognized(.speechStarted(at: 0.2)),
            .recognized(.partial(PartialTranscript(text: "go", stablePrefix: 0))),
            .recognized(.final(Self.transcript)), .recognized(.finished(duration: 1)),
        ] { try conversation.check(reply, sent: 1) }
        #expect(throws: ProtocolError.self) { try conversation.check(.progress(1), sent: 1) }
    }

    private static func partial(_ text: String, _ stable: Int) -> WorkerReply {
        .recognized(.partial(PartialTranscript(text: text, stablePrefix: stable)))
    }

    /// The replies are accepted one after the other, behind that of a ready worker.
    private func accepted(_ replies: WorkerReply...) throws -> Conversation {
        var conversation = Conversation()
        for reply in [.ready(EngineCapabilities())] + replies { try conversation.check(reply, sent: 9) }
        return conversation
    }

    /// After “the cat” of “the cat sat” was called stable.
    @Test(
        "a worker cannot change a stable word",
        arguments: [
            ("the cat sat down", 7, true), ("the cat sat down", 11, true), ("the cat", 7, true),
            ("the cat sat", 6, false), ("the cat sat", 3, false), ("the cat sat", 0, false),
            ("the cats sat", 8, false), ("a cat sat", 9, false), ("the cat sat", 9, false), ("", 0, false),
        ])
    func stableWords(_ text: String, _ stable: Int, _ isKept: Bool) throws {
        var conversation = try accepted(.recognized(.speechStarted(at: 0)), Self.partial("the cat sat", 7))
        let later = Self.partial(text, stable)
        if isKept {
            try conversation.check(later, sent: 9)
        } else {
            #expect(throws: ProtocolError.self) { try conversation.check(later, sent: 9) }
        }
    }

    @Test("stable words do not carry over to the next utterance")
    func nextUtterance() throws {
        _ = try accepted(
            .recognized(.speechStarted(at: 0.5)), Self.partial("the cat", 3), .recognized(.final(Self.transcript)),
            .recognized(.speechStarted(at: 1)), Self.partial("a dog", 0))
    }

    /// The replies are accepted one after the other, within a file.
    private func areAccepted(_ configuration: RecognitionConfiguration, _ replies: WorkerReply...) -> Bool {
        var conversation = Conversation()
        conversation.begin(configuration, phrases: configuration.task.phrases)
        return
            (try? ([.ready(EngineCapabilities()), .recognized(.speechStarted(at: 0.5))] + replies).forEach {
                try conversation.check($0, sent: nil)
            }) != nil
    }

    @Test("of phrases a worker can only send these, without words; sound only if it is requested, and not without end")
    func requested() {
        let phrases = RecognitionConfiguration(task: .phrases(["go", "stop"]), input: .file)
        let go = Transcript(text: "go", start: 0.5, end: 1, words: [])
        #expect(areAccepted(phrases, .recognized(.final(go))))
        #expect(!areAccepted(phrases, .recognized(.final(Self.transcript))))
        #expect(
            !areAccepted(phrases, .recognized(.final(Transcript(text: "no", start: 0.5, end: 1, words: [])))))
        #expect(!areAccepted(phrases, Self.partial("go", 0)))
        var file = RecognitionConfiguration(input: .file)
        let minute = WorkerReply.recognized(.sound([Int16](repeating: 0, count: 60 * 16_000)))
        #expect(areAccepted(file, Self.partial("no", 0), .recognized(.final(Self.transcript))))
        #expect(!areAccepted(file, minute))
        file.givesSound = true
        #expect(areAccepted(file, minute))
        #expect(!areAccepted(file, minute, minute))
    }

    @Test("a worker with too many replies is refused")
    func flood() throws {
        var conversation = Conversation()
        try conversation.check(.ready(EngineCapabilities()), sent: 1)
        #expect(throws: ProtocolError.self) { for _ in 0..<1_000 { try conversation.check(.progress(1), sent: 1) } }
    }
}
