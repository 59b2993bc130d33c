import Foundation
import TestSupport
import Testing

@testable import Authorization

/// A change within the grant in force needs neither a password nor the foreground; any other grant needs both.
@Suite("Changes of settings that permit nothing more", .timeLimit(.minutes(1)))
struct GateLoweringTests {
    private static let program = AllowedProgram(sha256: "aa", path: "/usr/bin/editor")
    private let clock = WorldClock()
    private let requester = Samples.requester(phrases: ["yes"])
    private var key: DecisionKey { requester.key(for: .speechRecognition) }

    private func ledger(_ terms: Terms?) -> RecordingLedger {
        RecordingLedger(decisions: [
            Decision(
                key: key, verdict: terms == nil ? .denied : .authorized, program: terms.map { _ in Self.program },
                terms: terms, indication: .settings, decidedAt: clock.now.date, record: 0)
        ])
    }

    private func terms(_ scope: Scope = .always, _ fidelity: Fidelity = .full, keeping kept: KeepingTimes = [:])
        -> Terms
    {
        Terms(
            scope: scope, upgrade: .asked, fidelity: fidelity, usedAt: clock.now, reviewedAt: clock.now,
            agreed: Agreement(kept: kept))
    }

    private func gate(_ ledger: RecordingLedger, engine: SpeechEngine = .ofService) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        let clock = clock
        configuration.now = { clock.now }
        configuration.engine = engine
        return try await Gate(ledger: ledger, agent: StandInAgent(), configuration: configuration)
    }

    private func lower(
        _ gate: Gate, _ scope: Scope?, _ fidelity: Fidelity?, program: AllowedProgram? = Self.program
    ) async throws -> Bool {
        try await gate.lower(key, scope, fidelity, program: program, notice: nil, by: requester.caller)
    }

    @Test(
        "a narrower or equal scope and fidelity is within the grant; a wider one is not, and changes nothing",
        arguments: [Scope.whileInUse, .always], [Fidelity.reduced, .full])
    func terms(scope: Scope, fidelity: Fidelity) async throws {
        func expect(_ terms: Terms, _ isWithin: Bool) async throws {
            let ledger = ledger(terms)
            let gate = try await gate(ledger)
            #expect(try await lower(gate, scope, fidelity) == isWithin)
            var expected = terms
            if isWithin { (expected.scope, expected.fidelity) = (scope, fidelity) }
            #expect(await gate.book[key]?.terms == expected)
            #expect(try await ledger.decisions().first?.terms == expected)
            #expect(ledger.eventNames == (expected == terms ? [] : ["decidedInSettings"]))
        }
        try await expect(terms(.always, .full), true)
        try await expect(terms(.whileInUse, .full), scope == .whileInUse)
        try await expect(terms(.always, .reduced), fidelity == .reduced)
    }

    @Test("nothing is within a denial, within no decision, and within a grant that has expired")
    func notInForce() async throws {
        let denied = try await gate(ledger(nil))
        #expect(try await !lower(denied, .whileInUse, .reduced))
        #expect(await denied.status(of: .speechRecognition, for: requester) == .denied)
        let empty = try await gate(RecordingLedger())
        #expect(try await !lower(empty, .whileInUse, .reduced))
        let expired = try await gate(ledger(terms()))
        clock.pass(91 * Gate.day)
        #expect(try await !lower(expired, .whileInUse, .reduced))
    }

    @Test("a grant that named another engine is not in force at reduced fidelity either, so nothing is within it")
    func otherEngine() async throws {
        let gate = try await gate(ledger(terms()), engine: .outside(name: "wyoming:unix:///run/engine.sock"))
        #expect(try await !lower(gate, .whileInUse, .reduced))
        #expect(await gate.status(of: .speechRecognition, for: requester) == .notDetermined)
    }

    @Test("a muted or restricted grant can be lowered")
    func overridden() async throws {
        let ledger = ledger(terms())
        let gate = try await gate(ledger)
        try await gate.mute(.everyone, by: requester.caller)
        #expect(try await lower(gate, .whileInUse, nil))
        let rule = PolicyRule(resource: nil, client: nil, user: nil, reason: nil)
        try await gate.apply(Policy(rules: [rule]), source: PolicyProvenance(files: [:], broken: [:]))
        #expect(try await lower(gate, nil, .reduced))
        #expect(try await ledger.decisions().first?.terms == terms(.whileInUse, .reduced))
        #expect(await gate.status(of: .speechRecognition, for: requester) == .restricted)
    }

    @Test("another program is not within the grant; kept data stays as agreed")
    func others() async throws {
        let kept: KeepingTimes = [.transcript: .untilWithdrawn]
        let gate = try await gate(ledger(terms(keeping: kept)))
        let other = AllowedProgram(sha256: "bb", path: "/usr/bin/editor")
        #expect(try await !lower(gate, .whileInUse, .full, program: other))
        #expect(try await !lower(gate, .whileInUse, .full, program: nil))
        #expect(try await lower(gate, .whileInUse, .full))
        #expect(await gate.book[key]?.terms == terms(.whileInUse, keeping: kept))
    }

    @Test("once is never within a grant")
    func once() async throws {
        let gate = try await gate(ledger(terms()))
        #expect(try await !lower(gate, .once, nil))
        #expect(await gate.book[key]?.terms?.scope == .always)
    }

    @Test("neither equal nor lower terms change when the grant was last used and confirmed")
    func moments() async throws {
        let before = terms()
        let ledger = ledger(before)
        let gate = try await gate(ledger)
        clock.pass(40 * Gate.day)
        #expect(try await lower(gate, .always, .full))
        #expect(try await lower(gate, nil, nil))
        #expect(ledger.eventNames.isEmpty)
        #expect(try await lower(gate, .whileInUse, .reduced))
        let after = try #require(try await ledger.decisions().first?.terms)
        #expect(after.usedAt == before.usedAt && after.reviewedAt == before.reviewedAt)
    }

    @Test("a denial that is being written prevails, and absent fields then keep nothing of the grant")
    func deniedMeanwhile() async throws {
        let ledger = ledger(terms(.always, .reduced))
        let gate = try await gate(ledger)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        ledger.onWrite { _ in for await _ in releases { return } }
        let denying = Task { try await gate.decide(.denied, for: key, program: nil, by: requester.caller) }
        while await gate.status(of: .speechRecognition, for: requester) != .denied { await Task.yield() }
        #expect(try await !lower(gate, .whileInUse, .reduced))
        #expect(try await !lower(gate, nil, nil))
        release.finish()
        try await denying.value
        #expect(try await ledger.decisions().map(\.verdict) == [.denied])
        try await gate.decide(
            .authorized, for: key, program: Self.program, scope: nil, fidelity: nil, by: requester.caller)
        let terms = await gate.book[key]?.terms
        #expect(terms?.scope == .whileInUse && terms?.fidelity == .full)
    }

    @Test("absent fields keep those of the grant in force")
    func absent() async throws {
        let gate = try await gate(ledger(terms(.always, .reduced)))
        try await gate.decide(
            .authorized, for: key, program: Self.program, scope: nil, fidelity: nil, by: requester.caller)
        let terms = await gate.book[key]?.terms
        #expect(terms?.scope == .always && terms?.fidelity == .reduced)
    }

    @Test("a lowering that could not be written is in effect, and is written when it is made again")
    func unwritten() async throws {
        let ledger = ledger(terms())
        let gate = try await gate(ledger)
        let lease = try await gate.speechRecognitionGrant(for: requester).lease
        ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await lower(gate, .whileInUse, .reduced) }
        #expect(lease.isLive && lease.fidelity == .reduced && lease.ground(in: .background) == nil)
        #expect(await gate.book[key]?.terms?.fidelity == .reduced)
        ledger.recover()
        #expect(try await lower(gate, .whileInUse, .reduced))
        #expect(try await ledger.decisions().first?.terms?.fidelity == .reduced)
    }
}
