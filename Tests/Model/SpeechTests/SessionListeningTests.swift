import Authorization
import Speech
import TestSupport
import Testing

@Suite("The events of a session while it listens", .timeLimit(.minutes(1)))
struct SessionListeningTests {
    private static let second = 16_000

    @Test("the recogniser's words pass in order")
    func words() async throws {
        let partial = PartialTranscript(text: "for", stablePrefix: 0)
        let bench = try await SessionBench().played(
            .recognise(.speechStarted(at: 0.5), .partial(partial)), .say("forward"), .disconnect)
        let expected: [DictationEvent] = [.speechStarted(at: 0.5), .partial(partial), .final(.sample("forward"))]
        #expect(bench.told.values.dropFirst().dropLast() == expected[...])
    }

    @Test("suspend drops frames, resume continues, and each is reported once")
    func suspend() async throws {
        let bench = try await SessionBench().played(
            .control(.suspend, .suspend), .paused(.suspended), .speak(0), .deviceIsCaughtUp,
            .control(.resume, .resume), .resumed(.suspended), .hear(160), .cancel)
        #expect(!bench.hasNoted("frames 0"))
        #expect(bench.pauses == [.paused(reason: .suspended), .resumed(reason: .suspended)])
        #expect(bench.outcome?.account == ListeningAccount([.suspended: 160, .heard(.foreground): 160]))
    }

    @Test("a lost device pauses, and its return resumes")
    func deviceReturns() async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait)).played(
            .deviceIsLost, .device(.deviceReturned), .resumed(.deviceLost), .disconnect)
        let expected: [DictationEvent] = [.paused(reason: .deviceLost), .resumed(reason: .deviceLost)]
        #expect(bench.told.values.dropFirst().dropLast() == expected[...])
        #expect(!bench.hasNoted("finish"))
    }

    @Test("a device that is lost in mid-utterance ends the utterance at once; its text does not wait for the return")
    func deviceLostInSpeech() async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait)).played(
            .speak(0), .deviceIsLost, .noted("gap 161"), .paused(.deviceLost), .device(.deviceReturned), .hear(800),
            .cancel)
        #expect(bench.notes("gap") == ["gap 161"])
        #expect(bench.outcome?.account == ListeningAccount([.heard(.foreground): 320, .paused: 640]))
    }

    @Test("the machine's sleep is a pause in the record, and no silence that ends the session")
    func asleep() async throws {
        let bench = try await SessionBench(DictationConfiguration(stopAfterSilence: 2)).played(
            .recognise(.speechStarted(at: 0)), .say("night", end: 0.01), .speak(0, 1_600),
            .device(.asleep(frames: 160_000)), .told(.overrun(lostFrames: 160_000, cause: .suspended)),
            .speak(161_600, 1_600),
            .noted("frames 161600"), .deviceIsCaughtUp, .check { #expect($0.ending == nil) }, .cancel)
        #expect(bench.ending == .cancelled)
        #expect(bench.outcome?.account == ListeningAccount([.heard(.foreground): 3_200, .paused: 160_000]))
    }

    @Test("a microphone that gives only zeros is reported after five seconds of listening, once")
    func noSound() async throws {
        func second(_ number: Int64) -> SessionStep { .speak(number * 16_000, 16_000, of: 0) }
        let bench = try await SessionBench().played(
            second(0), second(1), second(2), second(3), .deviceIsCaughtUp, .control(.suspend), .paused(.suspended),
            second(4), .deviceIsCaughtUp,
            .check { #expect(!$0.told.values.contains(.noSound(decibels: -96))) },
            .control(.resume), .resumed(.suspended), second(5), .told(.noSound(decibels: -96)), second(6), second(7),
            second(8),
            second(9), second(10), .deviceIsCaughtUp, .cancel)
        #expect(bench.told.values.filter { $0 == .noSound(decibels: -96) }.count == 1)
    }

    @Test("lost frames are reported")
    func overrun() async throws {
        try await SessionBench().played(
            .device(.overrun(lostFrames: 480)), .told(.overrun(lostFrames: 480)), .disconnect)
    }

    @Test("the level is reported only if requested", arguments: [true, false])
    func level(_ isAsked: Bool) async throws {
        let bench = try await SessionBench(DictationConfiguration(reportsLevel: isAsked)).played(
            .speak(0, 1_600, of: .min), .deviceIsCaughtUp, .disconnect)
        #expect(bench.told.values.contains(.level(0)) == isAsked)
    }

    private static let isNotFinished = SessionStep.check { #expect(!$0.hasNoted("finish")) }

    @Test(
        "silence after words ends it after the audio was decoded, and the time of a suspension is not silence",
        arguments: [
            [
                .speak(0, second, of: 0), .recognise(.speechStarted(at: 0.5)), .say("stop"),
                .speak(16_000, second, of: 0), .deviceIsCaughtUp, isNotFinished, .speak(32_000, second, of: 0),
            ],
            [
                .speak(0, second, of: 0), .deviceIsCaughtUp, .say("wait"), .suspend, .resume,
                .speak(60 * 16_000, second, of: 0), .deviceIsCaughtUp, isNotFinished,
                .speak(62 * 16_000, second, of: 0),
            ],
        ] as [[SessionStep]])
    func silence(_ steps: [SessionStep]) async throws {
        let bench = try await SessionBench(DictationConfiguration(stopAfterSilence: 2)).played(
            steps + [.noted("finish"), .finished])
        #expect(bench.ending == .silence)
    }

    @Test("speech that a grammar does not allow is followed by silence, too")
    func otherSpeech() async throws {
        let configuration = DictationConfiguration(
            stopAfterSilence: 2, recognition: RecognitionConfiguration(task: .grammar("any")))
        let bench = try await SessionBench(configuration).played(
            .speak(0, Self.second, of: 0), .recognise(.speechStarted(at: 0.5)), .say(nil),
            .speak(16_000, Self.second, of: 0), .deviceIsCaughtUp, Self.isNotFinished,
            .speak(32_000, Self.second, of: 0), .noted("finish"), .finished)
        #expect(bench.ending == .silence)
    }

    @Test("silence is counted on the recogniser's clock, which begins with the first frame it gets")
    func clocks() async throws {
        // The device's first minute was lost.
        try await SessionBench(DictationConfiguration(stopAfterSilence: 2)).played(
            .speak(60 * 16_000, Self.second, of: 0), .say("late"), .speak(61 * 16_000, Self.second, of: 0),
            .deviceIsCaughtUp, Self.isNotFinished, .disconnect)
    }
}
