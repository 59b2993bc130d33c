import Authorization
import Speech
import TestSupport
import Testing

@Suite("Data kept of a session", .timeLimit(.minutes(1)))
struct SessionKeepingTests {
    private static let times: KeepingTimes = [.transcript: .limited(30, .days), .recording: .limited(7, .days)]

    private func kept(_ bench: SessionBench) -> [String] { bench.notes("keep") }

    private func bench(
        declared: KeepingTimes = times, agreed: KeepingTimes = times, fidelity: Fidelity = .full
    ) async throws -> SessionBench {
        try await SessionBench(
            fidelity: fidelity, as: Samples.requester(phrases: ["forward"], kept: declared), keeping: agreed)
    }

    @Test("a client that declares keeping without agreement may not begin, and the keeper is not called")
    func notAgreed() async throws {
        let bench = try await bench(agreed: [:])
        #expect(await failure(AuthorizationError.self) { try await bench.session.start() }?.code == .termsWidened)
        #expect(kept(bench) == [])
    }

    @Test("without a declaration the keeper is not called", arguments: [times, [:]])
    func nothing(_ agreed: KeepingTimes) async throws {
        let bench = try await bench(declared: [:], agreed: agreed).played(
            .speak(0), .say("forward"), .control(.end), .finished)
        #expect(kept(bench) == [])
    }

    @Test("the recogniser's frames and the client's words are kept, for the shorter time")
    func both() async throws {
        let bench = try await bench(
            declared: [.transcript: .limited(1, .days), .recording: .limited(7, .days)],
            agreed: [.transcript: .limited(30, .days), .recording: .untilWithdrawn]
        ).played(
            .hear(0), .suspend, .speak(160), .deviceIsCaughtUp, .resume, .hear(320),
            .recognise(.partial(PartialTranscript(text: "for", stablePrefix: 0)), .final(.sample("forward"))),
            .say(nil),
            .control(.end), .finished)
        let notes = kept(bench)
        #expect(notes.first == "keep begin transcript P1D,recording P7D")
        #expect(bench.notes("keep frames") == ["keep frames 0", "keep frames 320"])
        #expect(bench.notes("keep word") == ["keep word forward"])
        #expect(notes.last == "keep end true")
        // Kept before the session's end is recorded, which is told last.
        let all = bench.notes.values
        #expect(all.firstIndex(of: "keep end true") ?? .max < all.firstIndex(of: "write sessionStopped") ?? .min)
    }

    @Test("at reduced fidelity no sound is kept, and only the phrases of the text")
    func reduced() async throws {
        let bench = try await bench(fidelity: .reduced).played(
            .hear(0), .recognise(.final(.sample("secret")), .final(.sample("forward"))), .noted("keep word forward"),
            .disconnect)
        #expect(kept(bench) == ["keep begin transcript P30D", "keep word forward", "keep end true"])
    }

    @Test("when fidelity is lowered during the session, no further sound is kept")
    func lowered() async throws {
        let bench = try await bench().played(
            .speak(0), .noted("keep frames 0"), .lowerFidelity, .hear(160), .recognise(.final(.sample("secret"))),
            .control(.end), .finished)
        #expect(!bench.hasNoted("keep frames 160") && !bench.hasNoted("keep word secret"))
    }

    @Test(
        "a cancelled session and one with a revoked permission are erased",
        arguments: [.cancel, .revoke(.speechRecognition)] as [SessionStep])
    func thrownAway(_ end: SessionStep) async throws {
        #expect(kept(try await bench().played(end)).last == "keep end false")
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
