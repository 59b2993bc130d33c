import Authorization
import Speech
import TestSupport
import Testing

@Suite("A session ends at once, and the log has the reason", .timeLimit(.minutes(1)))
struct SessionEndingTests {
    /// Device closed, recogniser ended, record written, and only then told.
    private static let closing = ["close", "cancel", "write sessionStopped", "told ended"]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [SessionStep]
        let ending: DictationEnding
        var message: String?
        /// Whether the audio is dropped at once.
        var isDropped = false
        var text: [DictationEvent] = []
        var records: [String]?

        init(
            _ description: String, _ steps: SessionStep..., ending: DictationEnding, message: String? = nil,
            isDropped: Bool = false, text: [DictationEvent] = [], records: [String]? = nil
        ) {
            (testDescription, self.steps, self.ending, self.message) = (description, steps, ending, message)
            (self.isDropped, self.text, self.records) = (isDropped, text, records)
        }
    }

    @Test(
        "by table",
        arguments: [
            Row("a policy restricts it", .restrict, ending: .restricted),
            Row("cancel drops the audio", .cancel, ending: .cancelled, isDropped: true),
            Row("cancel during the final decoding drops the text", .end, .cancel, ending: .cancelled),
            Row("a disconnected client closes the device", .disconnect, ending: .disconnected, isDropped: true),
            Row(
                "a service that stops ends it, with a message", .abandon(.serviceStopped), ending: .serviceStopped,
                message: "The service is being stopped."),
            Row(
                "a lost device ends it after the audio was decoded", .deviceFails(.deviceLost, "It is gone."),
                .noted("finish"), .recognise(.final(.sample("forward"))), .finished, ending: .deviceLost,
                message: "It is gone.", text: [.final(.sample("forward"))]),
            Row(
                "a device that fails ends it as failed, without a failure of the recogniser",
                .deviceFails(.inputOutput, "No data."), .noted("finish"), .finished, ending: .failed,
                message: "No data.", records: ["sessionStarted", "sessionStopped"]),
            Row(
                "a recogniser that dies ends it as failed, with its own record", .recognizerDies, ending: .failed,
                message: "It died.", records: ["sessionStarted", "recognizerFailed", "sessionStopped"]),
            Row("a recogniser whose events stop without a last event ends it as failed", .vanish, ending: .failed),
        ])
    func table(_ row: Row) async throws {
        let bench = try await SessionBench().played(row.steps)
        #expect(bench.ending == row.ending && bench.outcome?.reason == row.ending.rawValue)
        if let message = row.message { #expect(bench.told.values.last == .ended(row.ending, message: message)) }
        #expect(bench.told.values.dropFirst().dropLast() == row.text[...])
        #expect(bench.hasNoted("close"))
        if row.isDropped { #expect(bench.notes.values.suffix(4) == Self.closing[...] && !bench.hasNoted("finish")) }
        if let records = row.records { #expect(bench.ledger.eventNames == records) }
    }

    @Test("revoking a permission ends it, and no frame reaches the recogniser afterwards", arguments: Resource.allCases)
    func revoked(_ resource: Resource) async throws {
        let bench = try await SessionBench().played(.hear(0), .revoke(resource), .speak(160))
        #expect(bench.ending == .revoked)
        #expect(bench.notes.values.filter { $0 != "write decidedInSettings" }.suffix(4) == Self.closing[...])
        #expect(!bench.hasNoted("frames 160") && !bench.hasNoted("finish"))
        // The device may have closed before the second frames.
        let captured = try #require(bench.outcome?.account.captured)
        #expect([160, 320].contains(captured))
        let account = ListeningAccount([.heard(.foreground): 160, .dropped(.permissionEnded): captured - 160])
        #expect(bench.outcome == SessionOutcome(reason: "revoked", account: account))
    }

    @Test("queued words are not emitted after a permission's end")
    func wordsAfterRevocation() async throws {
        let bench = try await SessionBench()
        try await bench.session.start()
        bench.recognizer.tell(.final(.sample("secret")))
        try await bench.revoke()
        await bench.run().value
        #expect(bench.told.values.count == 2)
        #expect(bench.ending == .revoked)
    }

    @Test("a recogniser that takes no audio does not delay a revocation")
    func slowRecognizer() async throws {
        let bench = try await SessionBench().played(.hold, .speak(0), .speak(160), .noted("frames 0"), .revoke())
        #expect(bench.ending == .revoked)
        #expect(bench.hasNoted("close") && !bench.hasNoted("frames 160"))
    }

    @Test("end closes the device, decodes the audio, and then ends")
    func end() async throws {
        let bench = try await SessionBench().played(
            .hear(0), .end,
            .check {
                #expect($0.notes.values.suffix(2) == ["close", "finish"])
                #expect($0.ledger.outcomes.isEmpty)
            }, .recognise(.final(.sample("forward")), .finished(duration: 0.01)))
        #expect(bench.told.values.suffix(2) == [.final(.sample("forward")), .ended(.ended, message: nil)])
        #expect(bench.outcome == SessionOutcome(reason: "ended", frames: 160))
    }

    @Test("all that was captured before the end reaches the recogniser before its finish, however slow it is")
    func drains() async throws {
        let bench = try await SessionBench().played(
            [.hold] + (0..<10).map { .speak($0 * 160) } + [
                .noted("frames 0"), .control(.end), .noted("close"), .check { #expect(!$0.hasNoted("finish")) },
                .release, .noted("finish"), .finished,
            ])
        #expect(bench.notes("frames", "finish") == (0..<10).map { "frames \($0 * 160)" } + ["finish"])
        #expect(bench.outcome == SessionOutcome(reason: "ended", frames: 1_600))
    }

    @Test("a permission that ends while the rest waits for the recogniser drops it at once")
    func revokedWhileDraining() async throws {
        let bench = try await SessionBench().played(
            [.hear(0), .deviceIsCaughtUp, .hold] + (1..<10).map { .speak($0 * 160) } + [
                .noted("frames 160"), .control(.end), .noted("close"), .revoke(),
            ])
        #expect(bench.ending == .revoked)
        #expect(!bench.hasNoted("finish") && !bench.hasNoted("frames 320"))
        let account = ListeningAccount([.heard(.foreground): 160, .dropped(.permissionEnded): 1_440])
        #expect(bench.outcome?.account == account)
    }

    /// The message of a session that was cancelled.
    private func message(_ bench: SessionBench) throws -> String? {
        guard case .ended(.cancelled, let message) = bench.told.values.last else { throw CancellationError() }
        return message
    }

    @Test("a device that does not close ends the session all the same, and the record and the client are told")
    func deviceHangs() async throws {
        let bench = try await SessionBench(answering: .once)
        try await bench.played(.check { $0.microphone.hangInClosing() }, .cancel)
        #expect(try message(bench)?.contains("does not close") == true)
        #expect(bench.outcome?.isDeviceHeld == true)
        #expect(bench.session.outcome == bench.outcome)
        // The grant outlives the session, and ends with the process.
        #expect(await bench.gate.standing(of: .microphone, for: bench.requester).terms?.scope == .once)
        await bench.gate.processEnded(bench.requester.caller.process)
        #expect(await bench.gate.standing(of: .microphone, for: bench.requester) == .notDetermined)
    }

    @Test("a second end has no effect")
    func endTwice() async throws {
        let bench = try await SessionBench().played(.control(.end, .end), .noted("finish"), .finished)
        #expect(bench.notes("finish").count == 1)
    }

    @Test(
        "a permission for one use remains after the session, and ends a session with its process",
        arguments: [(.cancel, .cancelled, .authorized), (.processEnds, .disconnected, .notDetermined)]
            as [(SessionStep, DictationEnding, AuthorizationStatus)])
    func once(_ step: SessionStep, _ ending: DictationEnding, _ status: AuthorizationStatus) async throws {
        let bench = try await SessionBench(answering: .once).played(step)
        #expect(bench.ending == ending)
        for resource in Resource.allCases {
            #expect(await bench.gate.status(of: resource, for: bench.requester) == status)
        }
    }

    @Test("an end that cannot be recorded still closes everything, and is reported")
    func unwritableEnd() async throws {
        let bench = try await SessionBench(answering: .once)
        try await bench.played(.check { $0.ledger.fail(after: 0) }, .cancel)
        #expect(try message(bench)?.contains("consent log") == true)
        #expect(bench.hasNoted("close"))
    }
}
