import Authorization

/// Offers prompts to connected programs that can show them, and takes one answer for each.
///
/// A prompt goes to the program that asks, at its own terminal; where that is not possible, or when it has left without an
/// answer, to the agents of its user, all at once, and the first answer counts. When the last has left, nobody answered.
/// A program connects before it requests; so when nobody who may answer is connected, the request is refused at once.
public actor PromptBoard: Agent {
    struct Connected {
        let answerer: Answerer
        let offers: AsyncStream<PromptOffer>.Continuation
    }

    struct Waiting {
        let prompt: Prompt
        let reply: CheckedContinuation<AgentReply, any Error>
        /// The answerers that show it, each with the moment of the offer.
        var shownBy: [Int: ContinuousClock.Instant] = [:]
        /// Those that showed it and left it without an answer; it is not offered to them again.
        var leftBy: Set<Int> = []
    }

    private let delay: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let mayAnswer: @Sendable (Answerer, Prompt) -> Bool
    private var answerers: [Int: Connected] = [:]
    private var waiting: [Int: Waiting] = [:]
    private var lastNumber = 0

    /// - Parameters:
    ///   - delay: an answer does not count before the prompt was offered for so long: nobody can have read it.
    ///   - mayAnswer: whether a program may answer a prompt; asked when it is offered and again when it is answered.
    public init(
        delay: Duration = .milliseconds(500),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        mayAnswer: @escaping @Sendable (Answerer, Prompt) -> Bool
    ) {
        self.delay = delay
        self.now = now
        self.mayAnswer = mayAnswer
    }

    /// How many agents each user has.
    public var agents: [UInt32: Int] {
        answerers.values.lazy.map(\.answerer).filter { $0.role != .caller }
            .reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
    }

    /// Connects an answerer: it gets the prompts that it may answer, until it stops reading.
    public func prompts(for answerer: Answerer) -> AsyncStream<PromptOffer> {
        let (stream, offers) = AsyncStream.makeStream(of: PromptOffer.self)
        let number = nextNumber()
        answerers[number] = Connected(answerer: answerer, offers: offers)
        offers.onTermination = { [weak self] _ in
            Task { await self?.disconnect(number) }
        }
        for key in waiting.keys.sorted() { offer(key) }
        return stream
    }

    public func canAsk(_ prompt: Prompt) async -> Bool { answerers.values.contains { mayAnswer($0.answerer, prompt) } }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reply in
                guard !Task.isCancelled else {
                    reply.resume(throwing: CancellationError())
                    return
                }
                waiting[number] = Waiting(prompt: prompt, reply: reply)
                offer(number)
                if waiting[number]?.shownBy.isEmpty == true { end(number, with: .failure(Self.noAgent)) }
            }
        } onCancel: {
            Task { await self.end(number, with: .failure(CancellationError())) }
        }
    }

    /// Whether the answer would count, without giving it; where the person has to confirm it elsewhere first.
    ///
    /// - Throws: what `answer` throws.
    public func check(
        cookie: String, answer: Answer, fidelity: Fidelity = .full, by process: ProcessIdentity
    ) throws(PromptingError) {
        _ = try accepted(cookie, answer, fidelity, process)
    }

    /// Takes the answer to the prompt with the cookie, once.
    ///
    /// - Throws: `unknownPrompt` when none waits with it, `notPermitted` when the process is not one that shows it,
    ///   `tooEarly` and `notOffered`; the prompt then goes on waiting.
    public func answer(
        cookie: String, with answer: Answer, fidelity: Fidelity = .full, by process: ProcessIdentity
    ) throws(PromptingError) {
        let (number, role) = try accepted(cookie, answer, fidelity, process)
        end(
            number, with: .success(AgentReply(answer: answer, fidelity: fidelity, indication: role.indication)))
    }

    /// The person is busy with the prompt: the time to answer is put off.
    ///
    /// - Throws: `unknownPrompt`, `notPermitted`
    public func attend(cookie: String, by process: ProcessIdentity) throws(PromptingError) {
        let number = try find(cookie)
        _ = try shown(number, to: process)
        waiting[number]?.prompt.attention.renew()
    }

    /// The person left the prompt without an answer, such as by closing a notification.
    ///
    /// - Throws: `unknownPrompt`, `notPermitted`
    public func dismiss(cookie: String, by process: ProcessIdentity) throws(PromptingError) {
        let number = try find(cookie)
        for shown in try shown(number, to: process) {
            answerers[shown.number]?.offers.yield(.withdrawn(cookie: cookie))
            leave(number, shown.number)
        }
    }

    private func accepted(
        _ cookie: String, _ answer: Answer, _ fidelity: Fidelity, _ process: ProcessIdentity
    ) throws(PromptingError) -> (number: Int, role: Answerer.Role) {
        let number = try find(cookie)
        let shown = try shown(number, to: process)
        guard let first = shown.min(by: { $0.since < $1.since }), let prompt = waiting[number]?.prompt else {
            throw Self.unknown
        }
        guard prompt.answers.contains(answer), fidelity == .full || prompt.offersFidelity else {
            throw PromptingError(
                code: .notOffered,
                message: "The prompt does not offer this answer. Give one of: "
                    + prompt.answers.map(\.rawValue).joined(separator: ", ") + ".")
        }
        guard first.since.duration(to: now()) >= delay else {
            throw PromptingError(
                code: .tooEarly, message: "Nobody can have read the prompt yet. Answer again, after reading it.")
        }
        return (number, first.role)
    }

    /// Looks at all of them, whichever it is.
    private func find(_ cookie: String) throws(PromptingError) -> Int {
        var found: Int?
        for (number, entry) in waiting where Self.isSame(entry.prompt.cookie, cookie) { found = number }
        guard let found else { throw Self.unknown }
        return found
    }

    /// The connections over which the process shows the prompt.
    private func shown(
        _ number: Int, to process: ProcessIdentity
    ) throws(PromptingError) -> [(number: Int, role: Answerer.Role, since: ContinuousClock.Instant)] {
        guard let entry = waiting[number] else { throw Self.unknown }
        var found: [(number: Int, role: Answerer.Role, since: ContinuousClock.Instant)] = []
        for (key, since) in entry.shownBy {
            guard let answerer = answerers[key]?.answerer, answerer.process == process,
                mayAnswer(answerer, entry.prompt)
            else { continue }
            found.append((key, answerer.role, since))
        }
        guard !found.isEmpty else {
            throw PromptingError(
                code: .notPermitted,
                message: "This process may not answer the prompt. Answer in the terminal of the program that asks, or "
                    + "where voicegate agent runs.")
        }
        return found
    }

    /// Shows a prompt to those whose turn it is and who do not show it yet.
    private func offer(_ number: Int) {
        guard let entry = waiting[number] else { return }
        let able = answerers.filter { !entry.leftBy.contains($0.key) && mayAnswer($0.value.answerer, entry.prompt) }
        let callers = able.filter { $0.value.answerer.role == .caller }
        for (key, connected) in callers.isEmpty ? able : callers where entry.shownBy[key] == nil {
            waiting[number]?.shownBy[key] = now()
            connected.offers.yield(.offered(entry.prompt))
        }
    }

    private func end(_ number: Int, with result: Result<AgentReply, any Error>) {
        guard let entry = waiting.removeValue(forKey: number) else { return }
        for answerer in entry.shownBy.keys {
            answerers[answerer]?.offers.yield(.withdrawn(cookie: entry.prompt.cookie))
        }
        entry.reply.resume(with: result)
    }

    private func disconnect(_ answerer: Int) {
        guard answerers.removeValue(forKey: answerer) != nil else { return }
        for number in waiting.keys.sorted() where waiting[number]?.shownBy[answerer] != nil { leave(number, answerer) }
    }

    /// The next in turn is shown what one left; when none is there, nobody answered.
    private func leave(_ number: Int, _ answerer: Int) {
        waiting[number]?.shownBy[answerer] = nil
        waiting[number]?.leftBy.insert(answerer)
        guard waiting[number]?.shownBy.isEmpty == true else { return }
        offer(number)
        if waiting[number]?.shownBy.isEmpty == true { end(number, with: .failure(Self.gone)) }
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

    private static let unknown = PromptingError(
        code: .unknownPrompt, message: "No prompt waits for this answer; it was answered or withdrawn. Ask again.")
    private static let noAgent = PromptingError(
        code: .noAgent,
        message: "Nobody is there to ask. Run the program in the foreground of a terminal, or run voicegate agent.")
    private static let gone = PromptingError(
        code: .noAnswer, message: "Whoever showed the prompt left without an answer. Ask again.")
}
