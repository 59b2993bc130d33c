import Foundation
import TestSupport
import Testing

@testable import Authorization

/// The gate of a service that verifies its log while it answers already.
@Suite("Permissions while the log is being verified", .timeLimit(.minutes(1)))
struct GateVerificationTests {
    private let clock = WorldClock()
    private let requester = Samples.requester()
    private var key: DecisionKey { requester.key(for: .microphone) }

    private func gate(_ verdict: Verdict, agent: StandInAgent = StandInAgent()) async throws -> Gate {
        let terms = Terms(scope: .always, upgrade: .asked, fidelity: .full, usedAt: clock.now, reviewedAt: clock.now)
        let decision = Decision(
            key: key, verdict: verdict, program: AllowedProgram(requester.caller.executable),
            terms: verdict == .authorized ? terms : nil, indication: .settings, decidedAt: clock.now.date, record: 0)
        var configuration = GateConfiguration.unhindered
        let clock = clock
        configuration.now = { clock.now }
        return try await Gate(
            ledger: RecordingLedger(decisions: [decision]), agent: agent, isVerified: false,
            configuration: configuration)
    }

    /// Runs the operation before the log is verified, and tells whether it ended before that.
    private func outcome<Value: Sendable>(
        _ gate: Gate, isIntact: Bool, of operation: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, ranAtOnce: Bool) {
        let isVerified = Latch<Void>()
        let task = Task {
            let value = try await operation()
            return (value, isVerified.reason == nil)
        }
        // All that can run before the verification does.
        for _ in 0..<1000 { await Task.yield() }
        isVerified.set()
        await gate.ledgerWasVerified(isIntact: isIntact)
        return try await task.value
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
        await kept.ledgerWasVerified(isIntact: false)
        #expect(await kept.status(of: .microphone, for: requester) == .denied)

        let gate = try await gate(.authorized)
        // Returns before the log is verified.
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
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
}
