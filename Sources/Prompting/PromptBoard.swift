import Authorization

/// Offers prompts to connected programs that can show them, and takes one answer for each.
///
/// A program connects before it requests; so when nobody who may answer is connected, the request is refused at once.
public actor PromptBoard: Agent {
    private struct Answerer {
        let process: ProcessIdentity
        let offers: AsyncStream<PromptOffer>.Continuation
    }

    private struct Waiting {
        let prompt: Prompt
        let reply: CheckedContinuation<AgentReply, any Error>
        /// The answerers that show it.
        var shownBy: Set<Int>
    }

    private let indication: Indication
    private let mayAnswer: @Sendable (ProcessIdentity, Prompt) -> Bool
    private var answerers: [Int: Answerer] = [:]
    private var waiting: [Int: Waiting] = [:]
    private var lastNumber = 0

    /// - Parameters:
    ///   - indication: what is recorded about the way of the answers.
    ///   - mayAnswer: whether a process may answer a prompt; asked when it is offered and again when it is answered.
    public init(
        indication: Indication = .terminal, mayAnswer: @escaping @Sendable (ProcessIdentity, Prompt) -> Bool
    ) {
        self.indication = indication
        self.mayAnswer = mayAnswer
    }

    /// Connects an answerer: it gets the prompts that it may answer, until it stops reading.
    public func prompts(for process: ProcessIdentity) -> AsyncStream<PromptOffer> {
        let (stream, offers) = AsyncStream.makeStream(of: PromptOffer.self)
        let number = nextNumber()
        answerers[number] = Answerer(process: process, offers: offers)
        offers.onTermination = { [weak self] _ in
            Task { await self?.disconnect(number) }
        }
        for (key, entry) in waiting where mayAnswer(process, entry.prompt) {
            waiting[key]?.shownBy.insert(number)
            offers.yield(.offered(entry.prompt))
        }
        return stream
    }

    public func canAsk(_ prompt: Prompt) -> Bool { answerers.values.contains { mayAnswer($0.process, prompt) } }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reply in
                let able = answerers.filter { mayAnswer($0.value.process, prompt) }
                guard !able.isEmpty else {
                    reply.resume(throwing: Self.noAgent)
                    return
                }
                guard !Task.isCancelled else {
                    reply.resume(throwing: CancellationError())
                    return
                }
                waiting[number] = Waiting(prompt: prompt, reply: reply, shownBy: Set(able.keys))
                for answerer in able.values { answerer.offers.yield(.offered(prompt)) }
            }
        } onCancel: {
            Task { await self.end(number, with: .failure(CancellationError())) }
        }
    }

    /// Takes the answer to the prompt with the cookie, once.
    ///
    /// - Throws: `unknownPrompt` when none waits with it, `notPermitted` when the process is not the one to ask; the
    ///   prompt then goes on waiting.
    public func answer(
        cookie: String, with answer: Answer, fidelity: Fidelity = .full, by process: ProcessIdentity
    ) throws(PromptingError) {
        // Looks at all of them, whichever it is.
        var found: (number: Int, prompt: Prompt)?
        for (number, entry) in waiting where Self.isSame(entry.prompt.cookie, cookie) {
            found = (number, entry.prompt)
        }
        guard let found else {
            throw PromptingError(
                code: .unknownPrompt,
                message: "No prompt waits for this answer; it was answered or withdrawn. Ask again.")
        }
        guard mayAnswer(process, found.prompt) else {
            throw PromptingError(
                code: .notPermitted,
                message: "This process may not answer the prompt. Answer in the terminal of the program that asks.")
        }
        end(found.number, with: .success(AgentReply(answer: answer, fidelity: fidelity, indication: indication)))
    }

    private func end(_ number: Int, with result: Result<AgentReply, any Error>) {
        guard let entry = waiting.removeValue(forKey: number) else { return }
        for answerer in entry.shownBy {
            answerers[answerer]?.offers.yield(.withdrawn(cookie: entry.prompt.cookie))
        }
        entry.reply.resume(with: result)
    }

    private func disconnect(_ number: Int) {
        guard answerers.removeValue(forKey: number) != nil else { return }
        for key in waiting.keys {
            waiting[key]?.shownBy.remove(number)
            guard waiting[key]?.shownBy.isEmpty == true else { continue }
            end(key, with: .failure(Self.gone))
        }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Takes the same time wherever the texts differ, so that a cookie cannot be guessed piece by piece.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let one = Array(one.utf8)
        let other = Array(other.utf8)
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let noAgent = PromptingError(
        code: .noAgent, message: "Nobody is there to ask. Run the program in the foreground of a terminal.")
    private static let gone = PromptingError(
        code: .noAnswer, message: "The program that showed the prompt left without an answer. Ask again.")
}
