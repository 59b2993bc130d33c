import Authorization
import CommandClient
import SocketAPI
import Synchronization

import struct Prompting.DisplayedNotice
import struct Prompting.PromptingError
import struct Prompting.TerminalPrompt

/// Requests permissions, and shows the resulting prompts to the user in this terminal.
struct PromptConversation: Sendable {
    let client: ServiceClient
    let output: Output
    /// Shows one prompt and returns the user's answer; `nil` without a terminal.
    let ask: PromptDesk.Ask?

    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: `always` is asked for later.
    ///   - language: what is to be recognised.
    /// - Throws: `ClientError` with `refused` for anything but a grant.
    func request(_ resource: Resource?, scope: Scope? = nil, language: String? = nil) async throws {
        try await asking { _ = try await $0.requestAuthorization(resource, scope: scope, language: language) }
    }

    func requestTemporaryFullFidelity(purposeKey: String) async throws {
        try await asking { _ = try await $0.requestTemporaryFullFidelity(purposeKey: purposeKey) }
    }

    private func asking(_ request: @escaping @Sendable (ServiceClient) async throws -> Void) async throws {
        // `nil` if the service does not accept this process's terminal as a user's.
        guard let ask, let prompts = try await ifAllowed({ try await client.prompts() }) else {
            // Another agent of the service may answer.
            return try await request(client)
        }
        let desk = PromptDesk(client: client, output: output, isAgent: false, ask: ask)
        try await desk.serve(prompts, until: { try await request(client) })
    }
}

/// - Returns: `nil` if the service does not allow the request to this process.
func ifAllowed<Reply: Sendable>(_ request: () async throws -> Reply) async throws -> Reply? {
    do {
        return try await request()
    } catch let error as ClientError where error.reply?.error.code == ErrorCode.notAllowed.rawValue {
        return nil
    }
}

/// Shows the prompts of a stream to the user, and passes the answers on.
struct PromptDesk: Sendable {
    /// Shows one prompt until it is answered or its task is cancelled; calls `attend` while the user is busy with it.
    typealias Ask = @Sendable (PromptOffer, _ attend: @escaping @Sendable () -> Void) async throws -> AgentReply

    /// Of two prompts of one client after each other the second shows only what is new.
    static var askInTerminal: Ask {
        let last = Mutex((client: String, notice: DisplayedNotice, at: ContinuousClock.Instant)?.none)
        return { offer, attend in
            var notice = offer.notice
            if let last = last.withLock({ $0 }), last.client == offer.client, .now - last.at < recently {
                notice = notice.after(last.notice)
            }
            let reply = try await TerminalPrompt().ask(
                notice, offersFidelity: offer.offersFidelity, onAttention: attend)
            last.withLock { $0 = reply.answer.isYes ? (offer.client, offer.notice, .now) : nil }
            return reply
        }
    }

    /// The prompt before is still to be seen.
    private static let recently = Duration.seconds(30)

    let client: ServiceClient
    let output: Output
    /// Whether another agent may answer a prompt that the user leaves. Otherwise the prompt belongs to this command's own
    /// request, and leaving it means “ask me later”.
    let isAgent: Bool
    let ask: Ask

    /// Returns when the stream ends, or the request is answered.
    ///
    /// - Parameters:
    ///   - request: sent when the service starts to send prompts; earlier it would find no agent.
    ///   - onListening: called when the service starts to send prompts.
    /// - Throws: `CommandError.interrupted` if the user stops the command at a prompt.
    func serve(
        _ prompts: EventStream<PromptEvent>, until request: (@Sendable () async throws -> Void)? = nil,
        onListening: @escaping @Sendable () -> Void = {}
    ) async throws {
        let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
        let (interruptions, isInterrupted) = AsyncThrowingStream.makeStream(of: Never.self)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { isListening.finish() }
                try await show(prompts) {
                    onListening()
                    isListening.yield()
                } onInterruption: {
                    isInterrupted.finish(throwing: $0)
                }
                return request == nil
            }
            // Before the prompts' connection ends, after which the service refuses the request.
            group.addTask {
                for try await _ in interruptions {}
                return false
            }
            if let request {
                group.addTask {
                    for await _ in listening { break }
                    try await request()
                    return true
                }
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
    }

    private func show(
        _ prompts: EventStream<PromptEvent>, onListening: () -> Void,
        onInterruption: @escaping @Sendable (CommandError) -> Void
    ) async throws {
        var questions: [String: Task<Void, Never>] = [:]
        func withdrawAll() async {
            for question in questions.values { question.cancel() }
            // The terminal is restored only when the prompt is gone.
            for question in questions.values { await question.value }
        }
        do {
            for try await event in prompts {
                switch event {
                case .listening: onListening()
                case .shown(let offer): questions[offer.cookie] = Task { await answer(offer, onInterruption) }
                case .withdrawn(let cookie):
                    let question = questions.removeValue(forKey: cookie)
                    question?.cancel()
                    await question?.value
                }
            }
        } catch {
            await withdrawAll()
            throw error
        }
        await withdrawAll()
    }

    private func answer(_ offer: PromptOffer, _ onInterruption: (CommandError) -> Void) async {
        let attend = attention(to: offer)
        do {
            while true {
                let reply = try await ask(offer, attend)
                let fidelity: Fidelity? = offer.offersFidelity && reply.answer.isYes ? reply.fidelity : nil
                // The prompt is withdrawn, which cancels this task, before its answer is recorded.
                let answering = Task {
                    let give = { try await client.answer(prompt: offer.cookie, reply.answer, fidelity: fidelity) }
                    return reply.answer.isYes ? try await PasswordAgent.beside(client, give) : try await give()
                }
                do {
                    return try await answering.value
                } catch let error as ClientError where error.reply?.error.code == ErrorCode.tooEarly.rawValue {
                    // Too early to have been read: shown again.
                }
            }
        } catch let error as ClientError where error.reply?.error.code == RefusalCode.recordingFailed.rawValue {
            // The command's own request fails with the same error.
            if isAgent { output.warn(Language.ofPerson.commandWording.answerNotGiven(reason: "\(error)")) }
        } catch  where Task.isCancelled {
            // Withdrawn: no answer is expected.
        } catch let error as PromptingError where error.code == .interrupted {
            onInterruption(.interrupted)
        } catch let error as PromptingError where error.code == .noAnswer {
            await leave(offer)
        } catch {
            output.warn(Language.ofPerson.commandWording.answerNotGiven(reason: "\(error)"))
            await leave(offer)
        }
    }

    /// Reports to the service that the user is busy with a prompt, at most once per second.
    private func attention(to offer: PromptOffer) -> @Sendable () -> Void {
        let last = Mutex(ContinuousClock.Instant?.none)
        return {
            let isDue = last.withLock { last in
                let now = ContinuousClock.now
                if let last, last.duration(to: now) < .seconds(1) { return false }
                last = now
                return true
            }
            // If it fails, the prompt ends a little sooner.
            if isDue { Task { try? await client.attend(prompt: offer.cookie) } }
        }
    }

    private func leave(_ offer: PromptOffer) async {
        if isAgent {
            try? await client.dismiss(prompt: offer.cookie)
        } else {
            try? await client.answer(prompt: offer.cookie, .later)
        }
    }
}

extension PromptOffer {
    var notice: DisplayedNotice {
        DisplayedNotice(
            title: title, usageDescription: usageDescription, items: items.map { (name: $0.name, text: $0.text) },
            answers: answers, language: Language(tag: language) ?? .english)
    }
}
