@testable import Authorization
import Synchronization
import TestSupport
import Testing

@Suite("Requests to the gate")
struct GateRequestTests {
    let ledger = RecordingLedger()
    let requester = Samples.requester()

    func gate(_ agent: StandInAgent, policy: Policy = Policy()) async throws -> Gate {
        try await Gate(ledger: ledger, agent: agent, policy: policy)
    }

    @Test("speech recognition is asked first, then the microphone, and each answer is recorded before the next prompt")
    func bothYes() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        let outcome = await gate.checkAndRequest(for: requester)
        #expect(outcome.status == .authorized)
        #expect(outcome.refusal == nil)
        #expect(agent.prompts.map(\.resource) == [.speechRecognition, .microphone])
        #expect(ledger.eventNames == ["asked", "noticeShown", "granted", "asked", "noticeShown", "granted"])
    }

    @Test("after a denial of speech recognition the microphone is not asked about")
    func speechDenied() async throws {
        let agent = StandInAgent { _ in .deny }
        let gate = try await gate(agent)
        let outcome = await gate.checkAndRequest(for: requester)
        #expect(outcome.status == .denied)
        #expect(outcome.refusal?.resource == .speechRecognition)
        #expect(outcome.refusal?.settings?.contains("voicegate settings") == true)
        #expect(agent.prompts.count == 1)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test("after a denial of speech recognition while the device is looked for, the microphone is not asked about")
    func deniedMeanwhile() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        let (key, caller) = (requester.key(for: .speechRecognition), requester.caller)
        try await gate.decide(.authorized, for: key, program: AllowedProgram(caller.executable), by: caller)
        let outcome = try await gate.checkAndRequest(for: requester, asking: true) {
            try await gate.decide(.denied, for: key, program: nil, by: caller)
        }
        #expect(outcome.status == .denied && outcome.refusal?.resource == .speechRecognition)
        #expect(agent.prompts.isEmpty)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test("a denied client is not asked again")
    func deniedOnce() async throws {
        let agent = StandInAgent { _ in .deny }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: requester)
        let again = await gate.request(.microphone, for: requester)
        #expect(again.refusal?.code == .denied)
        #expect(agent.prompts.count == 1)
    }

    @Test("later refuses this request, stores nothing, and the person is asked again the next time")
    func later() async throws {
        let agent = StandInAgent { _ in .later }
        let gate = try await gate(agent)
        let outcome = await gate.request(.microphone, for: requester)
        #expect(outcome.status == .notDetermined)
        #expect(try await ledger.decisions().isEmpty)
        _ = await gate.request(.microphone, for: requester)
        #expect(agent.prompts.count == 2)
    }

    @Test("an agent that dies refuses the request and stores nothing")
    func agentDies() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        async let outcome = gate.request(.microphone, for: requester)
        await agent.hasShown(1)
        agent.die(at: agent.prompts[0])
        #expect(await outcome.refusal?.code == .noAnswer)
        #expect(try await ledger.decisions().isEmpty)
        #expect(!ledger.eventNames.contains("denied"))
    }

    @Test("no answer in time refuses the request, withdraws the prompt, and stores nothing")
    func timeout() async throws {
        let agent = StandInAgent()
        let (expired, expire) = AsyncStream.makeStream(of: Void.self)
        var configuration = GateConfiguration()
        configuration.sleep = { _ in for await _ in expired { return } }
        let gate = try await Gate(ledger: ledger, agent: agent, configuration: configuration)
        async let outcome = gate.request(.microphone, for: requester)
        await agent.hasShown(1)
        expire.yield()
        #expect(await outcome.refusal?.code == .noAnswer)
        #expect(agent.withdrawn == [agent.prompts[0].cookie])
        #expect(try await ledger.decisions().isEmpty)
    }

    @Test("a second request for the same client and resource joins the first prompt")
    func joins() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let other = Samples.requester(process: 200)
        let first = Task { await gate.request(.microphone, for: requester) }
        await agent.hasShown(1)
        let second = Task { await gate.request(.microphone, for: other) }
        while await gate.waiters(for: requester.key(for: .microphone)) < 2 { await Task.yield() }
        agent.answer(.whileInUse, to: agent.prompts[0])
        #expect(await first.value.status == .authorized)
        #expect(await second.value.status == .authorized)
        #expect(agent.prompts.count == 1)
    }

    @Test("a grant for once belongs to the process that asked, not to one that joined")
    func onceIsNotShared() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let first = Task { await gate.request(.microphone, for: requester) }
        await agent.hasShown(1)
        let second = Task { await gate.request(.microphone, for: Samples.requester(process: 200)) }
        while await gate.waiters(for: requester.key(for: .microphone)) < 2 { await Task.yield() }
        agent.answer(.once, to: agent.prompts[0])
        #expect(await first.value.status == .authorized)
        #expect(await second.value.status == .notDetermined)
    }

    @Test("the prompt is withdrawn when the last waiting request is cancelled")
    func withdrawn() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let request = Task { await gate.request(.microphone, for: requester) }
        await agent.hasShown(1)
        request.cancel()
        #expect(await request.value.status == .notDetermined)
        #expect(agent.withdrawn.count == 1)
        #expect(try await ledger.decisions().isEmpty)
    }

    @Test(
        "a request without the usage description is refused with the key's name, and the person is not asked",
        arguments: Resource.allCases)
    func missingUsageDescription(_ resource: Resource) async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        let outcome = await gate.request(resource, for: Samples.requester(describing: []))
        #expect(outcome.refusal?.code == .missingUsageDescription)
        #expect(outcome.refusal?.message.contains(resource.usageDescriptionKey) == true)
        #expect(agent.prompts.isEmpty)
    }

    @Test("a program without a manifest is refused with its own code, and the person is not asked")
    func missingManifest() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        let known = Samples.requester()
        let requester = Requester(
            caller: known.caller, client: Client(unregistered: known.caller.executable), presence: .foreground)
        let outcome = await gate.request(.microphone, for: requester)
        #expect(outcome.refusal?.code == .missingManifest)
        #expect(outcome.refusal?.settings == "voicegate manifest new /usr/bin/editor")
        #expect(agent.prompts.isEmpty)
    }

    /// The request, the notice, the answer.
    @Test("a log that cannot be written grants nothing", arguments: [0, 1, 2])
    func recordingFails(writes: Int) async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        ledger.fail(after: writes)
        let outcome = await gate.request(.microphone, for: requester)
        #expect(outcome.refusal?.code == .recordingFailed)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        #expect(agent.prompts.count == (writes > 1 ? 1 : 0))
    }

    @Test("prompts beyond the limit are refused, never allowed")
    func flood() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let limit = GateConfiguration().pendingPrompts
        #expect(limit == 8)
        let waiting = (0..<limit).map { number in
            Task { await gate.request(.microphone, for: Samples.requester("org.example.flood\(number)")) }
        }
        await agent.hasShown(limit)
        let refused = await gate.request(.microphone, for: Samples.requester("org.example.onemore"))
        #expect(refused.refusal?.code == .tooManyRequests)
        #expect(agent.prompts.count == limit)
        for request in waiting { request.cancel() }
        for request in waiting { _ = await request.value }
    }

    @Test("32 requests wait for one prompt; further ones are refused, and the prompt goes on")
    func crowd() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let (refusals, refused) = AsyncStream<Void>.makeStream()
        let requests = (0..<40).map { [requester] _ in
            Task {
                let outcome = await gate.request(.microphone, for: requester)
                if outcome.refusal?.code == .tooManyRequests { refused.yield() }
                return outcome.status
            }
        }
        var waiting = refusals.makeAsyncIterator()
        for _ in 0..<8 { await waiting.next() }
        await agent.hasShown(1)
        agent.answer(.whileInUse, to: try #require(agent.prompts.first))
        var allowed = 0
        for request in requests { if await request.value == .authorized { allowed += 1 } }
        #expect(allowed == 32)
        #expect(agent.prompts.count == 1)
    }

    @Test("repeated refusals are recorded at intervals, with the number in between")
    func throttledRefusals() async throws {
        let gate = try await gate(StandInAgent { _ in .deny })
        for _ in 0..<50 { _ = await gate.request(.microphone, for: requester) }
        #expect(ledger.eventNames == ["asked", "noticeShown", "denied", "accessBlocked"])
    }

    @Test("the person is asked again about a program that has changed since the grant")
    func identityChanged() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: requester)
        let rebuilt = Samples.requester(sha256: "bb")
        #expect(await gate.status(of: .microphone, for: rebuilt) == .notDetermined)
        await #expect(throws: AuthorizationError.self) {
            let grant = try await gate.microphoneGrant(for: rebuilt)
            _ = grant.lease
        }
        _ = await gate.request(.microphone, for: rebuilt)
        #expect(agent.prompts.count == 2)
    }

    @Test("a denial applies to a changed program")
    func denialOutlivesChange() async throws {
        let agent = StandInAgent { _ in .deny }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: requester)
        #expect(await gate.status(of: .microphone, for: Samples.requester(sha256: "bb")) == .denied)
    }

    @Test("one user's answer is not another's")
    func usersApart() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        #expect(await gate.status(of: .microphone, for: Samples.requester(user: 1001)) == .notDetermined)
    }

    @Test("a request that may not ask is refused at once")
    func notAsking() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        let outcome = await gate.checkAndRequest(for: requester, asking: false)
        #expect(outcome.refusal?.code == .notDetermined)
        #expect(agent.prompts.isEmpty)
    }
}
