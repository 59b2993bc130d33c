@testable import Authorization
import TestSupport
import Testing

@Suite("Once, mute, and programs that the package manager replaced")
struct GateOnceAndMuteTests {
    let ledger = RecordingLedger()
    let clock = WorldClock()
    let requester = Samples.requester()
    var key: DecisionKey { requester.key(for: .microphone) }

    private func gate(_ agent: StandInAgent = StandInAgent { _ in .once }) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.now = { [clock] in clock.now }
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    private var process: ProcessIdentity { requester.caller.process }

    @Test("a grant for once permits any number of sessions of its process's use, and each names the same decision")
    func onceForTheUse() async throws {
        let agent = StandInAgent { _ in .once }
        let gate = try await gate(agent)
        _ = await gate.request(.microphone, for: requester)
        let granted = UInt64(ledger.events.count - 1)
        var leases: [Lease] = []
        for number in 1...3 {
            let grant = try await gate.microphoneGrant(for: requester)
            leases.append(grant.lease)
            #expect(grant.lease.scope == .once)
            // The first is over when the second begins; the third runs beside the second.
            if number == 1 { await gate.finish(grant.lease) }
        }
        #expect(leases.map(\.isLive) == [false, true, true])
        #expect(leases.allSatisfy { $0.decisionRecord == granted })
        #expect(await gate.request(.microphone, for: requester).refusal == nil)
        for lease in leases { await gate.finish(lease) }
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        #expect(agent.prompts.count == 1)
        #expect(await gate.settledStatus(of: key) == .notDetermined, "settings show: ask next time")
    }

    @Test("another process of the client has no part in a grant for once, whatever becomes of the first")
    func onceOfOneProcess() async throws {
        let gate = try await gate()
        let other = Samples.requester(process: 101)
        _ = await gate.request(.microphone, for: requester)
        #expect(await gate.status(of: .microphone, for: other) == .notDetermined)
        await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: other) }
        _ = await gate.request(.microphone, for: other)
        await gate.processEnded(process)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        #expect(await gate.status(of: .microphone, for: other) == .authorized)
        // Another program in the same process has none either.
        let changed = Samples.requester(process: 101, sha256: "bb")
        #expect(await gate.status(of: .microphone, for: changed) == .notDetermined)
    }

    @Test("a grant for once ends 10 s after its process left the foreground, with its sessions and also between them")
    func onceInBackground() async throws {
        for isListening in [true, false] {
            let gate = try await gate()
            _ = await gate.request(.microphone, for: requester)
            let grant = try await gate.microphoneGrant(for: requester)
            let lease = grant.lease
            #expect(lease.ground(in: .background) == nil)
            if !isListening { await gate.finish(lease) }
            // Back before the time is over: it begins again the next time.
            for presence in [Presence.background, .background, .foreground, .background] {
                await gate.note(presence, of: process)
                #expect(await gate.status(of: .microphone, for: requester) == .authorized)
                clock.pass(9_000)
            }
            clock.pass(999)
            await gate.note(.background, of: process)
            #expect(await gate.status(of: .microphone, for: requester) == .authorized)
            clock.pass(1)
            await gate.note(.background, of: process)
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
            #expect(lease.ending == (isListening ? .background : .finished))
            #expect(await gate.processesAllowedOnce.isEmpty)
            await gate.note(.foreground, of: process)
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        }
    }

    @Test(
        "while a session with a background mode listens in the background, its process is in use; afterwards it is not")
    func onceWithBackgroundMode() async throws {
        let gate = try await gate()
        let requester = Samples.requester(backgroundModes: ["audio"])
        _ = await gate.request(.microphone, for: requester)
        let grant = try await gate.microphoneGrant(for: requester)
        for _ in 1...3 {
            await gate.note(.background, of: process)
            clock.pass(60_000)
        }
        #expect(grant.lease.isLive)
        await gate.finish(grant.lease)
        await gate.note(.background, of: process)
        clock.pass(10_000)
        await gate.note(.background, of: process)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test(
        "with its process a grant for once ends, used or not, with its sessions; a reused identifier does not inherit it"
    )
    func onceOfEndedProcess() async throws {
        for isListening in [true, false] {
            let gate = try await gate()
            _ = await gate.request(.microphone, for: requester)
            let lease = try await isListening ? gate.microphoneGrant(for: requester).lease : nil
            await gate.processEnded(process)
            #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
            #expect(lease?.ending == (isListening ? .disconnected : nil))
            await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: requester) }
        }
    }

    @Test("an answer that is written when its process has ended permits nothing")
    func onceAnsweredTooLate() async throws {
        let gate = try await gate()
        ledger.onWrite { [process] event in if case .granted = event { await gate.processEnded(process) } }
        #expect(await gate.request(.microphone, for: requester).status == .notDetermined)
        #expect(ledger.eventNames.contains("granted"))
        #expect(await gate.processesAllowedOnce.isEmpty)
        #expect(await gate.settledKeys(ofUser: 1000).isEmpty)
    }

    @Test("an answer for once to a process that has ended before is not recorded as a grant")
    func onceAnsweredAfterTheEnd() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let request = Task { await gate.request(.microphone, for: requester) }
        await agent.hasShown(1)
        await gate.processEnded(process)
        let prompt = try #require(agent.prompts.first)
        agent.answer(.once, to: prompt)
        #expect(await request.value.status == .notDetermined)
        #expect(!ledger.eventNames.contains("granted"), "\(ledger.eventNames)")
        #expect(await gate.processesAllowedOnce.isEmpty)
    }

    @Test("a request for both resources that goes on after its process ended does not ask about the second")
    func processEndedBetweenQuestions() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        let request = Task { await gate.checkAndRequest(for: requester) }
        await agent.hasShown(1)
        await gate.processEnded(process)
        agent.answer(.whileInUse, to: try #require(agent.prompts.first))
        #expect(await request.value.refusal?.code == .noAnswer)
        #expect(agent.prompts.count == 1)
    }

    @Test("a denial, a reset and a restart end a grant for once; a policy and a mute end its sessions while they last")
    func onceTakenAway() async throws {
        let policy = Policy(rules: [PolicyRule(resource: nil, client: nil, user: nil, reason: nil)])
        let source = PolicyProvenance(files: [:], broken: [:])
        for (number, isOver) in [true, true, true, false, false].enumerated() {
            let ledger = RecordingLedger()
            var gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .once })
            _ = await gate.request(.microphone, for: requester)
            let grant = try await gate.microphoneGrant(for: requester)
            switch number {
            case 0:
                try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
                #expect(grant.lease.ending == .revoked)
                try await gate.reset(key, by: requester.caller)
            case 1:
                try await gate.reset(key, by: requester.caller)
                #expect(grant.lease.ending == .revoked)
            case 2:
                gate = try await Gate(ledger: ledger, agent: StandInAgent())
            case 3:
                try await gate.apply(policy, source: source)
                #expect(grant.lease.ending == .restricted)
                #expect(await gate.status(of: .microphone, for: requester) == .restricted)
                try await gate.apply(Policy(), source: source)
            default:
                try await gate.mute(.everyone, by: requester.caller)
                #expect(grant.lease.ending == .muted)
                #expect(await gate.status(of: .microphone, for: requester) == .restricted)
                try await gate.unmute(.everyone, by: requester.caller)
            }
            #expect(
                await gate.status(of: .microphone, for: requester) == (isOver ? .notDetermined : .authorized),
                "\(number)")
        }
    }

    @Test("with a background mode, a session that began in the foreground continues to listen")
    func backgroundMode() async throws {
        let requester = Samples.requester(backgroundModes: ["audio"])
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        let grant = try await gate.microphoneGrant(for: requester)
        #expect(grant.lease.ground(in: .background) != nil)
        let background = Requester(caller: requester.caller, client: requester.client, presence: .background)
        let refusal = await #expect(throws: AuthorizationError.self) {
            try await gate.microphoneGrant(for: background)
        }
        #expect(refusal?.code == .notInUse)
    }

    @Test("the person is not asked for a client in the background, and the refusal is recorded")
    func askingInBackground() async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await Gate(ledger: ledger, agent: agent)
        let background = Samples.requester(presence: .background)
        #expect(await gate.request(.microphone, for: background).refusal?.code == .notInUse)
        #expect(agent.prompts.isEmpty)
        #expect(ledger.eventNames == ["accessBlocked"])
    }

    @Test("a mute ends every session before it is recorded, withdraws prompts, and survives a restart")
    func mute() async throws {
        let agent = StandInAgent()
        var gate = try await Gate(ledger: ledger, agent: agent)
        try await gate.decide(
            .authorized, for: key, program: AllowedProgram(requester.caller.executable), by: requester.caller)
        let grant = try await gate.microphoneGrant(for: requester)
        let request = Task { [gate] in await gate.request(.speechRecognition, for: requester) }
        await agent.hasShown(1)
        let lease = grant.lease
        ledger.onWrite { event in if case .muted = event { #expect(!lease.isLive) } }
        try await gate.mute(.everyone, by: requester.caller)
        #expect(lease.ending == .muted)
        #expect(await request.value.status == .restricted)
        gate = try await Gate(ledger: ledger, agent: agent)
        #expect(await gate.status(of: .microphone, for: requester) == .restricted)
        await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: requester) }
        try await gate.unmute(.everyone, by: requester.caller)
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        #expect(lease.ending == .muted, "an ended lease stays ended")
    }

    @Test("a mute that cannot be recorded is in effect; an unmute that cannot be recorded is not")
    func muteWithoutLog() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        ledger.fail(after: 0)
        await #expect(throws: (any Error).self) { try await gate.mute(.everyone, by: requester.caller) }
        #expect(await gate.mutes[.everyone] != nil)
        await #expect(throws: (any Error).self) { try await gate.unmute(.everyone, by: requester.caller) }
        #expect(await gate.mutes[.everyone] != nil)
    }

    @Test(
        "a program that the package manager replaced keeps its grant, which is recorded; any other changed program asks again"
    )
    func carriedOver() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .whileInUse })
        func requester(_ sha256: String, path: String = "/usr/bin/editor", managed: Bool) -> Requester {
            Requester(
                caller: Caller(
                    process: ProcessIdentity(processIdentifier: 9, startTime: 1), user: 1000,
                    executable: Executable(
                        path: path, device: 1, inode: 2, sha256: sha256, isPackageManaged: managed)),
                client: Client(manifest: Samples.manifest()), presence: .foreground)
        }
        _ = await gate.request(.microphone, for: requester("aa", managed: true))
        let granted = try #require(try await ledger.decisions().first?.record)
        #expect(await gate.status(of: .microphone, for: requester("bb", managed: false)) == .notDetermined)
        let elsewhere = requester("bb", path: "/tmp/e", managed: true)
        #expect(await gate.status(of: .microphone, for: elsewhere) == .notDetermined)
        let grant = try await gate.microphoneGrant(for: requester("bb", managed: true))
        #expect(grant.lease.isLive)
        #expect(ledger.eventNames.contains("carriedOver"))
        // Sessions name the record of the grant, which the user decided.
        #expect(grant.lease.decisionRecord == granted)
        #expect(try await ledger.decisions().first?.record == granted)
        #expect(try await ledger.decisions().first?.program?.sha256 == "bb")
        #expect(await gate.status(of: .microphone, for: requester("aa", managed: false)) == .notDetermined)
    }
}
