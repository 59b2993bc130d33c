@testable import Authorization
import Base
import TestSupport
import Testing

/// What happens while a record is being written. `GateExplorationTests` runs all interleavings; these name some that once
/// went wrong.
@Suite("Decisions while others are being written", .timeLimit(.minutes(1)))
struct GateOrderTests {
    private let ledger: RecordingLedger
    private let clock = WorldClock()
    private let requester = Samples.requester(phrases: ["yes"])
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
                    terms: Terms(
                        scope: .always, upgrade: .asked, usedAt: now, reviewedAt: now,
                        agreed: requester.client.declared($0, in: .english) ?? Agreement()), indication: .settings,
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

    /// Begins to allow a resource in settings.
    ///
    /// - Returns: when its record is being written.
    private func allow(
        _ resource: Resource, to requester: Requester, _ gate: Gate, fidelity: Fidelity = .full
    ) async -> (allowing: Task<Void, any Error>, release: @Sendable () -> Void) {
        let held = hold("decidedInSettings")
        let allowing = Task {
            try await gate.decide(
                .authorized, for: requester.key(for: resource),
                program: AllowedProgram(requester.caller.executable), fidelity: fidelity,
                notice: requester.settings(resource), by: requester.caller)
        }
        await held.begun()
        return (allowing, held.release)
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

    @Test("while settings write a grant at reduced fidelity, a full grant for one session cannot be taken")
    func onceDuringReduction() async throws {
        let other = Samples.requester("org.example.Other", phrases: ["yes"])
        let gate = try await gate(StandInAgent { _ in .once })
        _ = await gate.request(.speechRecognition, for: other)
        #expect(await gate.status(of: .speechRecognition, for: other) == .authorized)
        let (allowing, release) = await allow(.speechRecognition, to: other, gate, fidelity: .reduced)
        #expect(await gate.status(of: .speechRecognition, for: other) == .notDetermined)
        release()
        try await allowing.value
        #expect(try await gate.speechRecognitionGrant(for: other).lease.fidelity == .reduced)
    }

    @Test("a reset while settings write a grant is recorded behind it, and nothing is permitted after a restart")
    func resetDuringAllow() async throws {
        let other = Samples.requester("org.example.Other")
        let key = other.key(for: .microphone)
        let gate = try await gate()
        let (allowing, release) = await allow(.microphone, to: other, gate)
        let resetting = Task { try await gate.reset(key, by: other.caller) }
        // The reset has nothing to wait for unless it is recorded.
        while ledger.waitingCount < 2 { await Task.yield() }
        release()
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
        let (allowing, release) = await allow(.microphone, to: other, gate)
        let keys = await gate.settledKeys(ofUser: 1000)
        #expect(keys == Set(Resource.allCases.map { requester.key(for: $0) } + [key]))
        #expect(await gate.settledKeys(ofUser: 1001).isEmpty)
        let resetting = Task { for key in keys { try await gate.reset(key, by: other.caller) } }
        while ledger.waitingCount < 2 { await Task.yield() }
        release()
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

    @Test("an answer is settled when its record is durable, and not before", arguments: [Answer.deny, .later, .once])
    func answerIsSettled(_ answer: Answer) async throws {
        let other = Samples.requester("org.example.Other")
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let request = Task { await gate.request(.microphone, for: other) }
        await agent.hasShown(1)
        let held = hold([.deny: "denied", .later: "deferred", .once: "granted"][answer] ?? "")
        agent.answer(answer, to: agent.prompts[0])
        await held.begun()
        let isSettled = Latch<Void>()
        let settling = Task {
            defer { isSettled.set() }
            return try await agent.prompts[0].settled()
        }
        // Everything that does not wait for the record has happened after that of another request.
        _ = await gate.status(of: .microphone, for: other)
        for _ in 0..<100 { await Task.yield() }
        #expect(isSettled.reason == nil)
        held.release()
        #expect(try await settling.value)
        #expect(ledger.eventNames.last { $0 != "accessBlocked" } != "noticeShown")
        _ = await request.value
    }

    @Test("an answer that cannot be recorded is not settled; the denial is in force until the service ends")
    func unrecordedAnswer() async throws {
        let other = Samples.requester("org.example.Other")
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let request = Task { await gate.request(.microphone, for: other) }
        await agent.hasShown(1)
        ledger.fail(after: 0)
        agent.answer(.deny, to: agent.prompts[0])
        let error = await #expect(throws: AuthorizationError.self) { try await agent.prompts[0].settled() }
        #expect(error?.code == .recordingFailed)
        _ = await request.value
        #expect(await gate.status(of: .microphone, for: other) == .denied)
    }

    @Test("an answer to a prompt that was withdrawn meanwhile does not count, and settles as that")
    func withdrawnAnswer() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let asking = try await review(gate, agent)
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        agent.answer(.always, to: agent.prompts[0])
        #expect(try await !agent.prompts[0].settled())
        _ = await asking.value
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
    }

    @Test("a grant that moves to another program ends the sessions of the first when it is durable, and no others")
    func otherProgram() async throws {
        let other = Samples.requester(process: 101, sha256: "bb")
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let first = try await gate.microphoneGrant(for: requester).lease
        let speech = try await gate.speechRecognitionGrant(for: requester).lease
        let request = Task { await gate.request(.microphone, for: other) }
        await agent.hasShown(1)
        let held = hold("granted")
        agent.answer(.whileInUse, to: agent.prompts[0])
        await held.begun()
        #expect(first.isLive)
        held.release()
        #expect(await request.value == .authorized)
        #expect(first.ending == .revoked)
        #expect(speech.isLive)
        #expect(try await gate.microphoneGrant(for: other).lease.isLive)
    }

    @Test("sessions of a program that the package manager replaced go on when settings change the grant")
    func replacedProgram() async throws {
        let gate = try await gate()
        let first = try await gate.microphoneGrant(for: requester).lease
        let executable = Executable(
            path: "/usr/bin/editor", device: 1, inode: 3, sha256: "cc", isPackageManaged: true)
        let replaced = Requester(
            caller: Caller(process: requester.caller.process, user: 1000, executable: executable),
            client: requester.client, presence: .foreground)
        let second = try await gate.microphoneGrant(for: replaced).lease
        try await gate.decide(.authorized, for: key, program: AllowedProgram(executable), by: requester.caller)
        #expect(first.isLive && second.isLive)
        #expect(first.scope == .whileInUse)
    }

    @Test("a mute that comes while an unmute is being written overrides it")
    func muteDuringUnmute() async throws {
        let gate = try await gate()
        try await gate.mute(.everyone, by: requester.caller)
        let held = hold("unmuted")
        let unmuting = Task { try await gate.unmute(.everyone, by: requester.caller) }
        await held.begun()
        #expect(await gate.mutes[.everyone] != nil)
        let muting = Task { try await gate.mute(.everyone, by: requester.caller) }
        while ledger.waitingCount < 2 { await Task.yield() }
        held.release()
        try await unmuting.value
        _ = try await muting.value
        #expect(await gate.mutes[.everyone] != nil)
        #expect(try await ledger.mutes()[.everyone] != nil)
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

    @Test("a decision made during a question at a quiet moment is not asked about after it")
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
