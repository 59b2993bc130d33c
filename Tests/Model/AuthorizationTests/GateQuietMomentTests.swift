@testable import Authorization
import TestSupport
import Testing

extension Gate {
    /// The person is idle, and the program on disk is that of the requester.
    @discardableResult
    func askAtQuietMoment(user: UInt32, _ requester: Requester = Samples.requester()) async -> Int {
        await askAtQuietMoment(user: user) { $0 == requester.client.identifier ? requester : nil }
    }
}

extension LedgerEvent {
    /// Of a record about a prompt.
    fileprivate var prompt: Prompt? {
        switch self {
        case .asked(let prompt), .noticeChanged(let prompt, _), .noticeShown(let prompt, _),
            .granted(let prompt, _, _, _, _), .renewed(let prompt, _, _, _, _, _), .denied(let prompt, _, _),
            .deferred(let prompt, _, _):
            prompt
        default: nil
        }
    }
}

@Suite("Questions at quiet moments")
struct GateQuietMomentTests {
    let ledger = RecordingLedger()
    let clock = WorldClock()
    let requester = Samples.requester()

    private func gate(_ agent: StandInAgent) async throws -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.now = { [clock] in clock.now }
        return try await Gate(ledger: ledger, agent: agent, configuration: configuration)
    }

    /// Allows first questions while using, and answers all others in this way; `nil`: not at all.
    private static func person(later answer: Answer?) -> StandInAgent {
        StandInAgent { $0.question == .firstUse ? .whileInUse : answer }
    }

    private func terms(_ gate: Gate) async -> [Terms?] {
        var terms: [Terms?] = []
        for resource in Resource.allCases { terms.append(await gate.standing(of: resource, for: requester).terms) }
        return terms
    }

    /// What was asked, shown and answered with the question, in order.
    private func records(_ question: Question.Kind) -> [String] {
        ledger.events.compactMap { event -> String? in
            switch event {
            case .asked(let prompt) where prompt.question.kind == question: "asked \(prompt.resource)"
            case .noticeShown(let prompt, _) where prompt.question.kind == question: "shown \(prompt.resource)"
            case .granted(let prompt, let scope, _, _, _) where prompt.question.kind == question:
                "granted \(prompt.resource) \(scope)"
            case .renewed(let prompt, let scope, _, _, _, _) where prompt.question.kind == question:
                "renewed \(prompt.resource) \(scope)"
            case .denied(let prompt, _, _) where prompt.question.kind == question: "denied \(prompt.resource)"
            default: nil
            }
        }
    }

    @Test(
        "the upgrade is one question for both resources; its answer decides and records both, and it never comes again")
    func upgrade() async throws {
        for answer in [Answer.always, .whileInUse, .later] {
            let ledger = RecordingLedger()
            let agent = Self.person(later: answer)
            var gate = try await Gate(ledger: ledger, agent: agent, configuration: .unhindered)
            #expect(await gate.checkAndRequest(for: requester, scope: .always).refusal == nil)
            #expect(ledger.eventNames.count { $0 == "upgradeRequested" } == 2)
            // A restart between, and neither a session nor a request after it.
            gate = try await Gate(ledger: ledger, agent: agent, configuration: .unhindered)
            #expect(await gate.askAtQuietMoment(user: 1000) == 1)
            let prompt = try #require(agent.prompts.last)
            #expect(agent.prompts.map(\.question) == [.firstUse, .firstUse, .upgradeToAlways])
            #expect(prompt.resources == [.speechRecognition, .microphone])
            for resource in Resource.allCases {
                #expect(prompt.notice.title.contains(resource.phrase))
                #expect(prompt.notice.usageDescription.contains(resource.rawValue))
                let terms = await gate.standing(of: resource, for: requester).terms
                #expect(terms?.scope == (answer == .always ? .always : .whileInUse))
                #expect(terms?.upgrade == .asked)
            }
            // Each record names what was agreed to about its own resource.
            for prompt in ledger.events.compactMap(\.prompt) where prompt.question == .upgradeToAlways {
                let declared = try #require(requester.client.declared(prompt.resource, in: .english))
                #expect(prompt.notice.agreement == declared.recognised(by: gate.engine, recordsTo: gate.collector))
                #expect(prompt.notice.agreement.usageDescription.contains(prompt.resource.rawValue))
            }
            for name in ["asked", "noticeShown"] { #expect(ledger.eventNames.count { $0 == name } == 4) }
            #expect(ledger.eventNames.count { $0 == "granted" } == (answer == .always ? 4 : 2))
            #expect(ledger.eventNames.count { $0 == "renewed" } == (answer == .whileInUse ? 2 : 0))
            for _ in 1...2 {
                #expect(await gate.askAtQuietMoment(user: 1000) == 0)
                gate = try await Gate(ledger: ledger, agent: agent, configuration: .unhindered)
            }
            #expect(agent.prompts.count == 3)
        }
    }

    @Test("a review is asked after a restart without a session, about both resources at once, and once a day")
    func review() async throws {
        let decisions = Resource.allCases.map {
            Decision(
                key: requester.key(for: $0), verdict: .authorized, program: AllowedProgram(requester.caller.executable),
                terms: Terms(scope: .always, upgrade: .asked, usedAt: clock.now, reviewedAt: clock.now),
                indication: .settings, decidedAt: clock.now.date, record: 0)
        }
        for answer in [Answer.always, .whileInUse, .deny] {
            let ledger = RecordingLedger(decisions: decisions)
            let clock = WorldClock()
            var configuration = GateConfiguration.unhindered
            configuration.now = { clock.now }
            func restart(_ agent: StandInAgent) async throws -> Gate {
                try await Gate(ledger: ledger, agent: agent, configuration: configuration)
            }
            clock.pass(configuration.reviewInterval - 1)
            let silent = Self.person(later: .later)
            #expect(try await restart(silent).askAtQuietMoment(user: 1000) == 0)
            clock.pass(1)
            #expect(try await restart(silent).askAtQuietMoment(user: 1000) == 1)
            // Unanswered: not again on this day, whatever is restarted.
            clock.pass(Gate.day - 1)
            #expect(try await restart(silent).askAtQuietMoment(user: 1000) == 0)
            clock.pass(1)
            let agent = Self.person(later: answer)
            let gate = try await restart(agent)
            #expect(await gate.askAtQuietMoment(user: 1000) == 1)
            #expect(agent.prompts.map(\.resources) == [[.speechRecognition, .microphone]])
            for resource in Resource.allCases {
                let standing = await gate.standing(of: resource, for: requester)
                switch answer {
                case .deny: #expect(standing.status == .denied)
                default: #expect(standing.terms?.scope == (answer == .always ? .always : .whileInUse))
                }
                #expect(standing.terms?.reviewAskedAt == nil)
            }
            clock.pass(Gate.day)
            #expect(try await restart(agent).askAtQuietMoment(user: 1000) == 0)
        }
    }

    @Test("a review whose time is unknown since a reboot is due, whatever the clock is set to, until it is answered")
    func unknownTime() async throws {
        let reviewed = clock.now
        clock.setWall(by: -50 * Gate.day)
        let terms = Terms(scope: .always, upgrade: .asked, usedAt: clock.now, reviewedAt: reviewed)
        let ledger = RecordingLedger(decisions: [
            Decision(
                key: requester.key(for: .microphone), verdict: .authorized,
                program: AllowedProgram(requester.caller.executable), terms: terms, indication: .settings,
                decidedAt: reviewed.date, record: 0)
        ])
        var configuration = GateConfiguration.unhindered
        configuration.now = { [clock] in clock.now }
        clock.reboot(number: 1, off: Gate.day)
        let agent = StandInAgent { [ledger] _ in
            ledger.eventNames.count { $0 == "noticeShown" } == 1 ? .later : .always
        }
        let gate = try await Gate(ledger: ledger, agent: agent, configuration: configuration)
        // Now the last review seems to be a day ago.
        clock.setWall(by: 50 * Gate.day)
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
        clock.pass(Gate.day)
        let next = try await Gate(ledger: ledger, agent: agent, configuration: configuration)
        #expect(await next.askAtQuietMoment(user: 1000) == 1)
        #expect(agent.prompts.map(\.question) == [.review, .review])
        clock.pass(Gate.day)
        #expect(await next.askAtQuietMoment(user: 1000) == 0)
        #expect(await next.standing(of: .microphone, for: requester).terms?.scope == .always)
    }

    @Test("resources of which only one is due are asked about alone")
    func oneResource() async throws {
        let agent = Self.person(later: .always)
        let gate = try await gate(agent)
        _ = await gate.request(.speechRecognition, for: requester)
        _ = await gate.requestAlways(.microphone, for: requester)
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
        #expect(agent.prompts.last?.resources == [.microphone])
        #expect(records(.upgradeToAlways) == ["asked microphone", "shown microphone", "granted microphone always"])
        #expect(await terms(gate).map { $0?.scope } == [.whileInUse, .always])
    }

    @Test("a client without a manifest, or with another program on disk, is not asked about, and stays due")
    func notRegistered() async throws {
        let agent = Self.person(later: .always)
        let gate = try await gate(agent)
        _ = await gate.checkAndRequest(for: requester, scope: .always)
        #expect(await gate.askAtQuietMoment(user: 1000) { _ in nil } == 0)
        #expect(await gate.askAtQuietMoment(user: 1000, Samples.requester(sha256: "bb")) == 0)
        #expect(await gate.askAtQuietMoment(user: 1000, Samples.requester(user: 1001)) == 0)
        #expect(records(.upgradeToAlways).isEmpty)
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
    }

    @Test("a program that was allowed once in another's place is not asked about, and extends nothing for the other")
    func onceInAnothersPlace() async throws {
        let agent = StandInAgent { prompt in
            switch prompt.question {
            case .firstUse: .whileInUse
            case .identityChanged: .once
            default: .always
            }
        }
        let gate = try await gate(agent)
        _ = await gate.requestAlways(.microphone, for: requester)
        let changed = Samples.requester(sha256: "bb")
        #expect(await gate.request(.microphone, for: changed).status == .authorized)
        #expect(await gate.askAtQuietMoment(user: 1000, changed) == 0)
        #expect(await gate.standing(of: .microphone, for: requester).terms?.scope == .whileInUse)
        #expect(await gate.askAtQuietMoment(user: 1000) == 1)
    }

    @Test("a decision about one of the two while the question is shown withdraws it, and its answer decides nothing")
    func decidedMeanwhile() async throws {
        let agent = Self.person(later: nil)
        let gate = try await gate(agent)
        _ = await gate.checkAndRequest(for: requester, scope: .always)
        let asking = Task { await gate.askAtQuietMoment(user: 1000) }
        await agent.hasShown(3)
        let prompt = agent.prompts[2]
        try await gate.decide(
            .denied, for: requester.key(for: .microphone), program: nil, by: requester.caller)
        agent.answer(.always, to: prompt)
        #expect(await asking.value == 1)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
        #expect(await gate.standing(of: .speechRecognition, for: requester).terms?.scope == .whileInUse)
        #expect(records(.upgradeToAlways).allSatisfy { $0.hasPrefix("asked") || $0.hasPrefix("shown") })
        #expect(await gate.askAtQuietMoment(user: 1000) == 0)
    }

    @Test("until the answer the client sees always, also while the question is shown, and then what was answered")
    func visible() async throws {
        for answer in [Answer.always, .whileInUse] {
            let agent = Self.person(later: nil)
            let gate = try await Gate(ledger: RecordingLedger(), agent: agent, configuration: .unhindered)
            _ = await gate.requestAlways(.microphone, for: requester)
            func seen() async -> Bool? {
                let terms = await gate.position(of: requester).standings[.microphone]?.terms
                return terms.map { $0.scope == .always || $0.isProvisionalAlways }
            }
            #expect(await seen() == true)
            let asking = Task { await gate.askAtQuietMoment(user: 1000) }
            await agent.hasShown(2)
            #expect(await seen() == true)
            agent.answer(answer, to: agent.prompts[1])
            _ = await asking.value
            #expect(await seen() == (answer == .always))
        }
    }
}
