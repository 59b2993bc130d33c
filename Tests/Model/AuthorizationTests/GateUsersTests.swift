import Base
import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("Users of one gate", .timeLimit(.minutes(5)))
struct GateUsersTests {
    private static let crowd: UInt32 = 1000
    private static let other: UInt32 = 1001
    private let crowded = Samples.requester(user: Self.crowd)
    private let requester = Samples.requester(user: Self.other)
    private var key: DecisionKey { requester.key(for: .microphone) }

    private func key(_ number: Int, ofUser user: UInt32 = Self.crowd) -> DecisionKey {
        DecisionKey(
            user: user, client: .unregistered(executable: "tool\(number)"), resource: Resource.allCases[number % 2])
    }

    /// A gate with this many denials of one user.
    private func gate(_ count: Int) async throws -> Gate {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let stored = (0..<count).map {
            Decision(
                key: DecisionKey(
                    user: Self.crowd, client: Samples.identifier("org.example.c\($0)"), resource: .microphone),
                verdict: .denied, program: nil, terms: nil, indication: .settings, decidedAt: date, record: UInt64($0))
        }
        return try await Gate(
            ledger: RecordingLedger(decisions: stored), agent: StandInAgent { _ in .whileInUse },
            configuration: .unhindered)
    }

    /// Everything that the other user's commands do with the gate.
    private func work(_ gate: Gate) async throws {
        let (caller, program) = (requester.caller, AllowedProgram(requester.caller.executable))
        _ = await gate.request(.microphone, for: requester)
        let lease = try await gate.microphoneGrant(for: requester).lease
        _ = try await gate.lower(key, .whileInUse, nil, program: program, notice: nil, by: caller)
        _ = await gate.settled(key, client: requester.client)
        _ = await gate.settledKeys(ofUser: Self.other)
        _ = await gate.permissions(ofUser: requester.caller.user)
        try await gate.mute(.user(Self.other), by: caller)
        try await gate.decide(.denied, for: key, program: nil, by: caller)
        try await gate.unmute(.user(Self.other), by: caller)
        await gate.askAtQuietMoment(user: Self.other) { _ in nil }
        try await gate.reset(key, by: caller)
        #expect(lease.ending == .muted)
    }

    /// The shortest of several times, which other programs of the machine lengthen least.
    private func duration(_ gate: Gate) async throws -> Duration {
        var shortest = Duration.seconds(3600)
        for _ in 0..<10 {
            let start = ContinuousClock.now
            for _ in 0..<5 { try await work(gate) }
            shortest = min(shortest, start.duration(to: .now))
        }
        return shortest
    }

    @Test("100,000 decisions that one user stored make none of another user's work longer")
    func hundredThousand() async throws {
        let alone = try await duration(try await gate(0))
        let beside = try await duration(try await gate(100_000))
        print("beside 100,000 decisions \(beside), alone \(alone)")
        #expect(beside < alone * 10)
    }

    @Test(
        "denials of ever more programs without a manifest are bounded for each user; the oldest give way, and are recorded"
    )
    func unregistered() async throws {
        let attempts = Repetitions.areMany ? 100_000 : 2_000
        let ledger = RecordingLedger()
        let clock = WorldClock()
        var configuration = GateConfiguration.unhindered
        configuration.now = { clock.now }
        let gate = try await Gate(ledger: ledger, agent: StandInAgent(), configuration: configuration)
        let most = configuration.decisionsOfUnregistered
        try await gate.decide(.denied, for: key(0, ofUser: Self.other), program: nil, by: requester.caller)
        let registered = crowded.key(for: .microphone)
        try await gate.decide(.denied, for: registered, program: nil, by: crowded.caller)
        for number in 0..<attempts {
            clock.pass(1)
            try await gate.decide(.denied, for: key(number), program: nil, by: crowded.caller)
        }
        let latest = Set((attempts - most..<attempts).map { key($0) })
        #expect(Set(await gate.decisions(ofUser: Self.crowd).map(\.key)) == latest.union([registered]))
        #expect(Set(try await ledger.decisions().map(\.key)) == latest.union([registered, key(0, ofUser: Self.other)]))
        #expect(await gate.settled(key(0, ofUser: Self.other)).status == .denied)
        let expired = ledger.events.compactMap { event in
            if case .expired(let key, .tooMany) = event { key } else { nil }
        }
        #expect(expired == (0..<attempts - most).map { key($0) })
        // A decision about one that has its place already takes no other's.
        try await gate.decide(.denied, for: key(attempts - 1), program: nil, by: crowded.caller)
        #expect(await gate.decisions(ofUser: Self.crowd).count == most + 1)
    }

    @Test("denials that are being written count too, and each of them makes room for one")
    func unregisteredAtOnce() async throws {
        let ledger = RecordingLedger()
        let gate = try await Gate(ledger: ledger, agent: StandInAgent(), configuration: .unhindered)
        let most = GateConfiguration().decisionsOfUnregistered
        let isReleased = Latch<Void>()
        ledger.onWrite { _ in await isReleased.value }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<3 * most {
                group.addTask { [crowded] in
                    try? await gate.decide(.denied, for: key(number), program: nil, by: crowded.caller)
                }
            }
            while ledger.waitingCount < 5 * most { await Task.yield() }
            isReleased.set()
            await group.waitForAll()
        }
        #expect(try await ledger.decisions().count == most)
        #expect(await gate.decisions(ofUser: Self.crowd).count == most)
    }

    @Test("a user's changes wake only that user's readers, and take the place of no other user's changes")
    func history() async throws {
        let gate = try await gate(0)
        let history = gate.history
        let start = history.last(ofUser: Self.other)
        var signals = history.signals().makeAsyncIterator()
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        #expect(await signals.next() == .some([Self.other]))
        let read = history.last(ofUser: Self.other)
        let reading = Task { await history.updates(ofUser: Self.other, after: read) }
        for number in 0..<2 * history.capacity {
            let verdict: Verdict = number.isMultiple(of: 2) ? .denied : .authorized
            let program = verdict == .authorized ? AllowedProgram(crowded.caller.executable) : nil
            try await gate.decide(verdict, for: crowded.key(for: .microphone), program: program, by: crowded.caller)
            try await gate.mute(.user(Self.crowd), by: crowded.caller)
            try await gate.unmute(.user(Self.crowd), by: crowded.caller)
        }
        #expect(history.last(ofUser: Self.other) == read)
        #expect(history.covers(start, ofUser: Self.other))
        #expect(await signals.next() == .some([Self.crowd]))
        try await gate.reset(key, by: requester.caller)
        guard case .updates(let updates) = await reading.value else {
            Issue.record("the reader missed a change")
            return
        }
        #expect(updates.map(\.key) == [key])
        #expect(await signals.next() == .some([Self.other]))
    }

    @Test("a policy and a mute of everyone are announced to each user with that user's permissions and no other's")
    func announcedToAll() async throws {
        let gate = try await gate(3)
        let starts = [Self.crowd, Self.other].map { ($0, gate.history.last(ofUser: $0)) }
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        try await gate.mute(.everyone, by: requester.caller)
        for (user, start) in starts {
            guard case .updates(let updates) = await gate.history.updates(ofUser: user, after: start) else {
                Issue.record("nothing was announced to \(user)")
                continue
            }
            #expect(updates.map(\.key) == [nil, nil])
            #expect(updates.map { $0.mute?.scope } == [nil, .everyone])
            for update in updates {
                #expect(update.book.decisions(ofUser: Self.crowd).count == (user == Self.crowd ? 3 : 0))
            }
            let standings = updates.map { $0.standings(for: user == Self.crowd ? crowded : requester) }
            #expect(standings.map { $0[.microphone]?.status } == [.notDetermined, .restricted])
        }
    }

    @Test("a policy and a mute of everyone are signalled for users without a change or a reader since the start, too")
    func signalledToAll() async throws {
        let gate = try await gate(3)
        var signals = gate.history.signals().makeAsyncIterator()
        let root = Samples.requester(user: 0).caller
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        #expect(await signals.next()?.contains(Self.crowd) == true)
        try await gate.mute(.everyone, by: root)
        #expect(await signals.next()?.contains(Self.crowd) == true)
        try await gate.unmute(.everyone, by: root)
        #expect(await signals.next()?.contains(Self.crowd) == true)
        #expect(gate.history.users.isEmpty)
    }
}
