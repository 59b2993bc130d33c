@testable import Authorization
import Foundation
import TestSupport
import Testing

@Suite("The gate's records and their links")
struct GateRecordTests {
    private let ledger = RecordingLedger()
    private let clock = WorldClock()
    private let requester = Samples.requester()
    private var key: DecisionKey { requester.key(for: .microphone) }

    private func gate(_ agent: StandInAgent, policy: Policy = Policy()) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        let clock = clock
        configuration.now = { clock.now }
        return try await Gate(ledger: ledger, agent: agent, policy: policy, configuration: configuration)
    }

    private func person(later answer: Answer) -> StandInAgent {
        StandInAgent { $0.question == .firstUse ? .whileInUse : answer }
    }

    private func forbid(_ gate: Gate, _ client: String = "org.example.Editor") async throws {
        let rule = PolicyRule(
            resource: nil, client: Samples.identifier(client), user: nil, hours: nil, reason: "Meeting")
        try await gate.apply(Policy(rules: [rule]), source: PolicyProvenance(files: [:], broken: [:]))
    }

    @Test(
        "the request is recorded before the notice, which names it, and the notice before the answer, which names the notice"
    )
    func chain() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        guard case .asked = ledger.events[0], case .noticeShown(_, 0) = ledger.events[1],
            case .granted(_, .whileInUse, .full, _, 1) = ledger.events[2]
        else {
            Issue.record("\(ledger.eventNames)")
            return
        }
        #expect(ledger.events.count == 3)
    }

    @Test("requests that join a prompt are not recorded, and neither is a prompt that cannot be shown")
    func joined() async throws {
        let agent = StandInAgent()
        let gate = try await gate(agent)
        async let first = gate.request(.microphone, for: requester)
        await agent.hasShown(1)
        async let second = gate.request(.microphone, for: Samples.requester(process: 101))
        while await gate.waiters(for: key) < 2 { await Task.yield() }
        agent.answer(.whileInUse, to: agent.prompts[0])
        _ = await (first, second)
        #expect(ledger.eventNames.filter { $0 == "asked" }.count == 1)
    }

    @Test("a session's lease names the record of the decision, and after a restart still does")
    func lease() async throws {
        var gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        #expect(try await gate.microphoneGrant(for: requester).lease.decisionRecord == 2)
        gate = try await self.gate(StandInAgent())
        #expect(try await gate.microphoneGrant(for: requester).lease.decisionRecord == 2)
    }

    @Test("a grant for one session names its own record")
    func once() async throws {
        let gate = try await gate(StandInAgent { _ in .once })
        _ = await gate.request(.microphone, for: requester)
        let grant = try await gate.microphoneGrant(for: requester)
        #expect(grant.lease.decisionRecord == 2)
        #expect(grant.lease.fidelityRecord == nil)
    }

    @Test("full fidelity for one session has its own record beside that of the grant")
    func fidelity() async throws {
        let requester = Samples.requester(phrases: ["lights on"])
        let gate = try await gate(
            StandInAgent { if case .temporaryFullFidelity = $0.question { .once } else { .whileInUse } })
        try await gate.decide(
            .authorized, for: requester.key(for: .speechRecognition),
            program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            notice: requester.settings(.speechRecognition), by: requester.caller)
        let outcome = await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester)
        #expect(outcome.status == .authorized)
        let lease = try await gate.speechRecognitionGrant(for: requester).lease
        #expect(lease.decisionRecord == 0)
        #expect(lease.fidelityRecord == 3)
        #expect(!ledger.eventNames.contains("noticeChanged"), "its text belongs to a different question")
    }

    @Test(
        "sessions and a withdrawal name the record of a decision in settings", arguments: [true, false])
    func settings(isYes: Bool) async throws {
        let gate = try await gate(StandInAgent())
        let program = AllowedProgram(requester.caller.executable)
        try await gate.decide(
            isYes ? .authorized : .denied, for: key, program: isYes ? program : nil, by: requester.caller)
        if isYes { #expect(try await gate.microphoneGrant(for: requester).lease.decisionRecord == 0) }
        try await gate.reset(key, by: requester.caller)
        guard case .withdrawn(key, nil, 0, _) = ledger.events.last else {
            Issue.record("\(ledger.events)")
            return
        }
    }

    @Test("a notice that differs from the previous one is recorded before it is shown, with the previous one")
    func noticeChanged() async throws {
        let gate = try await gate(StandInAgent { _ in .later })
        _ = await gate.request(.microphone, for: requester)
        _ = await gate.request(.microphone, for: requester)
        #expect(!ledger.eventNames.contains("noticeChanged"), "it says the same")
        let before = try #require(Notice(client: requester.client, resource: .microphone)).text
        var manifest = Samples.manifest()
        manifest = Manifest(
            identifier: manifest.identifier, name: manifest.name, executablePath: manifest.executablePath,
            usageDescriptions: manifest.usageDescriptions,
            practices: DataPractices(
                kinds: [.liveAudio, .recording], purpose: "To train on it.", retention: "ten years",
                recipients: ["Example Cloud"]))
        let changed = Requester(
            caller: requester.caller, client: Client(manifest: manifest), presence: .foreground)
        _ = await gate.request(.microphone, for: changed)
        #expect(ledger.eventNames.suffix(4) == ["asked", "noticeChanged", "noticeShown", "deferred"])
        guard case .noticeChanged(let prompt, let previous) = ledger.events.suffix(3).first else { return }
        #expect(previous.text == before)
        #expect(prompt.notice.text.contains("Example Cloud"))
        // The other question about the same notice has another title, and the same text below it.
        _ = await gate.request(.speechRecognition, for: changed)
        #expect(ledger.eventNames.count { $0 == "noticeChanged" } == 1)
    }

    @Test("a review that keeps the grant renews it and names its record; one that ends it is a denial")
    func review() async throws {
        for (answer, name) in [(Answer.always, "renewed"), (.whileInUse, "renewed"), (.deny, "denied")] {
            let ledger = RecordingLedger()
            let agent = StandInAgent { $0.question == .firstUse ? .whileInUse : answer }
            let clock = WorldClock()
            var configuration = GateConfiguration.unhindered
            configuration.now = { clock.now }
            let gate = try await Gate(ledger: ledger, agent: agent, configuration: configuration)
            _ = await gate.request(.microphone, for: requester)
            try await gate.decide(
                .authorized, for: key, program: AllowedProgram(requester.caller.executable), scope: .always,
                by: requester.caller)
            await gate.finish(try await gate.microphoneGrant(for: requester).lease)
            clock.pass(configuration.reviewInterval)
            #expect(await gate.askAtQuietMoment(user: 1000) == 1)
            #expect(ledger.eventNames.last == name)
            let decided = ledger.eventNames.firstIndex(of: "decidedInSettings").map(UInt64.init)
            if case .renewed(_, _, _, _, _, let decision) = ledger.events.last { #expect(decision == decided) }
        }
    }

    @Test("keep while using renews the grant; always is a new one")
    func upgrade() async throws {
        for (answer, name) in [(Answer.whileInUse, "renewed"), (.always, "granted")] {
            let ledger = RecordingLedger()
            let agent = person(later: answer)
            let gate = try await Gate(ledger: ledger, agent: agent, configuration: .unhindered)
            _ = await gate.requestAlways(.microphone, for: requester)
            #expect(await gate.askAtQuietMoment(user: 1000) == 1)
            #expect(ledger.eventNames.last == name)
        }
    }

    @Test("the restriction of an unused grant is recorded after the policy, and not as a withdrawal")
    func restricted() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        try await forbid(gate)
        #expect(ledger.eventNames.suffix(2) == ["policyChanged", "restrictedByPolicy"])
        guard case .restrictedByPolicy(key, let rule, 2) = ledger.events.last else {
            Issue.record("\(ledger.events)")
            return
        }
        #expect(rule.reason == "Meeting")
        // The same policy again begins nothing; one that goes and comes back does.
        await gate.enforcePolicy()
        #expect(ledger.eventNames.count { $0 == "restrictedByPolicy" } == 1)
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        try await forbid(gate)
        #expect(ledger.eventNames.count { $0 == "restrictedByPolicy" } == 2)
        #expect(!ledger.eventNames.contains("withdrawn") && !ledger.eventNames.contains("revokedByAdministrator"))
    }

    @Test(
        "a policy that ends a grant in use names the leases and the decision, before the end of a session can be recorded"
    )
    func revoked() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        let lease = try await gate.microphoneGrant(for: requester).lease
        try await forbid(gate)
        #expect(lease.ending == .restricted)
        guard case .revokedByAdministrator(key, _, let leases, 2) = ledger.events.last else {
            Issue.record("\(ledger.events)")
            return
        }
        #expect(leases == [lease.identifier])
        #expect(!ledger.eventNames.contains("restrictedByPolicy") && !ledger.eventNames.contains("withdrawn"))
    }

    @Test("a policy about other clients records nothing about this one")
    func others() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        try await forbid(gate, "org.example.Other")
        #expect(ledger.eventNames.last == "policyChanged")
    }

    @Test("when a policy's hours begin, the restriction of a grant in use is recorded once")
    func hours() async throws {
        let window = try #require(PolicyHours.Window(start: 8 * 60, end: 9 * 60))
        let rule = PolicyRule(
            resource: .microphone, client: nil, user: nil, hours: PolicyHours(windows: [window], days: []), reason: nil)
        // 2027-01-15T08:00:00Z is the clock's time.
        clock.pass(-3_600_000)
        let gate = try await gate(
            StandInAgent { _ in .whileInUse },
            policy: Policy(rules: [rule], timeZone: try #require(TimeZone(identifier: "UTC"))))
        _ = await gate.request(.microphone, for: requester)
        let lease = try await gate.microphoneGrant(for: requester).lease
        await gate.enforcePolicy()
        #expect(lease.isLive)
        clock.pass(3_600_000)
        await gate.enforcePolicy()
        await gate.enforcePolicy()
        #expect(ledger.eventNames.count { $0 == "revokedByAdministrator" } == 1)
    }

    @Test("a policy changed while no service ran is recorded for each grant when it is put in force")
    func atStart() async throws {
        var gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        let rule = PolicyRule(resource: nil, client: nil, user: nil, reason: nil)
        let policy = Policy(rules: [rule])
        gate = try await self.gate(StandInAgent(), policy: policy)
        #expect(!ledger.eventNames.contains("restrictedByPolicy"), "nothing is written before the policy is")
        try await gate.apply(policy, source: PolicyProvenance(files: [:], broken: [:]))
        #expect(ledger.eventNames.suffix(2) == ["policyChanged", "restrictedByPolicy"])
    }

    @Test("a refusal by policy is recorded as the policy's, every other refusal as blocked")
    func refused() async throws {
        let gate = try await gate(StandInAgent { _ in .deny })
        try await forbid(gate)
        #expect(await gate.request(.microphone, for: requester).refusal?.code == .restricted)
        #expect(ledger.eventNames.last == "refusedByPolicy")
        try await gate.apply(Policy(), source: PolicyProvenance(files: [:], broken: [:]))
        try await gate.mute(.everyone, by: requester.caller)
        #expect(await gate.request(.microphone, for: requester).refusal?.code == .muted)
        #expect(ledger.eventNames.last == "accessBlocked")
    }

    @Test(
        "while the ledger takes no more records of the user, nothing is asked, and the refusal says when it goes on",
        arguments: Language.allCases)
    func quota(language: Language) async throws {
        let agent = StandInAgent { _ in .whileInUse }
        let gate = try await gate(agent)
        ledger.fail(after: 0, with: RecordQuotaExceeded(user: requester.caller.user, seconds: 4711))
        let asking = Requester(
            caller: requester.caller, client: requester.client, presence: .foreground, language: language)
        let refusal = await gate.request(.microphone, for: asking).refusal
        #expect(refusal?.code == .tooManyRequests && refusal?.retryAfter == 4711)
        #expect(refusal?.message.contains("4711") == true, "\(refusal?.message ?? "")")
        #expect(agent.prompts.isEmpty)
        #expect(await gate.status(of: .microphone, for: asking) == .notDetermined)
    }

    @Test("a policy that cannot be recorded is in force")
    func unwritten() async throws {
        let gate = try await gate(StandInAgent { _ in .whileInUse })
        _ = await gate.request(.microphone, for: requester)
        let lease = try await gate.microphoneGrant(for: requester).lease
        ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await forbid(gate) }
        #expect(lease.ending == .restricted)
        #expect(await gate.status(of: .microphone, for: requester) == .restricted)
    }
}
