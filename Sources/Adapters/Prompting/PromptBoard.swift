import Authorization

/// Offers prompts to connected programs that can show them, and takes one answer for each.
///
/// A prompt is offered to the requesting program in its own terminal. If that is not possible, or the program closes it without
/// an answer, it is offered to all agents of its user, and the first answer counts. A program connects before it requests; an
/// agent may connect later (`arrivals`).
public actor PromptBoard: Agent {
    struct Connected {
        let answerer: Answerer
        let offers: AsyncStream<PromptOffer>.Continuation
    }

    struct Waiting {
        let prompt: Prompt
        let reply: CheckedContinuation<AgentReply, any Error>
        /// The answerers that show it, with the time of the offer.
        var shownBy: [Int: ContinuousClock.Instant] = [:]
        /// Those that closed it without an answer; it is not offered to them again.
        var leftBy: Set<Int> = []
    }

    /// An answer does not count sooner after the offer: the user cannot have read the prompt.
    private static let delay = Duration.milliseconds(500)

    /// Events that wait for an answerer that does not read. A user has fewer prompts at a time.
    static let mostWaiting = 64

    private let now: @Sendable () -> ContinuousClock.Instant
    private let mayAnswer: @Sendable (Answerer, Prompt) -> Bool
    private var answerers: [Int: Connected] = [:]
    private var waiting: [Int: Waiting] = [:]
    private var arriving: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastNumber = 0

    /// - Parameter mayAnswer: whether a program may answer a prompt; called when it is offered and again when it is answered.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        mayAnswer: @escaping @Sendable (Answerer, Prompt) -> Bool
    ) {
        self.now = now
        self.mayAnswer = mayAnswer
    }

    /// The number of each user's agents.
    public var agents: [UInt32: Int] {
        answerers.values.lazy.map(\.answerer).filter { $0.role != .caller }
            .reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
    }

    /// Connects an answerer, which gets the prompts that it may answer until it stops reading. One that stays connected
    /// and reads nothing is disconnected: its prompts go to the next.
    public func prompts(for answerer: Answerer) -> AsyncStream<PromptOffer> {
        let (stream, offers) = AsyncStream.makeStream(
            of: PromptOffer.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        let number = nextNumber()
        answerers[number] = Connected(answerer: answerer, offers: offers)
        offers.onTermination = { [weak self] _ in
            Task { await self?.disconnect(number) }
        }
        for key in waiting.keys.sorted() { offer(key) }
        for arrival in arriving.values { arrival.yield() }
        return stream
    }

    public func canAsk(_ prompt: Prompt) async -> Bool { answerers.values.contains { mayAnswer($0.answerer, prompt) } }

    public func arrivals() async -> AsyncStream<Void>? {
        let (stream, arrivals) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = nextNumber()
        arriving[number] = arrivals
        arrivals.onTermination = { [weak self] _ in
            Task { await self?.forget(number) }
        }
        arrivals.yield()
        return stream
    }

    private func forget(_ arrivals: Int) { arriving[arrivals] = nil }

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

    /// Checks that an answer would count, for answers that need another confirmation first.
    ///
    /// - Returns: the prompt.
    /// - Throws: what `answer` throws.
    @discardableResult
    public func check(
        cookie: String, answer: Answer, fidelity: Fidelity = .full, by process: ProcessIdentity
    ) throws(PromptingError) -> Prompt {
        try accepted(cookie, answer, fidelity, process).prompt
    }

    /// Answers the prompt with the cookie, once.
    ///
    /// - Parameter confirmation: what the dialog said in which the user confirmed the answer.
    /// - Returns: the prompt; `settled` waits until the answer is recorded.
    /// - Throws: `unknownPrompt`; `notPermitted` when the process does not show it; `tooEarly` and `notOffered`, after which
    ///   the prompt stays open.
    @discardableResult
    public func answer(
        cookie: String, with answer: Answer, fidelity: Fidelity = .full, confirmation: String? = nil,
        by process: ProcessIdentity
    ) throws(PromptingError) -> Prompt {
        let (number, prompt, role) = try accepted(cookie, answer, fidelity, process)
        end(
            number,
            with: .success(
                AgentReply(
                    answer: answer, fidelity: fidelity, indication: role.indication, confirmation: confirmation)))
        return prompt
    }

    /// The user is interacting with the prompt: extends the time to answer.
    ///
    /// - Throws: `unknownPrompt`, `notPermitted`
    public func attend(cookie: String, by process: ProcessIdentity) throws(PromptingError) {
        let number = try find(cookie)
        _ = try shown(number, to: process)
        waiting[number]?.prompt.attention.renew()
    }

    /// The user closed the prompt without an answer, such as by closing a notification.
    ///
    /// - Throws: `unknownPrompt`, `notPermitted`
    public func dismiss(cookie: String, by process: ProcessIdentity) throws(PromptingError) {
        let number = try find(cookie)
        for shown in try shown(number, to: process) {
            send(.withdrawn(cookie: cookie), to: shown.number)
            leave(number, shown.number)
        }
    }

    private func accepted(
        _ cookie: String, _ answer: Answer, _ fidelity: Fidelity, _ process: ProcessIdentity
    ) throws(PromptingError) -> (number: Int, prompt: Prompt, role: Answerer.Role) {
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
        guard first.since.duration(to: now()) >= Self.delay else {
            throw PromptingError(
                code: .tooEarly,
                message: "The answer came too soon after the prompt was shown. Read it, then answer again.")
        }
        return (number, prompt, first.role)
    }

    /// Compares all cookies, so that the time does not depend on the position.
    private func find(_ cookie: String) throws(PromptingError) -> Int {
        var found: Int?
        for (number, entry) in waiting where Self.isSame(entry.prompt.cookie, cookie) { found = number }
        guard let found else { throw Self.unknown }
        return found
    }

    private typealias Showing = (number: Int, role: Answerer.Role, since: ContinuousClock.Instant)

    /// The connections over which the process shows the prompt.
    private func shown(
        _ number: Int, to process: ProcessIdentity
    ) throws(PromptingError) -> [Showing] {
        guard let entry = waiting[number] else { throw Self.unknown }
        let found = entry.shownBy.compactMap { key, since -> Showing? in
            guard let answerer = answerers[key]?.answerer, answerer.process == process,
                mayAnswer(answerer, entry.prompt)
            else { return nil }
            return (key, answerer.role, since)
        }
        guard !found.isEmpty else {
            throw PromptingError(
                code: .notPermitted,
                message:
                    "This process may not answer the prompt. Answer in the terminal of the requesting program or of "
                    + "voicegate agent.")
        }
        return found
    }

    /// Offers a prompt to the answerers in turn that do not show it yet.
    private func offer(_ number: Int) {
        guard let entry = waiting[number] else { return }
        let able = answerers.filter { !entry.leftBy.contains($0.key) && mayAnswer($0.value.answerer, entry.prompt) }
        let callers = able.filter { $0.value.answerer.role == .caller }
        for key in (callers.isEmpty ? able : callers).keys where entry.shownBy[key] == nil {
            waiting[number]?.shownBy[key] = now()
            send(.offered(entry.prompt), to: key)
        }
    }

    private func send(_ event: PromptOffer, to answerer: Int) {
        // The end of the stream disconnects it.
        if case .dropped? = answerers[answerer]?.offers.yield(event) { answerers[answerer]?.offers.finish() }
    }

    private func end(_ number: Int, with result: Result<AgentReply, any Error>) {
        guard let entry = waiting.removeValue(forKey: number) else { return }
        for answerer in entry.shownBy.keys {
            send(.withdrawn(cookie: entry.prompt.cookie), to: answerer)
        }
        entry.reply.resume(with: result)
    }

    private func disconnect(_ answerer: Int) {
        guard answerers.removeValue(forKey: answerer) != nil else { return }
        for number in waiting.keys.sorted() where waiting[number]?.shownBy[answerer] != nil { leave(number, answerer) }
    }

    /// Offers a closed prompt to the next answerers; without one it ends without an answer.
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

    /// Compares in constant time, so that a cookie cannot be guessed byte by byte.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let one = Array(one.utf8)
        let other = Array(other.utf8)
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    public static let unknown = PromptingError(
        code: .unknownPrompt, message: "There is no such prompt; it was answered or withdrawn. Ask again.")
    private static let noAgent = PromptingError(
        code: .noAgent,
        message:
            "There is no terminal or desktop to ask at. Run the program in the foreground of a terminal, or run voicegate agent."
    )
    private static let gone = PromptingError(
        code: .noAnswer, message: "The prompt was closed without an answer. Ask again.")
}
