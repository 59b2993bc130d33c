import Authorization
import Speech
import TestSupport
import Testing

@Suite("A session ends at once, and the log has the reason", .timeLimit(.minutes(1)))
struct SessionEndingTests {
    /// Device closed, recogniser ended, record written, and only then told.
    static let closing = ["close", "cancel", "write sessionStopped", "told ended"]

    @Test(
        "revoking a permission ends it, and no frame reaches the recogniser afterwards",
        arguments: Resource.allCases)
    func revoked(_ resource: Resource) async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        try await bench.revoke(resource)
        bench.microphone.speak(at: 160)
        await running.value
        #expect(bench.ending == .revoked)
        #expect(bench.notes.values.filter { $0 != "write decidedInSettings" }.suffix(4) == Self.closing[...])
        #expect(!bench.notes.values.contains("frames 160"))
        #expect(!bench.notes.values.contains("finish"))
        // The device may have closed before the second frames.
        let account = try #require(bench.outcome?.account)
        #expect([160, 320].contains(account.captured))
        #expect(
            bench.outcome
                == SessionOutcome(
                    reason: "revoked",
                    account: ListeningAccount([
                        .heard(.foreground): 160, .dropped(.permissionEnded): account.captured - 160,
                    ])))
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

    @Test("a policy ends it as restricted")
    func restricted() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        try await bench.restrict()
        await running.value
        #expect(bench.ending == .restricted)
        #expect(bench.outcome?.reason == "restricted")
    }

    @Test("a recogniser that takes no audio does not delay a revocation")
    func slowRecognizer() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.recognizer.hold()
        bench.microphone.speak(at: 0)
        bench.microphone.speak(at: 160)
        await bench.notes.has("frames 0")
        try await bench.revoke()
        await running.value
        #expect(bench.ending == .revoked)
        #expect(bench.notes.values.contains("close"))
        #expect(!bench.notes.values.contains("frames 160"))
    }

    @Test("end closes the device, decodes the audio, and then ends")
    func end() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        bench.session.control(.end)
        await bench.notes.has("finish")
        #expect(bench.notes.values.suffix(2) == ["close", "finish"])
        #expect(bench.ledger.outcomes.isEmpty)
        bench.recognizer.tell(.final(.sample("forward")))
        bench.recognizer.tell(.finished(duration: 0.01))
        await running.value
        #expect(
            bench.told.values.suffix(2) == [.final(.sample("forward")), .ended(.ended, message: nil)])
        #expect(bench.outcome == SessionOutcome(reason: "ended", frames: 160))
    }

    @Test("all that was captured before the end reaches the recogniser before its finish, however slow it is")
    func drains() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.recognizer.hold()
        for number in 0..<10 { bench.microphone.speak(at: Int64(number) * 160) }
        await bench.notes.has("frames 0")
        bench.session.control(.end)
        await bench.notes.has("close")
        #expect(!bench.notes.values.contains("finish"))
        bench.recognizer.release()
        await bench.notes.has("finish")
        #expect(
            bench.notes.values.filter { $0.hasPrefix("frames") || $0 == "finish" }
                == (0..<10).map { "frames \($0 * 160)" } + ["finish"])
        bench.recognizer.tell(.finished(duration: 0.1))
        await running.value
        #expect(bench.outcome == SessionOutcome(reason: "ended", frames: 1_600))
    }

    @Test("a permission that ends while the rest waits for the recogniser drops it at once")
    func revokedWhileDraining() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        await bench.deviceIsCaughtUp()
        bench.recognizer.hold()
        for number in 1..<10 { bench.microphone.speak(at: Int64(number) * 160) }
        await bench.notes.has("frames 160")
        bench.session.control(.end)
        await bench.notes.has("close")
        try await bench.revoke()
        await running.value
        #expect(bench.ending == .revoked)
        #expect(!bench.notes.values.contains("finish"))
        #expect(!bench.notes.values.contains("frames 320"))
        #expect(
            bench.outcome?.account
                == ListeningAccount([.heard(.foreground): 160, .dropped(.permissionEnded): 1_440]))
    }

    @Test("a device that does not close ends the session all the same, and the record and the client are told")
    func deviceHangs() async throws {
        let bench = try await SessionBench(answering: .once)
        let running = try await bench.running()
        bench.microphone.hangInClosing()
        bench.session.control(.cancel)
        await running.value
        guard case .ended(.cancelled, let message) = bench.told.values.last else {
            Issue.record("not told")
            return
        }
        #expect(message?.contains("does not close") == true)
        #expect(bench.outcome?.isDeviceHeld == true)
        #expect(bench.session.outcome == bench.outcome)
        // The grant outlives the session, and ends with the process.
        #expect(await bench.gate.standing(of: .microphone, for: bench.requester).terms?.scope == .once)
        await bench.gate.processEnded(bench.requester.caller.process)
        #expect(await bench.gate.standing(of: .microphone, for: bench.requester) == .notDetermined)
    }

    @Test("a second end has no effect")
    func endTwice() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.control(.end)
        bench.session.control(.end)
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 0))
        await running.value
        #expect(bench.notes.values.filter { $0 == "finish" }.count == 1)
    }

    @Test("cancel drops the audio")
    func cancel() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.control(.cancel)
        await running.value
        #expect(bench.ending == .cancelled)
        #expect(bench.notes.values.suffix(4) == Self.closing[...])
        #expect(!bench.notes.values.contains("finish"))
    }

    @Test("cancel during the final decoding drops the text")
    func cancelWhileFinishing() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.control(.end)
        await bench.notes.has("finish")
        bench.session.control(.cancel)
        await running.value
        #expect(bench.ending == .cancelled)
    }

    @Test("a disconnected client closes the device")
    func disconnected() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.abandon(.disconnected)
        await running.value
        #expect(bench.ending == .disconnected)
        #expect(bench.notes.values.suffix(4) == Self.closing[...])
        #expect(bench.outcome?.reason == "disconnected")
    }

    @Test("a service that stops ends it, with a message")
    func serviceStops() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.abandon(.serviceStopped)
        await running.value
        #expect(bench.told.values.last == .ended(.serviceStopped, message: "The service is being stopped."))
        #expect(bench.outcome?.reason == "serviceStopped")
    }

    @Test("a lost device ends it after the audio was decoded")
    func deviceLost() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.send(.failed(CaptureError(code: .deviceLost, device: "default", message: "It is gone.")))
        await bench.notes.has("finish")
        bench.recognizer.tell(.final(.sample("forward")))
        bench.recognizer.tell(.finished(duration: 0))
        await running.value
        #expect(
            bench.told.values.suffix(2) == [.final(.sample("forward")), .ended(.deviceLost, message: "It is gone.")])
        #expect(bench.outcome?.reason == "deviceLost")
    }

    @Test("a device that fails ends it as failed, without a failure of the recogniser")
    func deviceFails() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.send(.failed(CaptureError(code: .inputOutput, device: "default", message: "No data.")))
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 0))
        await running.value
        #expect(bench.told.values.last == .ended(.failed, message: "No data."))
        #expect(!bench.ledger.eventNames.contains("recognizerFailed"))
    }

    @Test("a recogniser that dies ends it as failed, with its own record")
    func recognizerDies() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.recognizer.tell(.failed(RecognitionError(code: .workerDied, message: "It died.")))
        await running.value
        #expect(bench.told.values.last == .ended(.failed, message: "It died."))
        #expect(bench.ledger.eventNames == ["sessionStarted", "recognizerFailed", "sessionStopped"])
        #expect(bench.outcome?.reason == "failed")
        #expect(bench.notes.values.contains("close"))
    }

    @Test("a recogniser whose events stop without a last event ends it as failed")
    func recognizerVanishes() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.recognizer.vanish()
        await running.value
        #expect(bench.ending == .failed)
        #expect(bench.notes.values.contains("close"))
    }

    @Test("a permission for one use remains after the session, and ends a session with its process")
    func once() async throws {
        for isOver in [false, true] {
            let bench = try await SessionBench(answering: .once)
            let running = try await bench.running()
            if isOver {
                await bench.gate.processEnded(bench.requester.caller.process)
            } else {
                bench.session.control(.cancel)
            }
            await running.value
            #expect(bench.ending == (isOver ? .disconnected : .cancelled))
            for resource in Resource.allCases {
                let status = await bench.gate.status(of: resource, for: bench.requester)
                #expect(status == (isOver ? .notDetermined : .authorized))
            }
        }
    }

    @Test("an end that cannot be recorded still closes everything, and is reported")
    func unwritableEnd() async throws {
        let bench = try await SessionBench(answering: .once)
        let running = try await bench.running()
        bench.ledger.fail(after: 0)
        bench.session.control(.cancel)
        await running.value
        guard case .ended(.cancelled, let message) = bench.told.values.last else {
            Issue.record("not told")
            return
        }
        #expect(message?.contains("consent log") == true)
        #expect(bench.notes.values.contains("close"))
    }
}
