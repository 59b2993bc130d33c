@testable import Authorization
import Synchronization
import TestSupport
import Testing

@Suite("Changes take effect at once")
struct GateChangeTests {
    let ledger = RecordingLedger()
    let requester = Samples.requester()
    var key: DecisionKey { requester.key(for: .microphone) }

    func authorizedGate() async throws -> Gate {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .whileInUse })
        _ = await gate.checkAndRequest(for: requester)
        return gate
    }

    /// - Returns: once the ledger is writing the grant; `release` lets it continue.
    func requestWhoseYesIsBeingWritten(
        _ gate: Gate, _ agent: StandInAgent
    ) async -> (request: Task<AuthorizationOutcome, Never>, release: @Sendable () -> Void) {
        let (written, signal) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        ledger.onWrite { event in
            guard case .granted = event else { return }
            signal.yield()
            for await _ in released { return }
        }
        let request = Task { await gate.request(.microphone, for: requester) }
        await agent.hasShown(1)
        agent.answer(.whileInUse, to: agent.prompts[0])
        for await _ in written { break }
        return (request, { release.yield() })
    }

    @Test("a denial or withdrawal while a grant in settings is being confirmed prevails", arguments: [true, false])
    func confirmedLate(isDenial: Bool) async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        let (key, caller) = (key, requester.caller)
        func allow(whileConfirming act: @escaping @Sendable () async throws -> Void) async throws {
            try await gate.decide(
                .authorized, for: key, program: AllowedProgram(caller.executable), by: caller
            ) {
                try await act()
                return (nil, caller)
            }
        }
        let refusal = await #expect(throws: AuthorizationError.self) {
            try await allow {
                if isDenial {
                    try await gate.decide(.denied, for: key, program: nil, by: caller)
                } else {
                    try await gate.reset(key, by: caller)
                }
            }
        }
        #expect(refusal?.code == (isDenial ? .denied : .notDetermined))
        #expect(await gate.status(of: .microphone, for: requester) == (isDenial ? .denied : .notDetermined))
        #expect(ledger.eventNames == (isDenial ? ["decidedInSettings"] : []))
        // What was denied before is allowed, and another resource's denial is about that alone.
        let other = requester.key(for: .speechRecognition)
        try await allow { try await gate.decide(.denied, for: other, program: nil, by: caller) }
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        #expect(await gate.status(of: .speechRecognition, for: requester) == .denied)
        #expect(await gate.waitingGrants.isEmpty)
    }

    @Test("denying in settings ends the lease of a running session before the denial is recorded")
    func denying() async throws {
        let gate = try await authorizedGate()
        let grant = try await gate.microphoneGrant(for: requester)
        let lease = grant.lease
        let wasLiveAtWrite = Mutex<Bool?>(nil)
        ledger.onWrite { _ in wasLiveAtWrite.withLock { $0 = lease.isLive } }
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        #expect(lease.ending == .revoked)
        #expect(wasLiveAtWrite.withLock { $0 } == false)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
    }

    @Test("a denial is in effect even if it cannot be recorded")
    func denialWithoutLog() async throws {
        let gate = try await authorizedGate()
        let grant = try await gate.microphoneGrant(for: requester)
        ledger.fail(after: 0)
        await #expect(throws: (any Error).self) {
            try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        }
        #expect(!grant.lease.isLive)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
    }

    @Test("a grant in settings that cannot be recorded has no effect")
    func allowanceWithoutLog() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        ledger.fail(after: 0)
        await #expect(throws: (any Error).self) {
            try await gate.decide(
                .authorized, for: key, program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"),
                by: requester.caller)
        }
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test("a policy overrides a grant and ends its session, and the grant is back when the policy is lifted")
    func policy() async throws {
        let gate = try await authorizedGate()
        let grant = try await gate.microphoneGrant(for: requester)
        let speech = try await gate.speechRecognitionGrant(for: requester)
        let policy = Policy(rules: [PolicyRule(resource: .microphone, client: nil, user: nil, reason: "exam")])
        try await gate.apply(policy, source: PolicyProvenance(files: [:], broken: [:]))
        #expect(grant.lease.ending == .restricted)
        #expect(speech.lease.isLive)
        let outcome = await gate.checkAndRequest(for: requester)
        #expect(outcome.status == .denied)
        #expect(outcome.refusal?.code == .restricted)
        #expect(outcome.refusal?.message.contains("exam") == true)
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
    }

    @Test(
        "a restriction that could not be recorded is in force, and is recorded once when the policy is enforced again")
    func restrictionWithoutLog() async throws {
        let gate = try await authorizedGate()
        // The policy is recorded, its consequence is not.
        ledger.fail(after: 1)
        let policy = Policy(rules: [PolicyRule(resource: .microphone, client: nil, user: nil, reason: nil)])
        await #expect(throws: RecordingLedger.Failure.self) {
            try await gate.apply(policy, source: PolicyProvenance(files: [:], broken: [:]))
        }
        #expect(await gate.status(of: .microphone, for: requester) == .restricted)
        ledger.recover()
        for _ in 0..<2 { await gate.enforcePolicy() }
        #expect(ledger.eventNames.suffix(2) == ["policyChanged", "restrictedByPolicy"])
    }

    @Test("the person is not asked about a restricted resource")
    func policyAsksNobody() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await Gate(
            ledger: ledger, agent: agent,
            policy: Policy(rules: [PolicyRule(resource: nil, client: nil, user: nil, reason: nil)]))
        #expect(await gate.checkAndRequest(for: requester).status == .restricted)
        #expect(agent.prompts.isEmpty)
    }

    @Test("an answer after a denial in settings is dropped")
    func answerRacesSettings() async throws {
        let agent = StandInAgent()
        let gate = try await Gate(ledger: ledger, agent: agent)
        async let outcome = gate.request(.microphone, for: requester)
        await agent.hasShown(1)
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        agent.answer(.whileInUse, to: agent.prompts[0])
        #expect(await outcome.status == .denied)
        #expect(try await ledger.decisions().map(\.verdict) == [.denied])
    }

    @Test("a denial during the recording of a grant overrides it, in memory and in the log")
    func denialRacesWrite() async throws {
        let agent = StandInAgent()
        let gate = try await Gate(ledger: ledger, agent: agent)
        let (request, release) = await requestWhoseYesIsBeingWritten(gate, agent)
        let denial = Task {
            try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        }
        while await gate.status(of: .microphone, for: requester) != .denied { await Task.yield() }
        release()
        try await denial.value
        #expect(await request.value.status == .denied)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
        #expect(try await ledger.decisions().map(\.verdict) == [.denied])
    }

    @Test("a reset during the recording of a grant overrides it, also after a restart")
    func resetRacesWrite() async throws {
        let agent = StandInAgent()
        let gate = try await Gate(ledger: ledger, agent: agent)
        let (request, release) = await requestWhoseYesIsBeingWritten(gate, agent)
        let reset = Task { try await gate.reset(key, by: requester.caller) }
        while ledger.waitingCount < 2 { await Task.yield() }
        release()
        try await reset.value
        #expect(await request.value.status == .notDetermined)
        let next = try await Gate(ledger: ledger, agent: agent)
        #expect(await next.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test("A13 the end of a grant for one use, and a policy, are reported also to clients without a decision")
    func changesWithoutDecisions() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .once })
        _ = await gate.request(.microphone, for: requester)
        let grant = try await gate.microphoneGrant(for: requester)
        let start = gate.history.last(ofUser: 1000)
        // The use goes on after its session, so that nothing has changed yet.
        await gate.finish(grant.lease)
        #expect(gate.history.last(ofUser: 1000) == start)
        await gate.processEnded(requester.caller.process)
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        guard case .updates(let updates) = await gate.history.updates(ofUser: 1000, after: start) else {
            Issue.record("the changes are forgotten")
            return
        }
        #expect(updates.map(\.key) == [key, nil])
    }

    @Test("a request after the last waiter has left shows a new prompt")
    func askedAnew() async throws {
        let agent = StandInAgent()
        let gate = try await Gate(ledger: ledger, agent: agent)
        let left = Task { await gate.request(.microphone, for: requester) }
        await agent.hasShown(1)
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        ledger.onWrite { event in
            guard case .accessBlocked = event else { return }
            for await _ in held { return }
        }
        left.cancel()
        while await gate.waiters(for: key) > 0 { await Task.yield() }
        let again = Task { await gate.request(.microphone, for: requester) }
        release.yield()
        await agent.hasShown(2)
        agent.answer(.whileInUse, to: agent.prompts[1])
        #expect(await again.value.status == .authorized)
        _ = await left.value
    }

    @Test("reset makes the status notDetermined and ends the session")
    func reset() async throws {
        let gate = try await authorizedGate()
        let grant = try await gate.microphoneGrant(for: requester)
        try await gate.reset(key, by: requester.caller)
        #expect(grant.lease.ending == .revoked)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        #expect(await gate.status(of: .speechRecognition, for: requester) == .authorized)
        #expect(ledger.eventNames.last == "withdrawn")
    }

    @Test("a grant for once allows the sessions of one process, and the status is notDetermined after its end")
    func once() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .once })
        #expect(await gate.request(.microphone, for: requester).status == .authorized)
        #expect(await gate.status(of: .microphone, for: Samples.requester(process: 7)) == .notDetermined)
        let lease: Lease
        do {
            let grant = try await gate.microphoneGrant(for: requester)
            lease = grant.lease
        }
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        let second = try await gate.microphoneGrant(for: requester).lease
        await gate.finish(lease)
        #expect(second.isLive)
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        await gate.processEnded(requester.caller.process)
        #expect(second.ending == .disconnected)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        await #expect(throws: AuthorizationError.self) {
            let third = try await gate.microphoneGrant(for: requester)
            _ = third.lease
        }
        #expect(try await ledger.decisions().isEmpty)
    }

    @Test("decisions outlive the gate")
    func restart() async throws {
        _ = try await authorizedGate()
        let agent = StandInAgent()
        let next = try await Gate(ledger: ledger, agent: agent)
        #expect(await next.checkAndRequest(for: requester).status == .authorized)
        #expect(agent.prompts.isEmpty)
    }

    @Test("changes are reported in order")
    func changes() async throws {
        let gate = try await authorizedGate()
        let start = gate.history.last(ofUser: 1000)
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        try await gate.reset(requester.key(for: .speechRecognition), by: requester.caller)
        guard case .updates(let updates) = await gate.history.updates(ofUser: 1000, after: start) else {
            Issue.record("the changes are forgotten")
            return
        }
        #expect(updates.map(\.key?.resource) == [.microphone, .speechRecognition])
    }

    @Test("an ended lease runs a late handler at once, and only its first ending counts")
    func leaseEndsOnce() async throws {
        let gate = try await authorizedGate()
        let grant = try await gate.microphoneGrant(for: requester)
        try await gate.reset(key, by: requester.caller)
        await gate.finish(grant.lease)
        let ending = Mutex<LeaseEnding?>(nil)
        grant.lease.onEnd { reason in ending.withLock { $0 = reason } }
        #expect(ending.withLock { $0 } == .revoked)
    }
}
