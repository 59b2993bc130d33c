import Authorization
import Synchronization
import TestSupport
import Testing

@testable import Prompting

@Suite("Agents at the board of prompts", .timeLimit(.minutes(1)))
struct PromptBoardAgentTests {
    private let clock = SettableClock()
    private let board: PromptBoard
    private let caller = answerer(100, .caller)
    private let agent = answerer(200, .terminalAgent)
    private let desktop = answerer(300, .desktopAgent)

    init() {
        let clock = clock
        // Process 150 stands for a child of the requester, process 100, and 160 for one under the client's program.
        board = PromptBoard(now: { clock.now() }) { answerer, prompt in
            answerer.mayAnswer(
                prompt, areRelated: { one, _ in one.processIdentifier == 150 },
                runsUnder: { one, _ in one.processIdentifier == 160 })
        }
    }

    private static func answerer(
        _ process: Int32, _ role: Answerer.Role, user: UInt32 = 1000,
        isPresent: @escaping @Sendable () -> Bool = { true }
    ) -> Answerer {
        Answerer(
            process: ProcessIdentity(processIdentifier: process, startTime: 1), user: user, role: role,
            isPresent: isPresent)
    }

    @Test("an agent that does not read is disconnected, and its prompt goes to the next one")
    func notReading() async throws {
        let unread = await board.prompts(for: agent)
        var offers = await board.offers(for: desktop)
        // Each prompt is two events, one when it is offered and one when it is withdrawn.
        for number in 0...PromptBoard.mostWaiting / 2 {
            let task = board.asking(try .example(cookie: "\(number)"))
            #expect(await offers.offered() == "\(number)")
            task.cancel()
            #expect(await offers.withdrawn() != nil)
        }
        while await board.agents[1000] != 1 { await Task.yield() }
        // Events sent in time are still there for a late reader; then the stream ends.
        var count = 0
        for await _ in unread { count += 1 }
        #expect(count == PromptBoard.mostWaiting)
        let task = try await board.asked(&offers)
        clock.advance(by: .seconds(1))
        try await board.answer(.deny, by: desktop)
        #expect(try await task.value.answer == .deny)
    }

    @Test("an answer right after the prompt is refused, and the same answer counts later")
    func clickThrough() async throws {
        var offers = await board.offers(for: agent)
        let task = try await board.asked(&offers)
        clock.advance(by: .milliseconds(499))
        #expect(await board.refusal(by: agent) == .tooEarly)
        clock.advance(by: .milliseconds(1))
        try await board.answer(.whileInUse, by: agent)
        #expect(try await task.value == AgentReply(answer: .whileInUse, indication: .agent))
    }

    @Test("the delay starts again for a program that shows the prompt later")
    func clickThroughOfTheSecond() async throws {
        var first = await board.offers(for: agent)
        let task = try await board.asked(&first)
        clock.advance(by: .seconds(5))
        var second = await board.offers(for: desktop)
        _ = await second.offered()
        #expect(await board.refusal(by: desktop) == .tooEarly)
        try await board.answer(.deny, by: agent)
        #expect(await second.withdrawn() != nil)
        #expect(try await task.value.indication == .agent)
    }

    @Test("an answer or a fidelity that the prompt does not offer is refused, and the prompt stays open")
    func notOffered() async throws {
        var offers = await board.offers(for: agent)
        let task = try await board.asked(&offers)
        clock.advance(by: .seconds(1))
        #expect(await board.refusal("cookie", .always, by: agent) == .notOffered)
        #expect(await board.refusal("cookie", .whileInUse, fidelity: .reduced, by: agent) == .notOffered)
        try await board.answer(.once, by: agent)
        #expect(try await task.value == AgentReply(answer: .once, indication: .agent))
    }

    @Test("a question at a quiet moment, which no process asks, goes to all agents but one under the client's program")
    func quietMoment() async throws {
        let prompt = try Prompt.example(question: .review)
        let below = await board.prompts(for: Self.answerer(160, .terminalAgent))
        #expect(await !board.canAsk(prompt))
        var offers = await board.offers(for: Self.answerer(150, .terminalAgent))
        #expect(await board.canAsk(prompt))
        let task = board.asking(prompt)
        #expect(await offers.offered() == "cookie")
        clock.advance(by: .seconds(1))
        #expect(await board.refusal(by: Self.answerer(160, .terminalAgent)) == .notPermitted)
        try await board.answer(cookie: "cookie", with: .always, by: Self.answerer(150, .terminalAgent).process)
        #expect(try await task.value.answer == .always)
        withExtendedLifetime(below) {}
    }

    @Test("a command that the requester runs answers in its terminal, and not for others, nor after it has left")
    func ofCaller() async throws {
        let isThere = Flag()
        let command = Answerer(
            process: ProcessIdentity(processIdentifier: 160, startTime: 1), user: 1000, role: .caller,
            runner: ProcessIdentity(processIdentifier: 100, startTime: 1)
        ) { isThere.value }
        var offers = await board.offers(for: command)
        let other = try Prompt.example(cookie: "other", process: 101)
        #expect(await !board.canAsk(other))
        // A process with a reused identifier is a different one.
        let reused = Answerer(
            process: command.process, user: 1000, role: .caller,
            runner: ProcessIdentity(processIdentifier: 100, startTime: 2))
        #expect(
            !reused.mayAnswer(try .example(), areRelated: { _, _ in false }, runsUnder: { _, _ in false }))
        let upgrade = try Prompt.example(cookie: "upgrade", question: .upgradeToAlways)
        #expect(await !board.canAsk(upgrade))
        let task = try await board.asked(&offers)
        clock.advance(by: .seconds(1))
        isThere.value = false
        #expect(await board.refusal(by: command) == .notPermitted)
        isThere.value = true
        try await board.answer(.once, by: command)
        #expect(try await task.value == AgentReply(answer: .once, indication: .terminal))
    }

    @Test("each agent that connects is an arrival, and one that was there before is none")
    func arrivals() async throws {
        var arrivals = try #require(await board.arrivals()).makeAsyncIterator()
        // At once, so that none is missed between a look and the wait.
        #expect(await arrivals.next() != nil)
        #expect(try await !board.canAsk(.example()))
        let offers = await board.prompts(for: agent)
        #expect(await arrivals.next() != nil)
        #expect(try await board.canAsk(.example()))
        withExtendedLifetime(offers) {}
    }

    @Test("if the requester's own terminal can ask, no agent is offered the prompt")
    func callerFirst() async throws {
        var agents = await board.offers(for: agent)
        var own = await board.offers(for: caller)
        let task = try await board.asked(&own)
        clock.advance(by: .seconds(1))
        #expect(await board.refusal(by: agent) == .notPermitted)
        try await board.answer(.once, by: caller)
        #expect(try await task.value.indication == .terminal)
        // The first that the agent hears of is another program's prompt.
        let other = board.asking(try .example(cookie: "other", process: 101))
        #expect(await agents.offered() == "other")
        other.cancel()
    }

    @Test("a prompt that its own terminal leaves is offered to the agents, and ends with the last of them")
    func goesOn() async throws {
        let ownStream = await board.prompts(for: caller)
        var agents = await board.offers(for: agent)
        let (seen, teller) = AsyncStream.makeStream(of: Void.self)
        let own = Task { for await _ in ownStream { teller.yield() } }
        let task = board.asking(try .example())
        for await _ in seen { break }
        own.cancel()
        #expect(await agents.offered() == "cookie")
        try await board.dismiss(cookie: "cookie", by: agent.process)
        #expect(await agents.withdrawn() != nil)
        #expect(await task.code == .noAnswer)
        #expect(await board.refusal(by: agent) == .unknownPrompt)
    }

    @Test("when an agent dies, the prompt stays open at the others")
    func dies() async throws {
        let dying = await board.prompts(for: agent)
        var other = await board.offers(for: desktop)
        let (seen, teller) = AsyncStream.makeStream(of: Void.self)
        let reader = Task { for await _ in dying { teller.yield() } }
        let task = board.asking(try .example())
        for await _ in seen { break }
        #expect(await other.offered() == "cookie")
        reader.cancel()
        clock.advance(by: .seconds(1))
        try await board.answer(.deny, by: desktop)
        #expect(try await task.value == AgentReply(answer: .deny, indication: .desktop))
    }

    @Test("neither the requester as an agent, nor its child, nor another user's agent is offered the prompt")
    func notEligible() async throws {
        let itself = Self.answerer(100, .terminalAgent)
        let child = Self.answerer(150, .desktopAgent)
        let otherUser = Self.answerer(400, .terminalAgent, user: 1001)
        var streams: [AsyncStream<PromptOffer>] = []
        for answerer in [itself, child, otherUser] { streams.append(await board.prompts(for: answerer)) }
        let prompt = try Prompt.example()
        #expect(await !board.canAsk(prompt))
        #expect(await board.asking(prompt).code == .noAgent)
        // With one that may answer, the others still may not.
        var offers = await board.offers(for: agent)
        let task = board.asking(prompt)
        _ = await offers.offered()
        clock.advance(by: .seconds(1))
        for answerer in [itself, child, otherUser] { #expect(await board.refusal(by: answerer) == .notPermitted) }
        try await board.answer(.deny, by: agent)
        #expect(try await task.value.answer == .deny)
        withExtendedLifetime(streams) {}
    }

    @Test("an agent that left its terminal's foreground after the offer may not answer")
    func absent() async throws {
        let isThere = Flag()
        let agent = Self.answerer(200, .terminalAgent) { isThere.value }
        var offers = await board.offers(for: agent)
        let task = try await board.asked(&offers)
        clock.advance(by: .seconds(1))
        isThere.value = false
        #expect(await board.refusal(by: agent) == .notPermitted)
        isThere.value = true
        try await board.answer(.once, by: agent)
        #expect(try await task.value.answer == .once)
    }

    @Test("the upgrade is not asked in the requester's own terminal, but by an agent")
    func upgrade() async throws {
        var own = await board.offers(for: caller)
        let prompt = try Prompt.example(question: .upgradeToAlways)
        #expect(await !board.canAsk(prompt))
        var agents = await board.offers(for: agent)
        let task = board.asking(prompt)
        #expect(await agents.offered() == "cookie")
        clock.advance(by: .seconds(1))
        #expect(await board.refusal("cookie", .once, by: agent) == .notOffered)
        try await board.answer(.always, by: agent)
        #expect(try await task.value.answer == .always)
        let next = board.asking(try .example(cookie: "own"))
        #expect(await own.offered() == "own")
        next.cancel()
    }

    @Test("only a program that shows a prompt can extend its time")
    func attention() async throws {
        var offers = await board.offers(for: agent)
        let task = try await board.asked(&offers)
        try await board.attend(cookie: "cookie", by: agent.process)
        for (cookie, answerer, code) in [
            ("cookie", desktop, PromptingError.Code.notPermitted), ("cookiE", agent, .unknownPrompt),
        ] {
            let error = await failure(PromptingError.self) {
                try await board.attend(cookie: cookie, by: answerer.process)
            }
            #expect(error?.code == code)
        }
        task.cancel()
    }

    @Test("agents are counted by their users; a requester is not an agent")
    func count() async throws {
        #expect(await board.agents.isEmpty)
        let others = [Self.answerer(500, .terminalAgent, user: 1001)]
        var streams: [AsyncStream<PromptOffer>] = []
        for answerer in [caller, agent, desktop] + others { streams.append(await board.prompts(for: answerer)) }
        #expect(await board.agents == [1000: 2, 1001: 1])
        withExtendedLifetime(streams) {}
    }
}

private final class Flag: Sendable {
    private let state = Mutex(true)

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
