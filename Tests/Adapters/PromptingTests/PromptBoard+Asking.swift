import Authorization
import TestSupport
import Testing

@testable import Prompting

/// What an answerer sees of a board, one after the other.
struct Offers {
    private var iterator: AsyncStream<PromptOffer>.Iterator

    init(_ stream: AsyncStream<PromptOffer>) { iterator = stream.makeAsyncIterator() }

    /// The cookie of the next prompt; `nil` if something else is next.
    mutating func offered() async -> String? {
        if case .offered(let prompt) = await iterator.next() { prompt.cookie } else { nil }
    }

    /// The cookie of the next prompt that is withdrawn; `nil` if something else is next.
    mutating func withdrawn() async -> String? {
        if case .withdrawn(let cookie) = await iterator.next() { cookie } else { nil }
    }
}

extension PromptBoard {
    nonisolated func offers(for answerer: Answerer) async -> Offers { Offers(await prompts(for: answerer)) }

    nonisolated func asking(_ prompt: Prompt) -> Task<AgentReply, any Error> { Task { try await ask(prompt) } }

    /// Asks the example's question, and returns when it was offered.
    nonisolated func asked(
        _ offers: inout Offers, cookie: String = "cookie", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Task<AgentReply, any Error> {
        let task = asking(try .example(cookie: cookie))
        #expect(await offers.offered() == cookie, sourceLocation: sourceLocation)
        return task
    }

    /// The code with which an answer is refused.
    nonisolated func refusal(
        _ cookie: String = "cookie", _ answer: Answer = .whileInUse, fidelity: Fidelity = .full, by answerer: Answerer
    ) async -> PromptingError.Code? {
        await failure(PromptingError.self) {
            try await self.answer(cookie: cookie, with: answer, fidelity: fidelity, by: answerer.process)
        }?.code
    }

    nonisolated func answer(_ answer: Answer, to cookie: String = "cookie", by answerer: Answerer) async throws {
        try await self.answer(cookie: cookie, with: answer, by: answerer.process)
    }
}

extension Task<AgentReply, any Error> {
    /// The code with which a request fails.
    var code: PromptingError.Code? { get async { await failure(PromptingError.self) { try await value }?.code } }
}
