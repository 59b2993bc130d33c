@testable import Authorization
import TestSupport
import Testing

@Suite("The upgrade to always")
struct GateScopeTests {
    let ledger = RecordingLedger()
    let clock = WorldClock()
    let requester = Samples.requester()
    var key: DecisionKey { requester.key(for: .microphone) }

    private func gate(_ agent: StandInAgent) async throws -> Gate {
        var configuration = GateConfiguration()
        let clock = clock
        configuration.now = { clock.now }
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    /// Allows first questions while using, and gives this answer to all others.
    private static func person(later answer: Answer) -> StandInAgent {
        StandInAgent { $0.question == .firstUse ? .whileInUse : answer }
    }

    private func terms(_ gate: Gate) async -> Terms? { await gate.standing(of: .microphone, for: requester).terms }

    @Test("a request for always shows the usual first prompt, which does not offer always, and gives a provisional one")
    func provisional() async throws {
        let agent = Self.person(later: .always)
        let gate = try await gate(agent)
        #expect(await gate.requestAlways(.microphone, for: requester).status == .authorized)
        #expect(agent.prompts.map(\.answers) == [[.whileInUse, .once, .deny, .later]])
        #expect(await terms(gate)?.isProvisionalAlways == true)
        // A use that needs always is refused until the person has confirmed it.
        let background = Requester(caller: requester.caller, client: requester.client, presence: .background)
        await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: background) }
    }

    @Test("the upgrade is asked once, at a quiet moment; with always, sessions can begin in the background")
    func upgrade() async throws {
        let agent = Self.person(later: .always)
        let gate = try await gate(agent)
        _ = await gate.requestAlways(.microphone, for: requester)
        let grant = try await gate.microphoneGrant(for: requester)
        #expect(await gate.askAtQuietMoment(user: 1000) == 0, "a session runs")
        await gate.finish(grant.lease)
        #expect(await gate.askAtQuietMoment(user: 1001) == 0, "somebody else's quiet moment")
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
        #expect(agent.prompts.map(\.question) == [.firstUse, .upgradeToAlways])
        #expect(agent.prompts.last?.answers == [.whileInUse, .always])
        #expect(await terms(gate)?.scope == .always)
        let background = Requester(caller: requester.caller, client: requester.client, presence: .background)
        let other = try await gate.microphoneGrant(for: background)
        #expect(other.lease.ground(in: .background) == .always)
        #expect(await gate.askAtQuietMoment(user: 1000) == 0)
    }

    @Test("after keep while using, no answer, or a crash after the question, it is not asked again")
    func askedOnce() async throws {
        for answer in [Answer.whileInUse, .later] {
            let ledger = RecordingLedger()
            let agent = Self.person(later: answer)
            var gate = try await Gate(ledger: ledger, agent: agent)
            _ = await gate.requestAlways(.microphone, for: requester)
            #expect(await gate.askAtQuietMoment(user: 1000) == 1)
            gate = try await Gate(ledger: ledger, agent: agent)
            _ = await gate.requestAlways(.microphone, for: requester)
            #expect(await gate.askAtQuietMoment(user: 1000) == 0)
            #expect(agent.prompts.count == 2)
            let terms = await gate.standing(of: .microphone, for: requester).terms
            #expect(terms?.scope == .whileInUse)
            #expect(terms?.upgrade == .asked)
        }
    }

    @Test("settings allow always only if while using is already allowed, and reducing it affects running sessions")
    func settings() async throws {
        let gate = try await gate(StandInAgent())
        let program = AllowedProgram(requester.caller.executable)
        let refusal = await #expect(throws: AuthorizationError.self) {
            try await gate.decide(.authorized, for: key, program: program, scope: .always, by: requester.caller)
        }
        #expect(refusal?.code == .notDetermined)
        try await gate.decide(.authorized, for: key, program: program, by: requester.caller)
        try await gate.decide(.authorized, for: key, program: program, scope: .always, by: requester.caller)
        let background = Requester(caller: requester.caller, client: requester.client, presence: .background)
        let grant = try await gate.microphoneGrant(for: background)
        #expect(grant.lease.ground(in: .background) == .always)
        try await gate.decide(.authorized, for: key, program: program, by: requester.caller)
        #expect(grant.lease.isLive)
        #expect(grant.lease.ground(in: .background) == nil)
        #expect(grant.lease.ground(in: .foreground) == .foreground)
    }

    @Test("a program without a manifest can be allowed for one session only")
    func onceAtMost() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        let script = Requester(
            caller: requester.caller,
            client: Client(unregistered: requester.caller.executable, using: Samples.manifest()), presence: .foreground)
        #expect(await gate.request(.microphone, for: script).refusal?.code == .noAnswer)
        #expect(agent.prompts.first?.answers == [.once, .deny, .later])
        #expect(await gate.status(of: .microphone, for: script) == .notDetermined)
    }

    @Test(
        "an always is reviewed after the interval, at a quiet moment; unanswered it remains and is asked about the next day"
    )
    func review() async throws {
        let agent = StandInAgent { prompt in
            switch prompt.question {
            case .firstUse: .whileInUse
            case .upgradeToAlways: .always
            default: .later
            }
        }
        let gate = try await gate(agent)
        _ = await gate.requestAlways(.microphone, for: requester)
        _ = await gate.askAtQuietMoment(user: 1000)
        clock.pass(29 * Gate.day)
        #expect(await gate.askAtQuietMoment(user: 1000) == 0)
        clock.pass(2 * Gate.day)
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
        #expect(agent.prompts.last?.question == .review)
        #expect(agent.prompts.last?.answers == [.always, .whileInUse, .deny])
        #expect(await terms(gate)?.scope == .always)
        #expect(await gate.askAtQuietMoment(user: 1000) == 0, "left alone for a day")
        clock.pass(Gate.day + 1)
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
    }

    @Test("a grant not used for 90 days expires and is recorded; each use restarts the time")
    func unused() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: requester)
        clock.pass(80 * Gate.day)
        let grant = try await gate.microphoneGrant(for: requester)
        await gate.finish(grant.lease)
        clock.pass(80 * Gate.day)
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        // The wall's clock alone changes nothing.
        clock.setWall(by: 400 * Gate.day)
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        clock.pass(10 * Gate.day)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: requester) }
        await gate.expireGrants()
        #expect(ledger.eventNames.filter { $0 == "expired" }.count == 1)
        #expect(try await ledger.decisions().isEmpty)
    }

    @Test("a clock that is up to a day behind after a reboot, as without a battery, keeps a grant")
    func clockBehind() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        _ = await (try await gate(agent)).request(.microphone, for: requester)
        clock.reboot(number: 1, off: -Gate.day + 60_000)
        let next = try await gate(agent)
        #expect(await next.status(of: .microphone, for: requester) == .authorized)
        #expect(!ledger.eventNames.contains("expired"))
    }

    @Test("a clock set back across a reboot by more than a day expires a grant; a clock that went on does not")
    func clockSetBack() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        _ = await (try await gate(agent)).request(.microphone, for: requester)
        clock.reboot(number: 1, off: Gate.day)
        let next = try await gate(agent)
        #expect(await next.status(of: .microphone, for: requester) == .authorized)
        clock.reboot(number: 2, off: -3 * Gate.day)
        let last = try await gate(agent)
        #expect(await last.status(of: .microphone, for: requester) == .notDetermined)
        guard case .expired(_, .clockSetBack) = ledger.events.last else {
            Issue.record("the end of the grant is not recorded")
            return
        }
    }

    @Test(
        "B7 a client that declares nothing in the background is never asked about always, and nothing of it is recorded"
    )
    func undeclared() async throws {
        let agent = Self.person(later: .always)
        let gate = try await gate(agent)
        let requester = Samples.requester(permitsAlways: false)
        for outcome in [
            await gate.requestAlways(.microphone, for: requester),
            await gate.checkAndRequest(for: requester, scope: .always),
        ] {
            #expect(outcome.status == .notDetermined)
            #expect(outcome.refusal?.code == .missingBackgroundMode && outcome.refusal?.status == .notDetermined)
            let message = try #require(outcome.refusal?.message)
            #expect(message.contains("UIBackgroundModes") && message.contains("VoiceGateLaunchCommand"))
        }
        #expect(agent.prompts.isEmpty)
        #expect(await gate.checkAndRequest(for: requester) == .authorized)
        let allowed = await gate.requestAlways(.microphone, for: requester)
        #expect(allowed.status == .authorized && allowed.refusal?.code == .missingBackgroundMode)
        #expect(!ledger.eventNames.contains("upgradeRequested"))
        #expect(await gate.askAtQuietMoment(user: 1000, requester) == 0)
        let program = AllowedProgram(requester.caller.executable)
        let refusal = await #expect(throws: AuthorizationError.self) {
            try await gate.decide(
                .authorized, for: key, program: program, client: requester.client, scope: .always,
                by: requester.caller)
        }
        #expect(refusal?.code == .missingBackgroundMode)
        for declaring in [
            Samples.requester(backgroundModes: ["audio"], permitsAlways: false),
            Samples.requester(launchCommand: ["/usr/bin/editor", "--woken"], permitsAlways: false),
        ] {
            let outcome = await gate.requestAlways(.speechRecognition, for: declaring)
            #expect(outcome.refusal?.code != .missingBackgroundMode)
        }
    }

    @Test("B7 an always of a client that no longer declares anything permits use while in use, and is not asked about")
    func narrowed() async throws {
        let agent = Self.person(later: .always)
        let gate = try await gate(agent)
        _ = await gate.requestAlways(.speechRecognition, for: requester)
        _ = await gate.requestAlways(.microphone, for: requester)
        // One is answered, the other asked about only later.
        let program = AllowedProgram(requester.caller.executable)
        try await gate.decide(.authorized, for: key, program: program, scope: .always, by: requester.caller)
        let narrowed = Samples.requester(permitsAlways: false)
        for resource in Resource.allCases {
            let terms = await gate.standing(of: resource, for: narrowed).terms
            #expect(terms?.scope == .whileInUse && terms?.isProvisionalAlways == false)
            let settled = await gate.settled(narrowed.key(for: resource), client: narrowed.client)
            #expect(settled.status == .authorized && settled.decision?.terms?.scope == .whileInUse)
            #expect(settled.question == nil && settled.reviewAt == nil)
        }
        await #expect(throws: AuthorizationError.self) {
            _ = try await gate.microphoneGrant(for: Samples.requester(presence: .background, permitsAlways: false))
        }
        let grant = try await gate.microphoneGrant(for: narrowed)
        #expect(grant.lease.ground(in: .background) == nil)
        await gate.finish(grant.lease)
        #expect(
            try await !gate.lower(
                key, .always, nil, program: program, client: narrowed.client, notice: nil, by: requester.caller))
        clock.pass(40 * Gate.day)
        #expect(await gate.askAtQuietMoment(user: 1000, narrowed) == 0)
        #expect(await gate.askAtQuietMoment(user: 1000) == 2, "declared again: the review and the upgrade")
        #expect(agent.prompts.suffix(2).map(\.question) == [.upgradeToAlways, .review])
    }
}
