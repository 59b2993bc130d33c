import Authorization
import Speech
import TestSupport
import Testing

@Suite("A session at reduced fidelity", .timeLimit(.minutes(1)))
struct ReducedFidelityTests {
    private static func partial(_ text: String) -> RecognitionEvent {
        .partial(PartialTranscript(text: text, stablePrefix: 0))
    }

    /// The phrase is spoken, and waited for in the client.
    private static func hear(_ word: String, as phrase: String) -> SessionStep {
        .check {
            $0.recognizer.tell(.final(.sample(word)))
            await $0.told.has(.final(.phrase(phrase)))
        }
    }

    @Test("a client with phrases gets these and nothing else")
    func phrasesAlone() async throws {
        let bench = try await SessionBench(
            DictationConfiguration(reportsLevel: true), fidelity: .reduced, phrases: ["Forward!", "back"]
        ).played(
            .recognise(.speechStarted(at: 0.5), Self.partial("back"), .final(.sample("secret"))),
            .speak(0, 16_000, of: 1_000), Self.hear("forward", as: "Forward!"), .suspend, .cancel)
        #expect(bench.recognizer.configuration?.task == .phrases(["Forward!", "back"]))
        let expected: [DictationEvent] = [
            .final(.phrase("Forward!")), .paused(reason: .suspended), .ended(.cancelled, message: nil),
        ]
        #expect(bench.told.values.dropFirst() == expected[...])
    }

    @Test("a client without phrases is refused, and nothing is opened")
    func noPhrases() async throws {
        let bench = try await SessionBench(fidelity: .reduced)
        let error = await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(error?.code == .reducedFidelity)
        #expect(error?.settings?.contains("--fidelity full") == true)
        #expect(bench.notes("open", "start") == [])
        #expect(bench.ledger.eventNames.contains("accessBlocked"))
        #expect(!bench.ledger.eventNames.contains("sessionStarted"))
    }

    @Test("lowering applies to a running session: free text stops, exact phrases pass without their words")
    func lowered() async throws {
        let bench = try await SessionBench(phrases: ["forward", "go back"]).played(
            .say("secret"), .lowerFidelity,
            .recognise(.speechStarted(at: 2), Self.partial("hidden"), .final(.sample("hidden"))),
            Self.hear("forward", as: "forward"), .disconnect)
        #expect(bench.recognizer.configuration?.task == .dictation)
        let expected: [DictationEvent] = [
            .final(.sample("secret")), .final(.phrase("forward")), .ended(.disconnected, message: nil),
        ]
        #expect(bench.told.values.dropFirst() == expected[...])
    }

    @Test("an event that was emitted before the lowering and is read after it does not pass")
    func unread() async throws {
        let told = TimedDictationEvent(time: 1, event: .final(.sample("secret")))
        try await SessionBench(phrases: ["forward"]).played(
            .check { #expect($0.session.passing(told) == told) }, .lowerFidelity,
            .check { #expect($0.session.passing(told) == nil) }, .disconnect)
    }

    @Test("a recogniser's own message of its failure does not pass")
    func failure() async throws {
        let failure = RecognitionError(code: .badAudio, message: "the secret words")
        let bench = try await SessionBench(fidelity: .reduced, phrases: ["forward"]).played(
            .recognise(.failed(failure)))
        guard case .ended(.failed, let message?) = bench.told.values.last else { throw failure }
        #expect(!message.contains("secret"))
    }

    @Test("silence ends it after a phrase, whatever else is said in the meantime")
    func silence() async throws {
        let bench = try await SessionBench(
            DictationConfiguration(stopAfterSilence: 1), fidelity: .reduced, phrases: ["forward"]
        ).played(
            .recognise(.speechStarted(at: 0.5)), Self.hear("forward", as: "forward"),
            .recognise(.speechStarted(at: 1.2)), .speak(0, 48_000, of: 0), .noted("finish"), .finished)
        #expect(bench.ending == .silence)
    }
}

extension Transcript {
    /// A phrase as a client at reduced fidelity gets it.
    static func phrase(_ text: String) -> Transcript { Transcript(text: text, start: 0, end: 0, words: []) }
}
