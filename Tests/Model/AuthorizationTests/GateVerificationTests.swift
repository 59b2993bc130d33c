import Base
import Foundation
import TestSupport
import Testing

@testable import Authorization

/// The gate of a service that verifies its log while it answers already.
@Suite("Permissions while the log is being verified", .timeLimit(.minutes(1)))
struct GateVerificationTests {
    private let clock = WorldClock()
    private let requester = Samples.requester()
    private static let decidedAt = WorldClock().now.date
    private var key: DecisionKey { requester.key(for: .microphone) }

    private func gate(_ verdict: Verdict, agent: StandInAgent = StandInAgent()) async throws -> Gate {
        try await gate(agent: agent, RecordingLedger(decisions: [decision(verdict)]))
    }

    private func decision(_ verdict: Verdict, usedAt: Moment? = nil) -> Decision {
        let terms = Terms(
            scope: .always, upgrade: .asked, fidelity: .full, usedAt: usedAt ?? clock.now, reviewedAt: clock.now)
        return Decision(
            key: key, verdict: verdict, program: AllowedProgram(requester.caller.executable),
            terms: verdict == .authorized ? terms : nil, indication: .settings, decidedAt: Self.decidedAt, record: 0)
    }

    private func gate(agent: StandInAgent = StandInAgent(), _ ledger: RecordingLedger) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        let clock = clock
        configuration.now = { clock.now }
        return try await Gate(
            ledger: ledger, agent: agent, isVerified: false, configuration: configuration)
    }

    /// The end of the verification of a log that is intact, or was altered.
    private func verify(_ gate: Gate, isIntact: Bool = true) async {
        await gate.ledgerWasVerified(isIntact ? try? await gate.ledger.decisions() : nil)
    }

    /// Runs the operation before the log is verified, and reports whether it ended without waiting for that.
    private func outcome<Value: Sendable>(
        _ gate: Gate, isIntact: Bool, of operation: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, ranAtOnce: Bool) {
        let ended = Latch<Void>()
        let task = Task {
            defer { ended.set() }
            return try await operation()
        }
        while await gate.verification.handlerCount == 0, ended.reason == nil { await Task.yield() }
        let ranAtOnce = ended.reason != nil
        await verify(gate, isIntact: isIntact)
        return (try await task.value, ranAtOnce)
    }

    /// Returns when this many operations wait for the verification.
    private func areWaiting(_ count: Int, for gate: Gate) async {
        while await gate.verification.handlerCount < count { await Task.yield() }
    }

    @Test("a grant is used when the log was found intact, and not before")
    func intact() async throws {
        let gate = try await gate(.authorized)
        let lease = try await outcome(gate, isIntact: true) { [requester] in
            try await gate.microphoneGrant(for: requester).lease.decisionRecord
        }
        #expect(lease.value == 0 && !lease.ranAtOnce)
        let request = await gate.request(.microphone, for: requester)
        #expect(request.status == .authorized)
    }

    @Test("a grant of an altered log is not used, and the person is asked again")
    func altered() async throws {
        let agent = StandInAgent { _ in .deny }
        let gate = try await gate(.authorized, agent: agent)
        let request = try await outcome(gate, isIntact: false) { [requester] in
            await gate.request(.microphone, for: requester)
        }
        #expect(request.value.status == .denied && !request.ranAtOnce)
        #expect(agent.prompts.count == 1)
        await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: requester) }
    }

    @Test("a denial of an altered log stays, and a new one takes effect at once")
    func denials() async throws {
        let kept = try await gate(.denied)
        await verify(kept, isIntact: false)
        #expect(await kept.status(of: .microphone, for: requester) == .denied)

        let gate = try await gate(.authorized)
        // Returns before the log is verified.
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
    }

    @Test("a grant that waits for the verification does not override a denial or a withdrawal that comes meanwhile")
    func revokedMeanwhile() async throws {
        let program = AllowedProgram(requester.caller.executable)
        for isDenial in [true, false] {
            let ledger = RecordingLedger(decisions: [decision(.authorized)])
            let gate = try await gate(ledger)
            let waiting = Task { [key, requester] in
                try await gate.decide(.authorized, for: key, program: program, by: requester.caller)
            }
            await areWaiting(1, for: gate)
            if isDenial {
                try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
            } else {
                try await gate.reset(key, by: requester.caller)
            }
            await verify(gate)
            let refusal = await #expect(throws: AuthorizationError.self) { try await waiting.value }
            #expect(refusal?.code == (isDenial ? .denied : .notDetermined))
            #expect(ledger.eventNames == [isDenial ? "decidedInSettings" : "withdrawn"])
            #expect(await gate.status(of: .microphone, for: requester) == (isDenial ? .denied : .notDetermined))
            try await gate.decide(.authorized, for: key, program: program, by: requester.caller)
            #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        }
    }

    @Test("a withdrawal of a grant whose log could not be verified is recorded: the next start may find the log intact")
    func withdrawnUnverified() async throws {
        let ledger = RecordingLedger(decisions: [decision(.authorized)])
        let gate = try await gate(ledger)
        await verify(gate, isIntact: false)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        try await gate.reset(key, by: requester.caller)
        #expect(ledger.eventNames == ["withdrawn"])
        #expect(try await ledger.decisions().isEmpty)
    }

    @Test("a grant of an altered log is not lowered, which would make a record of it")
    func lowering() async throws {
        let gate = try await gate(.authorized)
        let program = AllowedProgram(requester.caller.executable)
        let lowering = try await outcome(gate, isIntact: false) { [key, requester] in
            try await gate.lower(key, .whileInUse, nil, program: program, notice: nil, by: requester.caller)
        }
        #expect(!lowering.value && !lowering.ranAtOnce)
    }

    @Test("only a grant that was in the verified log is used, whatever the log had when the gate read it")
    func replaced() async throws {
        var other = decision(.authorized)
        other.terms?.scope = .whileInUse
        for verified in [[], [decision(.denied)], [other]] {
            let gate = try await gate(.authorized)
            await gate.ledgerWasVerified(verified)
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        }
        let gate = try await gate(.authorized)
        await gate.ledgerWasVerified([decision(.authorized)])
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
    }

    @Test("if it cannot be read whether everything was muted, everything is, until the verified log says otherwise")
    func unreadableMute() async throws {
        for wasMuted in [false, true] {
            let ledger = RecordingLedger(decisions: [decision(.authorized)])
            if wasMuted { try await ledger.record(.muted(.everyone, by: requester.caller), changing: nil) }
            ledger.hideMute(true)
            let gate = try await gate(ledger)
            #expect(await gate.mutes[.everyone] != nil)
            #expect(await gate.status(of: .microphone, for: requester) == .restricted)
            ledger.hideMute(false)
            let cursor = gate.history.last(ofUser: 1000)
            await verify(gate)
            #expect(await (gate.mutes[.everyone] != nil) == wasMuted)
            #expect(await gate.status(of: .microphone, for: requester) == (wasMuted ? .restricted : .authorized))
            #expect(gate.history.last(ofUser: 1000).revision > cursor.revision, "clients see it")
        }
    }

    @Test("a mute that can never be read stays, and the person's changes to it meanwhile count")
    func decidedMute() async throws {
        let ledger = RecordingLedger(decisions: [decision(.authorized)])
        ledger.hideMute(true)
        let unreadable = try await gate(ledger)
        await verify(unreadable, isIntact: false)
        #expect(await unreadable.mutes[.everyone] != nil)
        try await unreadable.unmute(.everyone, by: requester.caller, managing: true)
        #expect(await unreadable.mutes[.everyone] == nil)

        let muted = try await gate(ledger)
        try await muted.mute(.everyone, by: requester.caller)
        let unmuted = try await gate(ledger)
        try await unmuted.unmute(.everyone, by: requester.caller, managing: true)
        ledger.hideMute(false)
        // The log's last word is that nothing is muted, which this gate was not told.
        await verify(muted)
        #expect(await muted.mutes[.everyone] != nil)
        try await ledger.record(.muted(.everyone, by: requester.caller), changing: nil)
        await verify(unmuted)
        #expect(await unmuted.mutes[.everyone] == nil)
        await #expect(throws: (any Error).self) {
            ledger.hideMute(true)
            _ = try await Gate(ledger: ledger, agent: StandInAgent())
        }
    }

    @Test("an operation that waits for verification can be cancelled, with nothing granted, used, lowered or asked")
    func cancelled() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let ledger = RecordingLedger(decisions: [decision(.authorized)])
        let gate = try await gate(agent: agent, ledger)
        let (requester, key) = (requester, key)
        let program = AllowedProgram(requester.caller.executable)
        let lease = Task { try await gate.microphoneGrant(for: requester).lease.identifier }
        let requests = [
            Task { await gate.request(.microphone, for: requester) },
            Task { await gate.checkAndRequest(for: requester, scope: .always) },
            Task { await gate.requestAlways(.microphone, for: requester) },
            Task { await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester) },
        ]
        let decisions = [
            Task { try await gate.decide(.authorized, for: key, program: program, by: requester.caller) },
            Task {
                _ = try await gate.lower(
                    key, .whileInUse, nil, program: program, notice: nil, by: requester.caller)
            },
        ]
        let asking = Task { await gate.askAtQuietMoment(user: 1000) }
        await areWaiting(2 + requests.count + decisions.count, for: gate)
        lease.cancel()
        requests.forEach { $0.cancel() }
        decisions.forEach { $0.cancel() }
        asking.cancel()
        let refusal = await #expect(throws: AuthorizationError.self) { try await lease.value }
        #expect(refusal?.code == .noAnswer)
        for request in requests { #expect(await request.value.refusal?.code == .noAnswer) }
        for decision in decisions { await #expect(throws: CancellationError.self) { try await decision.value } }
        #expect(await asking.value == 0)
        #expect(ledger.events.isEmpty && agent.prompts.isEmpty)
        await verify(gate)
        #expect(await gate.request(.microphone, for: requester) == .authorized)
    }

    @Test("an expired grant permits nothing before the verification, and its end is recorded only of an intact log")
    func expiry() async throws {
        let past = clock.now
        clock.pass(91 * Gate.day)
        for isIntact in [true, false] {
            let ledger = RecordingLedger(decisions: [decision(.authorized, usedAt: past)])
            let gate = try await gate(ledger)
            await gate.expireGrants()
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
            #expect(ledger.events.isEmpty)
            await verify(gate, isIntact: isIntact)
            #expect(ledger.eventNames == (isIntact ? ["expired"] : []))
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        }
    }
}
