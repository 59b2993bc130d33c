@testable import Authorization
import TestSupport
import Testing

@Suite("Once, mute, and programs that the package manager replaced")
struct GateOnceAndMuteTests {
    let ledger = RecordingLedger()
    let requester = Samples.requester()
    var key: DecisionKey { requester.key(for: .microphone) }

    @Test(
        "a grant for once ends shortly after its client has left the foreground, and the status is notDetermined again")
    func onceInBackground() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .once })
        _ = await gate.request(.microphone, for: requester)
        let grant = try await gate.microphoneGrant(for: requester)
        #expect(grant.lease.ground(in: .background) == nil)
        await gate.endOnceInBackground(grant.lease)
        #expect(grant.lease.ending == .background)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test("an unused grant for once ends with its process, and a reused process identifier does not inherit it")
    func onceUnused() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .once })
        _ = await gate.request(.microphone, for: requester)
        await gate.processEnded(requester.caller.process)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
    }

    @Test("a grant for once whose process ends while it is being recorded allows nothing, and nothing of it stays")
    func onceOfEndedProcess() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .once })
        ledger.onWrite { [process = requester.caller.process] event in
            if case .granted = event { await gate.processEnded(process) }
        }
        #expect(await gate.request(.microphone, for: requester).status == .notDetermined)
        #expect(ledger.eventNames.last == "granted")
        #expect(await gate.settledKeys(ofUser: 1000).isEmpty)
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
        try await gate.mute(by: requester.caller)
        #expect(lease.ending == .muted)
        #expect(await request.value.status == .restricted)
        gate = try await Gate(ledger: ledger, agent: agent)
        #expect(await gate.status(of: .microphone, for: requester) == .restricted)
        await #expect(throws: AuthorizationError.self) { _ = try await gate.microphoneGrant(for: requester) }
        try await gate.unmute(by: requester.caller)
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        #expect(lease.ending == .muted, "what was ended stays ended")
    }

    @Test("a mute that cannot be recorded is in effect; an unmute that cannot be recorded is not")
    func muteWithoutLog() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        ledger.fail(after: 0)
        await #expect(throws: (any Error).self) { try await gate.mute(by: requester.caller) }
        #expect(await gate.isMuted)
        await #expect(throws: (any Error).self) { try await gate.unmute(by: requester.caller) }
        #expect(await gate.isMuted)
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
        #expect(await gate.status(of: .microphone, for: requester("bb", managed: false)) == .notDetermined)
        let elsewhere = requester("bb", path: "/tmp/e", managed: true)
        #expect(await gate.status(of: .microphone, for: elsewhere) == .notDetermined)
        let grant = try await gate.microphoneGrant(for: requester("bb", managed: true))
        #expect(grant.lease.isLive)
        #expect(ledger.eventNames.contains("carriedOver"))
        #expect(try await ledger.decisions().first?.program?.sha256 == "bb")
        #expect(await gate.status(of: .microphone, for: requester("aa", managed: false)) == .notDetermined)
    }

    @Test("temporary full fidelity is for a named purpose and one session, and ends with it or with a reduction")
    func temporaryFull() async throws {
        let requester = Samples.requester(phrases: ["yes", "no"])
        let speech = requester.key(for: .speechRecognition)
        let agent = StandInAgent { _ in .once }
        let gate = try await Gate(ledger: ledger, agent: agent)
        try await gate.decide(
            .authorized, for: speech, program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            by: requester.caller)
        let unknown = await gate.requestTemporaryFullFidelity(purposeKey: "sing", for: requester)
        #expect(unknown.refusal?.code == .missingPurpose)
        let background = Requester(caller: requester.caller, client: requester.client, presence: .background)
        let unseen = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: background)
        #expect(unseen.refusal?.code == .notInUse)
        #expect(agent.prompts.isEmpty)
        #expect(await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester).refusal == nil)
        #expect(agent.prompts.map(\.notice.usageDescription) == ["To write down a note word by word."])
        let again = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester)
        #expect(again.refusal?.code == .alreadyFull)
        let first = try await gate.speechRecognitionGrant(for: requester)
        #expect(first.lease.fidelity == .full)
        let second = try await gate.speechRecognitionGrant(for: requester)
        #expect(second.lease.fidelity == .reduced, "used up by the first session")
        try await gate.decide(
            .authorized, for: speech, program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            by: requester.caller)
        #expect(first.lease.fidelity == .reduced, "lowering reaches the running session")
    }
}
