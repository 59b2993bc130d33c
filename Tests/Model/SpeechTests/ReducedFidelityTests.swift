import Authorization
import Speech
import TestSupport
import Testing

@Suite("A session at reduced fidelity", .timeLimit(.minutes(1)))
struct ReducedFidelityTests {
    private static let spoken = Transcript.sample("forward")

    @Test("a client with phrases gets these and nothing else")
    func phrasesAlone() async throws {
        let bench = try await SessionBench(
            DictationConfiguration(reportsLevel: true), fidelity: .reduced, phrases: ["Forward!", "back"])
        let running = try await bench.running()
        #expect(bench.recognizer.configuration?.task == .phrases(["Forward!", "back"]))
        bench.recognizer.tell(.speechStarted(at: 0.5))
        bench.recognizer.tell(.partial(PartialTranscript(text: "back", stablePrefix: 0)))
        bench.recognizer.tell(.final(.sample("secret")))
        bench.recognizer.tell(.final(Self.spoken))
        bench.microphone.speak(at: 0, Array(repeating: 1_000, count: 16_000))
        await bench.told.has(.final(.phrase("Forward!")))
        bench.session.control(.suspend)
        await bench.told.has(.paused(reason: .suspended))
        bench.session.control(.cancel)
        await running.value
        #expect(
            bench.told.values.dropFirst() == [
                .final(.phrase("Forward!")), .paused(reason: .suspended), .ended(.cancelled, message: nil),
            ])
    }

    @Test("a client without phrases is refused, and nothing is opened")
    func noPhrases() async throws {
        let bench = try await SessionBench(fidelity: .reduced)
        let error = await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(error?.code == .reducedFidelity)
        #expect(error?.settings?.contains("--fidelity full") == true)
        #expect(!bench.notes.values.contains { $0.hasPrefix("open") || $0 == "start" })
        #expect(bench.ledger.eventNames.contains("accessBlocked"))
        #expect(!bench.ledger.eventNames.contains("sessionStarted"))
    }

    @Test("lowering applies to a running session: free text stops, exact phrases pass without their words")
    func lowered() async throws {
        let bench = try await SessionBench(phrases: ["forward", "go back"])
        let running = try await bench.running()
        #expect(bench.recognizer.configuration?.task == .dictation)
        bench.recognizer.tell(.final(.sample("secret")))
        await bench.told.has(.final(.sample("secret")))
        try await bench.lower()
        bench.recognizer.tell(.speechStarted(at: 2))
        bench.recognizer.tell(.partial(PartialTranscript(text: "hidden", stablePrefix: 0)))
        bench.recognizer.tell(.final(.sample("hidden")))
        bench.recognizer.tell(.final(.sample("forward")))
        await bench.told.has(.final(.phrase("forward")))
        bench.session.abandon(.disconnected)
        await running.value
        #expect(
            bench.told.values.dropFirst() == [
                .final(.sample("secret")), .final(.phrase("forward")), .ended(.disconnected, message: nil),
            ])
    }

    @Test("an event that was emitted before the lowering and is read after it does not pass")
    func unread() async throws {
        let bench = try await SessionBench(phrases: ["forward"])
        let running = try await bench.running()
        let told = TimedDictationEvent(time: 1, event: .final(.sample("secret")))
        #expect(bench.session.passing(told) == told)
        try await bench.lower()
        #expect(bench.session.passing(told) == nil)
        bench.session.abandon(.disconnected)
        await running.value
    }

    @Test("a recogniser's own message of its failure does not pass")
    func failure() async throws {
        let bench = try await SessionBench(fidelity: .reduced, phrases: ["forward"])
        let running = try await bench.running()
        bench.recognizer.tell(.failed(RecognitionError(code: .badAudio, message: "the secret words")))
        await running.value
        guard case .ended(.failed, let message?) = bench.told.values.last else {
            Issue.record("\(bench.told.values)")
            return
        }
        #expect(!message.contains("secret"))
    }

    @Test("silence ends it after a phrase, whatever else is said in the meantime")
    func silence() async throws {
        let bench = try await SessionBench(
            DictationConfiguration(stopAfterSilence: 1), fidelity: .reduced, phrases: ["forward"])
        let running = try await bench.running()
        bench.recognizer.tell(.speechStarted(at: 0.5))
        bench.recognizer.tell(.final(.sample("forward", end: 1)))
        await bench.told.has(.final(.phrase("forward")))
        bench.recognizer.tell(.speechStarted(at: 1.2))
        bench.microphone.speak(at: 0, [Int16](repeating: 0, count: 48_000))
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 3))
        await running.value
        #expect(bench.ending == .silence)
    }
}

extension Transcript {
    /// A phrase as a client at reduced fidelity gets it.
    static func phrase(_ text: String) -> Transcript { Transcript(text: text, start: 0, end: 0, words: []) }
}
