import Authorization
import Prompting
import TestSupport
import Testing

@Suite("The board of prompts", .timeLimit(.minutes(1)))
struct PromptBoardTests {
    private let owner = PromptBoardTests.answerer(100)
    private let stranger = PromptBoardTests.answerer(101)
    private let clock = SettableClock()
    private let board: PromptBoard

    init() {
        // Each answers long after the offer, unless a test says otherwise.
        let clock = clock
        clock.stepAtEachReading = .seconds(1)
        board = PromptBoard(now: { clock.now() }) { answerer, prompt in
            answerer.mayAnswer(prompt, areRelated: { _, _ in false }, runsUnder: { _, _ in false })
        }
    }

    private static func answerer(_ process: Int32) -> Answerer {
        Answerer(process: ProcessIdentity(processIdentifier: process, startTime: 1), user: 1000, role: .caller)
    }

    private func ask(_ prompt: Prompt) -> Task<AgentReply, any Error> {
        Task { [board] in try await board.ask(prompt) }
    }

    private func offered(_ offer: PromptOffer?) -> String? {
        if case .offered(let prompt) = offer { prompt.cookie } else { nil }
    }

    private func withdrawn(_ offer: PromptOffer?) -> String? {
        if case .withdrawn(let cookie) = offer { cookie } else { nil }
    }

    private func code(of task: Task<AgentReply, any Error>) async -> PromptingError.Code? {
        let result = await task.result
        return #expect(throws: PromptingError.self) { try result.get() }?.code
    }

    private func answerCode(_ cookie: String, by answerer: Answerer) async -> PromptingError.Code? {
        await #expect(throws: PromptingError.self) {
            try await board.answer(cookie: cookie, with: .whileInUse, by: answerer.process)
        }?.code
    }

    @Test("a prompt reaches the requester, and the answer reaches the gate")
    func answer() async throws {
        var offers = await board.prompts(for: owner).makeAsyncIterator()
        let task = ask(try .example())
        #expect(offered(await offers.next()) == "cookie")
        try await board.answer(cookie: "cookie", with: .once, by: owner.process)
        #expect(try await task.value == AgentReply(answer: .once, indication: .terminal))
        #expect(withdrawn(await offers.next()) == "cookie")
    }

    @Test("a second answer is refused and changes nothing")
    func secondAnswer() async throws {
        var offers = await board.prompts(for: owner).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        try await board.answer(cookie: "cookie", with: .deny, by: owner.process)
        #expect(await answerCode("cookie", by: owner) == .unknownPrompt)
        #expect(try await task.value.answer == .deny)
    }

    @Test("a wrong cookie is refused, and the prompt stays open", arguments: ["", "cookiE", "cookie2", "cooki"])
    func wrongCookie(cookie: String) async throws {
        var offers = await board.prompts(for: owner).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        #expect(await answerCode(cookie, by: owner) == .unknownPrompt)
        try await board.answer(cookie: "cookie", with: .deny, by: owner.process)
        #expect(try await task.value.answer == .deny)
    }

    @Test("an unrelated process is offered nothing, and its answer with the right cookie is refused")
    func strangers() async throws {
        let forStranger = await board.prompts(for: stranger)
        var offers = await board.prompts(for: owner).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        #expect(await answerCode("cookie", by: stranger) == .notPermitted)
        try await board.answer(cookie: "cookie", with: .deny, by: owner.process)
        #expect(try await task.value.answer == .deny)
        // The first that the stranger hears of is a separate prompt.
        let own = ask(try .example(cookie: "own", process: 101))
        var others = forStranger.makeAsyncIterator()
        #expect(offered(await others.next()) == "own")
        try await board.answer(cookie: "own", with: .later, by: stranger.process)
        #expect(try await own.value.answer == .later)
    }

    @Test("without a program that may answer, the request is refused at once")
    func nobody() async throws {
        #expect(await code(of: ask(try .example())) == .noAgent)
        let strangers = await board.prompts(for: stranger)
        #expect(await code(of: ask(try .example())) == .noAgent)
        withExtendedLifetime(strangers) {}
    }

    @Test("when the last program that shows the prompt leaves, the request is refused")
    func leaving() async throws {
        let stream = await board.prompts(for: owner)
        let (seen, teller) = AsyncStream.makeStream(of: Void.self)
        let reader = Task { for await _ in stream { teller.yield() } }
        let task = ask(try .example())
        var events = seen.makeAsyncIterator()
        _ = await events.next()
        reader.cancel()
        #expect(await code(of: task) == .noAnswer)
        #expect(await answerCode("cookie", by: owner) == .unknownPrompt)
    }

    @Test("when the request ends, the prompt is withdrawn and its answer refused")
    func cancelled() async throws {
        var offers = await board.prompts(for: owner).makeAsyncIterator()
        let task = ask(try .example())
        _ = await offers.next()
        task.cancel()
        #expect(withdrawn(await offers.next()) == "cookie")
        #expect(await answerCode("cookie", by: owner) == .unknownPrompt)
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test("a program that connects later is offered the open prompts")
    func later() async throws {
        var first = await board.prompts(for: owner).makeAsyncIterator()
        let task = ask(try .example())
        _ = await first.next()
        var second = await board.prompts(for: owner).makeAsyncIterator()
        #expect(offered(await second.next()) == "cookie")
        try await board.answer(cookie: "cookie", with: .once, by: owner.process)
        #expect(withdrawn(await first.next()) == "cookie")
        #expect(withdrawn(await second.next()) == "cookie")
        #expect(try await task.value.answer == .once)
    }
}
