import Authorization
import Speech
import TestSupport
import Testing

@Suite("A session is recorded before it listens", .timeLimit(.minutes(1)))
struct SessionOpeningTests {
    @Test("the record is durable before the recogniser is started and the device is opened")
    func order() async throws {
        let bench = try await SessionBench()
        let (notes, ledger) = (bench.notes, bench.ledger)
        ledger.onWrite { event in
            #expect(notes.values.isEmpty)
            notes.add("write \(event.name)")
        }
        try await bench.session.start()
        #expect(notes.values == ["write sessionStarted", "start", "open default end"])
        #expect(ledger.eventNames == ["sessionStarted"])
    }

    @Test("the record names the leases, the device and the client")
    func record() async throws {
        let bench = try await SessionBench(DictationConfiguration(device: "hw:1"))
        _ = try await bench.running()
        guard case .sessionStarted(let description) = bench.ledger.events.first else { throw CancellationError() }
        #expect(description.identifier == "session-1")
        #expect(description.device == "hw:1")
        #expect(description.requester == bench.requester)
        #expect(Set(description.grants.keys) == [.microphone, .speechRecognition])
        let started = DictationEvent.started(session: "session-1", device: "hw:1", grants: description.grants)
        #expect(bench.told.values.first == started)
    }

    @Test("the engine is reported when the start is recorded")
    func engine() async throws {
        let bench = try await SessionBench()
        _ = try await bench.running()
        #expect(bench.engines.values == [.ofService])
    }

    @Test("the configuration reaches the device and the recogniser")
    func configuration() async throws {
        let recognition = RecognitionConfiguration(endSilence: 1.5)
        let bench = try await SessionBench(
            DictationConfiguration(device: "mic", onDeviceLoss: .wait, recognition: recognition))
        try await bench.session.start()
        #expect(bench.notes.values.contains("open mic wait"))
        var expected = RecognitionConfiguration(input: .live, endSilence: 1.5)
        expected.recorded = .ofService
        #expect(bench.recognizer.configuration == expected)
    }

    @Test("nothing is opened if the record cannot be written, and the leases are given back")
    func unwritable() async throws {
        let bench = try await SessionBench(answering: .once)
        bench.ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await bench.session.start() }
        #expect(bench.notes.values == ["write sessionStarted"])
        #expect(bench.engines.values.isEmpty)
        #expect(await !bench.gate.isListening(user: 1000))
    }

    @Test("if the recogniser cannot start, nothing is opened, and the log has the failure")
    func recognizerFails() async throws {
        let bench = try await SessionBench()
        let failure = RecognitionError(code: .modelUnavailable, message: "The model is missing.")
        bench.recognizer.fail(with: failure)
        await #expect(throws: failure) { try await bench.session.start() }
        #expect(bench.notes.values == ["write sessionStarted", "write recognizerFailed", "write sessionStopped"])
        #expect(bench.outcome == SessionOutcome(reason: "failed", frames: 0))
    }

    @Test("if the device cannot be opened, the recogniser is cancelled, and the log has the failure")
    func deviceFails() async throws {
        let bench = try await SessionBench()
        let failure = CaptureError(code: .deviceBusy, device: "default", message: "It is busy.")
        bench.microphone.fail(with: failure)
        await #expect(throws: failure) { try await bench.session.start() }
        #expect(bench.notes.values == ["write sessionStarted", "start", "cancel", "write sessionStopped"])
        #expect(bench.outcome == SessionOutcome(reason: "failed", frames: 0))
    }

    @Test(
        "without the microphone's permission only the refusal is recorded, nothing is opened, and the other lease is given back"
    )
    func notAllowed() async throws {
        let bench = try await SessionBench(answering: .once)
        try await bench.revoke(.microphone)
        let before = bench.notes.values
        await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(bench.notes.values == before + ["write accessBlocked"])
        #expect(await !bench.gate.isListening(user: 1000))
    }

    @Test("a permission that ends while the record is written opens nothing, and is the reason in the log")
    func revokedWhileWriting() async throws {
        let bench = try await SessionBench()
        bench.ledger.onWrite { event in
            guard case .sessionStarted = event else { return }
            // The denial is in force when it is submitted; it is written behind the record that is being written.
            Task { try await bench.revoke(.speechRecognition) }
            while bench.ledger.waitingCount < 2 { await Task.yield() }
        }
        await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(bench.notes.values.isEmpty)
        #expect(bench.ledger.eventNames == ["sessionStarted", "decidedInSettings", "sessionStopped"])
        #expect(bench.outcome == SessionOutcome(reason: "revoked", frames: 0))
    }

    @Test(
        "a session that is abandoned while its recogniser starts opens no device",
        arguments: [DictationEnding.disconnected, .serviceStopped])
    func abandoned(_ ending: DictationEnding) async throws {
        let bench = try await SessionBench()
        bench.ledger.onWrite { event in
            guard case .sessionStarted = event else { return }
            bench.session.abandon(ending)
        }
        await #expect(throws: SessionAbandoned(ending: ending)) { try await bench.session.start() }
        #expect(bench.notes.values.isEmpty)
        #expect(bench.outcome == SessionOutcome(reason: ending.rawValue, frames: 0))
    }

    @Test("frames and words between start and run are not lost")
    func early() async throws {
        let bench = try await SessionBench()
        try await bench.session.start()
        bench.microphone.speak(at: 0)
        bench.recognizer.tell(.speechStarted(at: 0.1))
        await bench.notes.has("frames 0")
        #expect(bench.told.values.isEmpty)
        _ = bench.run()
        await bench.told.has(.speechStarted(at: 0.1))
        guard case .started = bench.told.values.first else { throw CancellationError() }
    }

    @Test("running without a start emits nothing")
    func notStarted() async throws {
        let bench = try await SessionBench()
        await bench.run().value
        #expect(bench.told.values.isEmpty)
        #expect(bench.notes.values.isEmpty)
    }

    @Test("a second run emits nothing, and does not affect the first")
    func secondRun() async throws {
        let bench = try await SessionBench()
        let first = try await bench.running()
        await bench.session.run { _ in Issue.record("the second run told something") }
        #expect(!bench.notes.values.contains("close"))
        bench.session.control(.cancel)
        await first.value
        #expect(bench.ending == .cancelled)
        await bench.session.run { _ in Issue.record("a run after the end told something") }
        #expect(bench.ledger.outcomes.count == 1)
    }
}
