@testable import Authorization
import TestSupport
import Testing

/// What happens while a record is being written. `GateExplorationTests` runs all interleavings; these name four that once
/// went wrong.
@Suite("Decisions while others are being written", .timeLimit(.minutes(1)))
struct GateOrderTests {
    private let ledger: RecordingLedger
    private let clock = WorldClock()
    private let requester = Samples.requester()
    private var key: DecisionKey { requester.key(for: .microphone) }
    private static let longAgo: Int64 = 40 * 86_400_000

    /// An always of both resources, used and confirmed 40 days ago.
    init() {
        let (requester, now) = (requester, clock.now)
        ledger = RecordingLedger(
            decisions: Resource.allCases.map {
                Decision(
                    key: requester.key(for: $0), verdict: .authorized,
                    program: AllowedProgram(requester.caller.executable),
                    terms: Terms(scope: .always, upgrade: .asked, usedAt: now, reviewedAt: now), indication: .settings,
                    decidedAt: now.date, record: 0)
            })
        clock.pass(Self.longAgo)
    }

    private func gate(_ agent: StandInAgent = StandInAgent()) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        let clock = clock
        configuration.now = { clock.now }
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    /// Holds the first write of this kind.
    ///
    /// - Returns: `begun` returns when it is being written.
    private func hold(_ name: String) -> (begun: @Sendable () async -> Void, release: @Sendable () -> Void) {
        let (writes, begin) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        ledger.onWrite { event in
            guard Mirror(reflecting: event).children.first?.label == name else { return }
            begin.yield()
            for await _ in releases { return }
        }
        return (
            { for await _ in writes { return } },
            {
                release.yield(); release.finish()
            }
        )
    }

    /// Shows a review about the microphone.
    private func review(_ gate: Gate, _ agent: StandInAgent) async throws -> Task<Int, Never> {
        await gate.finish(try await gate.microphoneGrant(for: requester).lease)
        let asking = Task { await gate.askAtQuietMoment(user: 1000) }
        await agent.hasShown(1)
        return asking
    }

    @Test("while the denial of a review is being written, no lease is given, and no use is written behind it")
    func denialOfReview() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let asking = try await review(gate, agent)
        clock.pass(2 * Gate.day)
        let held = hold("denied")
        agent.answer(.deny, to: agent.prompts[0])
        await held.begun()
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
        // The record of the refusal waits for that of the denial.
        let taking = Task { try await gate.microphoneGrant(for: requester).lease }
        while ledger.waitingCount < 2 { await Task.yield() }
        held.release()
        await #expect(throws: AuthorizationError.self) { try await taking.value }
        _ = await asking.value
        #expect(ledger.eventNames.last { $0 != "accessBlocked" } == "denied")
        let next = try await self.gate()
        #expect(await next.status(of: .microphone, for: requester) == .denied)
    }

    @Test("the denial of a review that cannot be written is in force until the service ends")
    func unwrittenDenial() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let asking = try await review(gate, agent)
        ledger.fail(after: 0)
        agent.answer(.deny, to: agent.prompts[0])
        _ = await asking.value
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
    }

    @Test("while settings narrow a grant, new leases have the narrower terms, also if that cannot be written")
    func narrowing() async throws {
        let gate = try await gate()
        let speech = requester.key(for: .speechRecognition)
        let held = hold("decidedInSettings")
        let narrowing = Task {
            try await gate.decide(
                .authorized, for: speech, program: AllowedProgram(requester.caller.executable), scope: .whileInUse,
                fidelity: .reduced, by: requester.caller)
        }
        await held.begun()
        let during = try await gate.speechRecognitionGrant(for: requester).lease
        #expect(during.scope == .whileInUse && during.fidelity == .reduced)
        ledger.fail(after: 0)
        held.release()
        await #expect(throws: RecordingLedger.Failure.self) { try await narrowing.value }
        let after = try await gate.speechRecognitionGrant(for: requester).lease
        #expect(after.scope == .whileInUse && after.fidelity == .reduced)
        #expect(during.isLive)
    }

    @Test("a reset while settings write a grant is recorded behind it, and nothing is permitted after a restart")
    func resetDuringAllow() async throws {
        let other = Samples.requester("org.example.Other")
        let key = other.key(for: .microphone)
        let gate = try await gate()
        let held = hold("decidedInSettings")
        let allowing = Task {
            try await gate.decide(
                .authorized, for: key, program: AllowedProgram(other.caller.executable), by: other.caller)
        }
        await held.begun()
        let resetting = Task { try await gate.reset(key, by: other.caller) }
        // The reset has nothing to wait for unless it is recorded.
        while ledger.waitingCount < 2 { await Task.yield() }
        held.release()
        try await allowing.value
        try await resetting.value
        #expect(await gate.status(of: .microphone, for: other) == .notDetermined)
        #expect(ledger.eventNames.suffix(2) == ["decidedInSettings", "withdrawn"])
        let next = try await self.gate()
        #expect(await next.status(of: .microphone, for: other) == .notDetermined)
    }

    @Test("a first grant that is being written is among the keys that a reset of all resets")
    func resetOfAllDuringAllow() async throws {
        let other = Samples.requester("org.example.Other")
        let key = other.key(for: .microphone)
        let gate = try await gate()
        let held = hold("decidedInSettings")
        let allowing = Task {
            try await gate.decide(
                .authorized, for: key, program: AllowedProgram(other.caller.executable), by: other.caller)
        }
        await held.begun()
        let keys = await gate.settledKeys(ofUser: 1000)
        #expect(keys == Set(Resource.allCases.map { requester.key(for: $0) } + [key]))
        #expect(await gate.settledKeys(ofUser: 1001).isEmpty)
        let resetting = Task { for key in keys { try await gate.reset(key, by: other.caller) } }
        while ledger.waitingCount < 2 { await Task.yield() }
        held.release()
        try await allowing.value
        try await resetting.value
        for requester in [requester, other] {
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        }
        #expect(try await ledger.decisions().isEmpty)
    }

    @Test("a grant for one session that is being recorded is among the keys that a reset of all resets")
    func resetOfAllDuringOnce() async throws {
        let other = Samples.requester("org.example.Other")
        let key = other.key(for: .microphone)
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let held = hold("granted")
        let request = Task { await gate.request(.microphone, for: other) }
        await agent.hasShown(1)
        agent.answer(.once, to: agent.prompts[0])
        await held.begun()
        #expect(await gate.settledKeys(ofUser: 1000).contains(key))
        let resetting = Task { try await gate.reset(key, by: other.caller) }
        while ledger.waitingCount < 2 { await Task.yield() }
        held.release()
        try await resetting.value
        #expect(await request.value.status == .notDetermined)
        #expect(await gate.status(of: .microphone, for: other) == .notDetermined)
        #expect(ledger.eventNames.suffix(2) == ["granted", "withdrawn"])
    }

    @Test("while an unmute is being written, another mute is not yet in effect for good")
    func muteDuringUnmute() async throws {
        let gate = try await gate()
        try await gate.mute(by: requester.caller)
        #expect(await gate.staysMuted)
        let held = hold("unmuted")
        let unmuting = Task { try await gate.unmute(by: requester.caller) }
        await held.begun()
        #expect(await gate.isMuted)
        #expect(await !gate.staysMuted)
        let muting = Task { try await gate.mute(by: requester.caller) }
        while ledger.waitingCount < 2 { await Task.yield() }
        held.release()
        try await unmuting.value
        try await muting.value
        #expect(await gate.staysMuted)
        #expect(try await ledger.isMuted())
    }

    @Test("a denial while grants expire is kept", arguments: Resource.allCases)
    func denialDuringExpiry(_ resource: Resource) async throws {
        let gate = try await gate()
        clock.pass(60 * Gate.day)
        let held = hold("expired")
        let expiring = Task { await gate.expireGrants() }
        await held.begun()
        let denying = Task {
            try await gate.decide(.denied, for: requester.key(for: resource), program: nil, by: requester.caller)
        }
        while await gate.status(of: resource, for: requester) != .denied { await Task.yield() }
        held.release()
        await expiring.value
        try await denying.value
        #expect(await gate.status(of: resource, for: requester) == .denied)
        #expect(try await ledger.decisions().map(\.verdict) == [.denied])
    }

    @Test("an answer to a question about a grant that expired meanwhile is dropped")
    func reviewOfExpired() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let asking = try await review(gate, agent)
        clock.pass(91 * Gate.day)
        await gate.expireGrants()
        agent.answer(.always, to: agent.prompts[0])
        _ = await asking.value
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        #expect(!ledger.eventNames.contains("denied") && !ledger.eventNames.contains("renewed"))
    }

    @Test("what was decided during a question at a quiet moment is not asked about after it")
    func decidedDuringQuestion() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        for resource in Resource.allCases {
            let grant =
                switch resource {
                case .microphone: try await gate.microphoneGrant(for: requester).lease
                case .speechRecognition: try await gate.speechRecognitionGrant(for: requester).lease
                }
            await gate.finish(grant)
        }
        let asking = Task { await gate.askAtQuietMoment(user: 1000) }
        await agent.hasShown(1)
        let shown = agent.prompts[0]
        let other = Resource.allCases.filter { $0 != shown.resource }[0]
        try await gate.decide(
            .authorized, for: requester.key(for: other), program: AllowedProgram(requester.caller.executable),
            by: requester.caller)
        agent.answer(.always, to: shown)
        #expect(await asking.value == 1)
        #expect(agent.prompts.count == 1)
    }
}
