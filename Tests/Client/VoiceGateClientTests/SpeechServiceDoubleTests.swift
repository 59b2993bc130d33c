import TestSupport
import Testing

@testable import VoiceGateClient

@Suite("A service in memory, for the tests of programs", .timeLimit(.minutes(1)))
struct SpeechServiceDoubleTests {
    private func status(_ work: () async throws -> Void) async -> AuthorizationStatus? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? ClientError)?.refusal?.status
        }
    }

    @Test("each status is reported as it was set, and a request asks only if it is not determined")
    func statuses() async throws {
        for resource in Resource.allCases {
            for wanted in AuthorizationStatus.allCases {
                let service = SpeechServiceDouble([resource: wanted])
                let manager = AuthorizationManager(service: service)
                #expect(try await manager.status(of: resource) == wanted)
                let refused = await status { try await manager.requestAuthorization(for: resource) }
                #expect(refused == ([.notDetermined, .authorized].contains(wanted) ? nil : wanted))
                #expect(await service.asked == (wanted == .notDetermined ? [resource] : []))
            }
        }
    }

    @Test("a user's answers decide, and a closed prompt decides nothing")
    func answers() async throws {
        let expected: [SpeechServiceDouble.UserAnswer: (AuthorizationStatus?, AuthorizationStatus)] = [
            .allow: (nil, .authorized), .deny: (.denied, .denied), .close: (.denied, .notDetermined),
        ]
        for answer in SpeechServiceDouble.UserAnswer.allCases {
            let service = SpeechServiceDouble(answering: [.microphone: answer])
            let manager = AuthorizationManager(service: service)
            #expect(await status { try await manager.checkAndRequestPermissions() } == expected[answer]?.0)
            #expect(try await manager.status(of: .microphone) == expected[answer]?.1)
            #expect(await service.asked == [.speechRecognition, .microphone])
        }
    }

    @Test("a dictation hears speech of before and after its beginning, and ends with a status")
    func dictation() async throws {
        for (status, ending) in [
            (AuthorizationStatus.denied, DictationEnding.revoked), (.notDetermined, .revoked),
            (.restricted, .restricted),
        ] {
            let service = SpeechServiceDouble()
            await service.say("before")
            var events = try await service.dictate().makeAsyncIterator()
            guard case .started(let session, "default", let grants) = try await events.next()?.event else {
                Issue.record("no start")
                return
            }
            #expect(grants.count == 2)
            #expect(try await events.next()?.event == .speechStarted(at: 0))
            try await service.send(.suspend, toSession: session)
            await service.say("while it is suspended")
            try await service.send(.resume, toSession: session)
            await service.say("after")
            await service.set(status, for: .microphone)
            var rest: [DictationEvent] = []
            while let event = try await events.next() { rest.append(event.event) }
            let finals = rest.compactMap { if case .final(let utterance) = $0 { utterance.text } else { nil } }
            #expect(finals == ["before", "after"])
            #expect(rest.contains(.paused(.suspended)))
            #expect(rest.last == .ended(ending, message: nil))
            #expect(await self.status { _ = try await service.dictate(DictationRequest(ask: false)) } == status)
            await #expect(throws: ClientError.self) { try await service.send(.end, toSession: session) }
        }
    }

    @Test("a file needs speech recognition alone, and is read to its end")
    func file() async throws {
        let service = SpeechServiceDouble([.microphone: .denied])
        await service.say("one", "two")
        let (file, bytes) = AsyncStream.makeStream(of: [UInt8].self)
        bytes.yield([1])
        bytes.finish()
        var events: [DictationEvent] = []
        for try await event in try await service.transcribe(file) { events.append(event.event) }
        #expect(events.count == 6)
        #expect(events.last == .ended(.ended, message: nil))
        #expect(await service.asked == [.speechRecognition])
    }

    @Test("changes are reported in order, and again after a cursor")
    func changes() async throws {
        let service = SpeechServiceDouble()
        var events = try await service.permissionEvents().makeAsyncIterator()
        guard case .state(let permissions, let cursor)? = try await events.next() else {
            Issue.record("no state")
            return
        }
        #expect(permissions.status(of: .microphone) == .notDetermined)
        await service.set(.authorized, for: .microphone)
        await service.set(.restricted, for: .microphone)
        let changes = [try await events.next(), try await events.next()]
        var again = try await service.permissionEvents(after: cursor).makeAsyncIterator()
        #expect(try await again.next() == .resumed(cursor: cursor))
        #expect([try await again.next(), try await again.next()] == changes)
        var lost = try await service.permissionEvents(after: "other").makeAsyncIterator()
        #expect(try await lost.next() == .gap)

        var told: [AuthorizationStatus?] = []
        for await change in AuthorizationManager(service: service).changes {
            if case .state(let states, _) = change { told.append(states[.microphone]?.status) }
            if case .changed(let states, _) = change { told.append(states[.microphone]?.status) }
            if told.count == 2 { break }
            await service.set(.denied, for: .microphone)
        }
        #expect(told == [.restricted, .denied])
    }

    @Test("an error that is set is that of each request")
    func failing() async throws {
        let service = SpeechServiceDouble()
        await service.fail(with: ClientError(code: .notRunning, message: "There is no service."))
        #expect(await failure(ClientError.self) { try await service.permissions() }?.code == .notRunning)
        await #expect(throws: ClientError.self) { try await service.dictate() }
        await service.fail(with: nil)
        #expect(try await service.permissions().status(of: .microphone) == .notDetermined)
    }

    @Test("full fidelity for once lasts to the end of the next session")
    func temporaryFullFidelity() async throws {
        let service = SpeechServiceDouble([.speechRecognition: .authorized, .microphone: .authorized])
        #expect(await status { _ = try await service.requestTemporaryFullFidelity(purposeKey: "p") } == .authorized)
        await service.set(.reduced)
        #expect(try await service.permissions().states[.speechRecognition]?.grant?.fidelity == .reduced)
        let reply = try await service.requestTemporaryFullFidelity(purposeKey: "p")
        #expect(reply.states[.speechRecognition]?.grant?.fidelity == .full)
        let events = try await service.dictate()
        await service.send(.ended(.deviceLost, message: nil))
        for try await _ in events {}
        #expect(try await service.permissions().states[.speechRecognition]?.grant?.fidelity == .reduced)
    }
}
