import Authorization
import Speech
import TestSupport
import Testing

@Suite("The events of a session while it listens", .timeLimit(.minutes(1)))
struct SessionListeningTests {
    @Test("the recogniser's words pass in order")
    func words() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        let partial = PartialTranscript(text: "for", stablePrefix: 0)
        bench.recognizer.tell(.speechStarted(at: 0.5))
        bench.recognizer.tell(.partial(partial))
        bench.recognizer.tell(.final(.sample("forward")))
        await bench.told.has(.final(.sample("forward")))
        #expect(
            bench.told.values.dropFirst() == [
                .speechStarted(at: 0.5), .partial(partial), .final(.sample("forward")),
            ])
        bench.session.abandon(.disconnected)
        await running.value
    }

    @Test("suspend drops frames, resume continues, and each is reported once")
    func suspend() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.control(.suspend)
        bench.session.control(.suspend)
        await bench.told.has(.paused(reason: .suspended))
        bench.microphone.speak(at: 0)
        await bench.deviceIsCaughtUp()
        bench.session.control(.resume)
        bench.session.control(.resume)
        await bench.told.has(.resumed(reason: .suspended))
        bench.microphone.speak(at: 160)
        await bench.notes.has("frames 160")
        bench.session.control(.cancel)
        await running.value
        #expect(!bench.notes.values.contains("frames 0"))
        #expect(bench.told.values.filter { $0 == .paused(reason: .suspended) }.count == 1)
        #expect(bench.told.values.filter { $0 == .resumed(reason: .suspended) }.count == 1)
        #expect(bench.outcome?.account == ListeningAccount([.suspended: 160, .heard(.foreground): 160]))
    }

    @Test("a lost device pauses, and its return resumes")
    func deviceReturns() async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait))
        let running = try await bench.running()
        bench.microphone.send(.deviceLost(CaptureError(code: .deviceLost, device: "default", message: "Gone.")))
        bench.microphone.send(.deviceReturned)
        await bench.told.has(.resumed(reason: .deviceLost))
        #expect(bench.told.values.dropFirst() == [.paused(reason: .deviceLost), .resumed(reason: .deviceLost)])
        #expect(!bench.notes.values.contains("finish"))
        bench.session.abandon(.disconnected)
        await running.value
    }

    @Test("a device that is lost in mid-utterance ends the utterance at once; its text does not wait for the return")
    func deviceLostInSpeech() async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait))
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        bench.microphone.send(.deviceLost(CaptureError(code: .deviceLost, device: "default", message: "Gone.")))
        await bench.notes.has("gap 161")
        await bench.told.has(.paused(reason: .deviceLost))
        bench.microphone.send(.deviceReturned)
        bench.microphone.speak(at: 800)
        await bench.notes.has("frames 800")
        bench.session.control(.cancel)
        await running.value
        #expect(bench.notes.values.filter { $0.hasPrefix("gap") } == ["gap 161"])
        #expect(bench.outcome?.account == ListeningAccount([.heard(.foreground): 320, .paused: 640]))
    }

    @Test("the machine's sleep is a pause in the record, and no silence that ends the session")
    func asleep() async throws {
        let bench = try await SessionBench(DictationConfiguration(stopAfterSilence: 2))
        let running = try await bench.running()
        bench.recognizer.tell(.speechStarted(at: 0))
        bench.recognizer.tell(.final(.sample("night", end: 0.01)))
        await bench.told.has(.final(.sample("night", end: 0.01)))
        let tenth = [Int16](repeating: 1, count: 1_600)
        bench.microphone.speak(at: 0, tenth)
        bench.microphone.send(.asleep(frames: 160_000))
        await bench.told.has(.overrun(lostFrames: 160_000))
        bench.microphone.speak(at: 161_600, tenth)
        await bench.notes.has("frames 161600")
        await bench.deviceIsCaughtUp()
        #expect(bench.ending == nil)
        bench.session.control(.cancel)
        await running.value
        #expect(bench.ending == .cancelled)
        #expect(bench.outcome?.account == ListeningAccount([.heard(.foreground): 3_200, .paused: 160_000]))
    }

    @Test("lost frames are reported")
    func overrun() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.send(.overrun(lostFrames: 480))
        await bench.told.has(.overrun(lostFrames: 480))
        bench.session.abandon(.disconnected)
        await running.value
    }

    @Test("the level is reported only if requested", arguments: [true, false])
    func level(_ isAsked: Bool) async throws {
        let bench = try await SessionBench(DictationConfiguration(reportsLevel: isAsked))
        let running = try await bench.running()
        bench.microphone.speak(at: 0, Array(repeating: -32_768, count: 1_600))
        await bench.deviceIsCaughtUp()
        #expect(bench.told.values.contains(.level(0)) == isAsked)
        bench.session.abandon(.disconnected)
        await running.value
    }

    @Test("silence after words ends it after the audio was decoded")
    func silence() async throws {
        let bench = try await SessionBench(DictationConfiguration(stopAfterSilence: 2))
        let running = try await bench.running()
        let second = [Int16](repeating: 0, count: 16_000)
        bench.microphone.speak(at: 0, second)
        bench.recognizer.tell(.speechStarted(at: 0.5))
        bench.recognizer.tell(.final(.sample("stop", end: 1)))
        await bench.told.has(.final(.sample("stop", end: 1)))
        bench.microphone.speak(at: 16_000, second)
        await bench.deviceIsCaughtUp()
        #expect(!bench.notes.values.contains("finish"))
        bench.microphone.speak(at: 32_000, second)
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 3))
        await running.value
        #expect(bench.ending == .silence)
    }

    @Test("the time of a suspension is not silence")
    func silenceAndSuspension() async throws {
        let bench = try await SessionBench(DictationConfiguration(stopAfterSilence: 2))
        let running = try await bench.running()
        let second = [Int16](repeating: 0, count: 16_000)
        bench.microphone.speak(at: 0, second)
        await bench.deviceIsCaughtUp()
        bench.recognizer.tell(.final(.sample("wait", end: 1)))
        await bench.told.has(.final(.sample("wait", end: 1)))
        bench.session.control(.suspend)
        await bench.told.has(.paused(reason: .suspended))
        bench.session.control(.resume)
        await bench.told.has(.resumed(reason: .suspended))
        bench.microphone.speak(at: 60 * 16_000, second)
        await bench.deviceIsCaughtUp()
        #expect(!bench.notes.values.contains("finish"))
        bench.microphone.speak(at: 62 * 16_000, second)
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 63))
        await running.value
        #expect(bench.ending == .silence)
    }

    @Test("silence is counted on the recogniser's clock, which begins with the first frame it gets")
    func clocks() async throws {
        let bench = try await SessionBench(DictationConfiguration(stopAfterSilence: 2))
        try await bench.session.start()
        let running = bench.run()
        let second = [Int16](repeating: 0, count: 16_000)
        // The device's first minute was lost.
        bench.microphone.speak(at: 60 * 16_000, second)
        bench.recognizer.tell(.final(.sample("late", end: 1)))
        await bench.told.has(.final(.sample("late", end: 1)))
        bench.microphone.speak(at: 61 * 16_000, second)
        await bench.deviceIsCaughtUp()
        #expect(!bench.notes.values.contains("finish"))
        bench.session.abandon(.disconnected)
        await running.value
    }
}
