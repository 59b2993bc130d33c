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

    @Test("a prompt reaches the requester, and the answer reaches the gate")
    func answer() async throws {
        var offers = await board.offers(for: owner)
        let task = try await board.asked(&offers)
        try await board.answer(.once, by: owner)
        #expect(try await task.value == AgentReply(answer: .once, indication: .terminal))
        #expect(await offers.withdrawn() == "cookie")
    }

    @Test("a second answer is refused and changes nothing")
    func secondAnswer() async throws {
        var offers = await board.offers(for: owner)
        let task = try await board.asked(&offers)
        try await board.answer(.deny, by: owner)
        #expect(await board.refusal(by: owner) == .unknownPrompt)
        #expect(try await task.value.answer == .deny)
    }

    @Test("a wrong cookie is refused, and the prompt stays open", arguments: ["", "cookiE", "cookie2", "cooki"])
    func wrongCookie(cookie: String) async throws {
        var offers = await board.offers(for: owner)
        let task = try await board.asked(&offers)
        #expect(await board.refusal(cookie, by: owner) == .unknownPrompt)
        try await board.answer(.deny, by: owner)
        #expect(try await task.value.answer == .deny)
    }

    @Test("an unrelated process is offered nothing, and its answer with the right cookie is refused")
    func strangers() async throws {
        var others = await board.offers(for: stranger)
        var offers = await board.offers(for: owner)
        let task = try await board.asked(&offers)
        #expect(await board.refusal(by: stranger) == .notPermitted)
        try await board.answer(.deny, by: owner)
        #expect(try await task.value.answer == .deny)
        // The first that the stranger hears of is a separate prompt.
        let own = board.asking(try .example(cookie: "own", process: 101))
        #expect(await others.offered() == "own")
        try await board.answer(.later, to: "own", by: stranger)
        #expect(try await own.value.answer == .later)
    }

    @Test("without a program that may answer, the request is refused at once")
    func nobody() async throws {
        #expect(await board.asking(try .example()).code == .noAgent)
        let strangers = await board.prompts(for: stranger)
        #expect(await board.asking(try .example()).code == .noAgent)
        withExtendedLifetime(strangers) {}
    }

    @Test("when the last program that shows the prompt leaves, the request is refused")
    func leaving() async throws {
        let stream = await board.prompts(for: owner)
        let (seen, teller) = AsyncStream.makeStream(of: Void.self)
        let reader = Task { for await _ in stream { teller.yield() } }
        let task = board.asking(try .example())
        for await _ in seen { break }
        reader.cancel()
        #expect(await task.code == .noAnswer)
        #expect(await board.refusal(by: owner) == .unknownPrompt)
    }

    @Test("when the request ends, the prompt is withdrawn and its answer refused")
    func cancelled() async throws {
        var offers = await board.offers(for: owner)
        let task = try await board.asked(&offers)
        task.cancel()
        #expect(await offers.withdrawn() == "cookie")
        #expect(await board.refusal(by: owner) == .unknownPrompt)
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test("a program that connects later is offered the open prompts")
    func later() async throws {
        var first = await board.offers(for: owner)
        let task = try await board.asked(&first)
        var second = await board.offers(for: owner)
        #expect(await second.offered() == "cookie")
        try await board.answer(.once, by: owner)
        #expect(await first.withdrawn() == "cookie")
        #expect(await second.withdrawn() == "cookie")
        #expect(try await task.value.answer == .once)
    }
}
