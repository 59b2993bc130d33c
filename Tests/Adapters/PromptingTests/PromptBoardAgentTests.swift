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

    private func ask(_ prompt: Prompt) -> Task<AgentReply, any Error> {
        Task { [board] in try await board.ask(prompt) }
    }

    private func cookie(_ offer: PromptOffer?) -> String? {
        if case .offered(let prompt) = offer { prompt.cookie } else { nil }
    }

    private func isWithdrawn(_ offer: PromptOffer?) -> Bool { if case .withdrawn = offer { true } else { false } }

    private func refusal(
        _ cookie: String = "cookie", _ answer: Answer = .whileInUse, fidelity: Fidelity = .full, by answerer: Answerer
    ) async -> PromptingError.Code? {
        await #expect(throws: PromptingError.self) {
            try await board.answer(cookie: cookie, with: answer, fidelity: fidelity, by: answerer.process)
        }?.code
    }

    private func code(of task: Task<AgentReply, any Error>) async -> PromptingError.Code? {
        let result = await task.result
        return #expect(throws: PromptingError.self) { try result.get() }?.code
    }

    @Test("an agent that does not read is disconnected, and its prompt goes to the next one")
    func notReading() async throws {
        let unread = await board.prompts(for: agent)
        var offers = await board.prompts(for: desktop).makeAsyncIterator()
        // Each prompt is two events, one when it is offered and one when it is withdrawn.
        for number in 0...PromptBoard.mostWaiting / 2 {
            let task = ask(try .example(cookie: "\(number)"))
            #expect(cookie(await offers.next()) == "\(number)")
            task.cancel()
            #expect(isWithdrawn(await offers.next()))
        }
        while await board.agents[1000] != 1 { await Task.yield() }
        // Events sent in time are still there for a late reader; then the stream ends.
        var count = 0
        for await _ in unread { count += 1 }
        #expect(count == PromptBoard.mostWaiting)
        let task = ask(try .example())
        #expect(cookie(await offers.next()) == "cookie")
        clock.advance(by: .seconds(1))
        try await board.answer(cookie: "cookie", with: .deny, by: desktop.process)
        #expect(try await task.value.answer == .deny)
    }

    @Test("an answer right after the prompt is refused, and the same answer counts later")
    func clickThrough() async throws {
        var offers = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(try .example())
        #expect(cookie(await offers.next()) == "cookie")
        clock.advance(by: .milliseconds(499))
        #expect(await refusal(by: agent) == .tooEarly)
        clock.advance(by: .milliseconds(1))
        try await board.answer(cookie: "cookie", with: .whileInUse, by: agent.process)
        #expect(try await task.value == AgentReply(answer: .whileInUse, indication: .agent))
    }

    @Test("the delay starts again for a program that shows the prompt later")
    func clickThroughOfTheSecond() async throws {
        var first = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(try .example())
        _ = await first.next()
        clock.advance(by: .seconds(5))
        var second = await board.prompts(for: desktop).makeAsyncIterator()
        _ = await second.next()
        #expect(await refusal(by: desktop) == .tooEarly)
        try await board.answer(cookie: "cookie", with: .deny, by: agent.process)
        #expect(isWithdrawn(await second.next()))
        #expect(try await task.value.indication == .agent)
    }

    @Test("an answer or a fidelity that the prompt does not offer is refused, and the prompt stays open")
    func notOffered() async throws {
        var offers = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        clock.advance(by: .seconds(1))
        #expect(await refusal("cookie", .always, by: agent) == .notOffered)
        #expect(await refusal("cookie", .whileInUse, fidelity: .reduced, by: agent) == .notOffered)
        try await board.answer(cookie: "cookie", with: .once, by: agent.process)
        #expect(try await task.value == AgentReply(answer: .once, indication: .agent))
    }

    @Test("a question at a quiet moment, which no process asks, goes to all agents but one under the client's program")
    func quietMoment() async throws {
        let prompt = try Prompt.example(question: .review)
        let below = await board.prompts(for: Self.answerer(160, .terminalAgent))
        #expect(await !board.canAsk(prompt))
        var offers = await board.prompts(for: Self.answerer(150, .terminalAgent)).makeAsyncIterator()
        #expect(await board.canAsk(prompt))
        let task = ask(prompt)
        #expect(cookie(await offers.next()) == "cookie")
        clock.advance(by: .seconds(1))
        #expect(await refusal(by: Self.answerer(160, .terminalAgent)) == .notPermitted)
        try await board.answer(cookie: "cookie", with: .always, by: Self.answerer(150, .terminalAgent).process)
        #expect(try await task.value.answer == .always)
        withExtendedLifetime(below) {}
    }

    @Test("if the requester's own terminal can ask, no agent is offered the prompt")
    func callerFirst() async throws {
        var agents = await board.prompts(for: agent).makeAsyncIterator()
        var own = await board.prompts(for: caller).makeAsyncIterator()
        let task = ask(try .example())
        #expect(cookie(await own.next()) == "cookie")
        clock.advance(by: .seconds(1))
        #expect(await refusal(by: agent) == .notPermitted)
        try await board.answer(cookie: "cookie", with: .once, by: caller.process)
        #expect(try await task.value.indication == .terminal)
        // The first that the agent hears of is another program's prompt.
        let other = ask(try .example(cookie: "other", process: 101))
        #expect(cookie(await agents.next()) == "other")
        other.cancel()
    }

    @Test("a prompt that its own terminal leaves is offered to the agents, and ends with the last of them")
    func goesOn() async throws {
        let ownStream = await board.prompts(for: caller)
        var agents = await board.prompts(for: agent).makeAsyncIterator()
        let (seen, teller) = AsyncStream.makeStream(of: Void.self)
        let own = Task { for await _ in ownStream { teller.yield() } }
        let task = ask(try .example())
        for await _ in seen { break }
        own.cancel()
        #expect(cookie(await agents.next()) == "cookie")
        try await board.dismiss(cookie: "cookie", by: agent.process)
        #expect(isWithdrawn(await agents.next()))
        #expect(await code(of: task) == .noAnswer)
        #expect(await refusal(by: agent) == .unknownPrompt)
    }

    @Test("when an agent dies, the prompt stays open at the others")
    func dies() async throws {
        let dying = await board.prompts(for: agent)
        var other = await board.prompts(for: desktop).makeAsyncIterator()
        let (seen, teller) = AsyncStream.makeStream(of: Void.self)
        let reader = Task { for await _ in dying { teller.yield() } }
        let task = ask(try .example())
        for await _ in seen { break }
        #expect(cookie(await other.next()) == "cookie")
        reader.cancel()
        clock.advance(by: .seconds(1))
        try await board.answer(cookie: "cookie", with: .deny, by: desktop.process)
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
        #expect(await code(of: ask(prompt)) == .noAgent)
        // With one that may answer, the others still may not.
        var offers = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(prompt)
        _ = await offers.next()
        clock.advance(by: .seconds(1))
        for answerer in [itself, child, otherUser] { #expect(await refusal(by: answerer) == .notPermitted) }
        try await board.answer(cookie: "cookie", with: .deny, by: agent.process)
        #expect(try await task.value.answer == .deny)
        withExtendedLifetime(streams) {}
    }

    @Test("an agent that left its terminal's foreground after the offer may not answer")
    func absent() async throws {
        let isThere = Flag()
        let agent = Self.answerer(200, .terminalAgent) { isThere.value }
        var offers = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        clock.advance(by: .seconds(1))
        isThere.value = false
        #expect(await refusal(by: agent) == .notPermitted)
        isThere.value = true
        try await board.answer(cookie: "cookie", with: .once, by: agent.process)
        #expect(try await task.value.answer == .once)
    }

    @Test("the upgrade is not asked in the requester's own terminal, but by an agent")
    func upgrade() async throws {
        var own = await board.prompts(for: caller).makeAsyncIterator()
        let prompt = try Prompt.example(question: .upgradeToAlways)
        #expect(await !board.canAsk(prompt))
        var agents = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(prompt)
        #expect(cookie(await agents.next()) == "cookie")
        clock.advance(by: .seconds(1))
        #expect(await refusal("cookie", .once, by: agent) == .notOffered)
        try await board.answer(cookie: "cookie", with: .always, by: agent.process)
        #expect(try await task.value.answer == .always)
        let next = ask(try .example(cookie: "own"))
        #expect(cookie(await own.next()) == "own")
        next.cancel()
    }

    @Test("only a program that shows a prompt can extend its time")
    func attention() async throws {
        var offers = await board.prompts(for: agent).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        try await board.attend(cookie: "cookie", by: agent.process)
        let stranger = await #expect(throws: PromptingError.self) {
            try await board.attend(cookie: "cookie", by: desktop.process)
        }
        #expect(stranger?.code == .notPermitted)
        let guessed = await #expect(throws: PromptingError.self) {
            try await board.attend(cookie: "cookiE", by: agent.process)
        }
        #expect(guessed?.code == .unknownPrompt)
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
