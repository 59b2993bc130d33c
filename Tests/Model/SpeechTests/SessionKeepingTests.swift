import Authorization
import Speech
import TestSupport
import Testing

@Suite("Data kept of a session", .timeLimit(.minutes(1)))
struct SessionKeepingTests {
    private static let times: KeepingTimes = [.transcript: .limited(30, .days), .recording: .limited(7, .days)]

    private func kept(_ bench: SessionBench) -> [String] { bench.notes.values.filter { $0.hasPrefix("keep") } }

    private func bench(
        declared: KeepingTimes = times, agreed: KeepingTimes = times, fidelity: Fidelity = .full
    ) async throws -> SessionBench {
        try await SessionBench(
            fidelity: fidelity, as: Samples.requester(phrases: ["forward"], kept: declared), keeping: agreed)
    }

    @Test("a client that declares keeping without agreement may not begin, and the keeper is not called")
    func notAgreed() async throws {
        let bench = try await bench(agreed: [:])
        let error = await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(error?.code == .termsWidened)
        #expect(kept(bench) == [])
    }

    @Test("without a declaration the keeper is not called")
    func nothing() async throws {
        for agreed in [Self.times, [:]] {
            let bench = try await bench(declared: [:], agreed: agreed)
            let running = try await bench.running()
            bench.microphone.speak(at: 0)
            bench.recognizer.tell(.final(.sample("forward")))
            await bench.told.has(.final(.sample("forward")))
            bench.session.control(.end)
            bench.recognizer.tell(.finished(duration: 1))
            await running.value
            #expect(kept(bench) == [])
        }
    }

    @Test("the recogniser's frames and the client's words are kept, for the shorter time")
    func both() async throws {
        let bench = try await bench(
            declared: [.transcript: .limited(1, .days), .recording: .limited(7, .days)],
            agreed: [.transcript: .limited(30, .days), .recording: .untilWithdrawn])
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        bench.session.control(.suspend)
        await bench.told.has(.paused(reason: .suspended))
        bench.microphone.speak(at: 160)
        await bench.deviceIsCaughtUp()
        bench.session.control(.resume)
        await bench.told.has(.resumed(reason: .suspended))
        bench.microphone.speak(at: 320)
        await bench.notes.has("frames 320")
        bench.recognizer.tell(.partial(PartialTranscript(text: "for", stablePrefix: 0)))
        bench.recognizer.tell(.final(.sample("forward")))
        bench.recognizer.tell(.final(.sample(nil)))
        await bench.told.has(.final(.sample(nil)))
        bench.session.control(.end)
        bench.recognizer.tell(.finished(duration: 1))
        await running.value
        let notes = kept(bench)
        #expect(notes.first == "keep begin transcript P1D,recording P7D")
        #expect(notes.contains("keep frames 0") && notes.contains("keep frames 320"))
        #expect(!notes.contains("keep frames 160"), "\(notes)")
        #expect(notes.filter { $0.hasPrefix("keep word") } == ["keep word forward"])
        #expect(notes.last == "keep end true")
        // Kept before the session's end is recorded, which is told last.
        let all = bench.notes.values
        #expect(all.firstIndex(of: "keep end true") ?? .max < all.firstIndex(of: "write sessionStopped") ?? .min)
    }

    @Test("at reduced fidelity no sound is kept, and only the phrases of the text")
    func reduced() async throws {
        let bench = try await bench(fidelity: .reduced)
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        bench.recognizer.tell(.final(.sample("secret")))
        bench.recognizer.tell(.final(.sample("forward")))
        await bench.notes.has("keep word forward")
        bench.session.abandon(.disconnected)
        await running.value
        #expect(kept(bench) == ["keep begin transcript P30D", "keep word forward", "keep end true"])
    }

    @Test("when fidelity is lowered during the session, no further sound is kept")
    func lowered() async throws {
        let bench = try await bench()
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.notes.has("keep frames 0")
        try await bench.lower()
        bench.microphone.speak(at: 160)
        await bench.notes.has("frames 160")
        bench.recognizer.tell(.final(.sample("secret")))
        bench.session.control(.end)
        bench.recognizer.tell(.finished(duration: 1))
        await running.value
        #expect(!kept(bench).contains("keep frames 160") && !kept(bench).contains("keep word secret"))
    }

    @Test("a cancelled session and one with a revoked permission are erased")
    func thrownAway() async throws {
        let cancelled = try await bench()
        var running = try await cancelled.running()
        cancelled.session.control(.cancel)
        await running.value
        #expect(kept(cancelled).last == "keep end false")
        let revoked = try await bench()
        running = try await revoked.running()
        try await revoked.revoke(.speechRecognition)
        await running.value
        #expect(kept(revoked).last == "keep end false")
    }

    @Test("only the transcript of a file is kept, as agreed with speech recognition")
    func file() async throws {
        let bench = try await bench()
        let transcription = FileTranscription(
            SessionContext(
                identifier: "f", requester: bench.requester, gate: bench.gate, ledger: bench.ledger,
                keeper: StandInKeeper(notes: bench.notes), presence: { .foreground }),
            recognizer: bench.recognizer)
        let (file, end) = AsyncStream.makeStream(of: [UInt8].self)
        end.finish()
        try await transcription.open(file)
        bench.recognizer.tell(.final(.sample("forward")))
        bench.recognizer.tell(.finished(duration: 1))
        try await transcription.run { _ in }
        #expect(kept(bench) == ["keep begin transcript P30D", "keep word forward", "keep end true"])
    }
}
