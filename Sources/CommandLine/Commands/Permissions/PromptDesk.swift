import Authorization
import SocketAPI
import Synchronization
import VoiceGateClient
import struct Prompting.DisplayedNotice
import struct Prompting.PromptReply
import struct Prompting.PromptingError
import struct Prompting.TerminalPrompt

/// Asks for permission, and shows the questions that this brings to the person at this terminal.
struct PromptConversation: Sendable {
    let client: VoiceGateClient
    let output: Output
    /// Shows one question and returns the person's answer; `nil` where there is no terminal to ask at.
    let ask: PromptDesk.Ask?

    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - always: asks for always too, which the person is asked about later.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    func request(_ resource: Resource?, scope: Scope? = nil) async throws {
        try await asking { _ = try await $0.requestAuthorization(resource, scope: scope) }
    }

    func requestTemporaryFullFidelity(purposeKey: String) async throws {
        try await asking { _ = try await $0.requestTemporaryFullFidelity(purposeKey: purposeKey) }
    }

    private func asking(_ request: @escaping @Sendable (VoiceGateClient) async throws -> Void) async throws {
        guard let ask, let prompts = try await openPrompts() else {
            // Another agent of the service may answer.
            return try await request(client)
        }
        let desk = PromptDesk(client: client, output: output, leaving: .later, ask: ask)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
            let (interruptions, isInterrupted) = AsyncThrowingStream.makeStream(of: Never.self)
            group.addTask {
                defer { isListening.finish() }
                try await desk.serve(
                    prompts, onListening: { isListening.yield() },
                    onInterruption: { isInterrupted.finish(throwing: $0) })
                return false
            }
            group.addTask {
                for try await _ in interruptions {}
                return false
            }
            group.addTask {
                // Not before: the service would leave the question to nobody.
                for await _ in listening { break }
                try await request(client)
                return true
            }
            while let isAnswered = try await group.next(), !isAnswered {}
            group.cancelAll()
        }
    }

    /// - Returns: `nil` where the service does not take this process's terminal for one that a person sits at.
    private func openPrompts() async throws -> EventStream<PromptEvent>? {
        do {
            return try await client.prompts()
        } catch let error as ClientError where error.reply?.error.code == ErrorCode.notAllowed.rawValue {
            return nil
        }
    }
}

/// Shows the prompts of a stream to the person, and passes the answers on.
struct PromptDesk: Sendable {
    /// What it means when the person leaves a question without an answer.
    enum Leaving: Sendable {
        /// Ask me later: it is the question of this command's own request.
        case later
        /// Somebody else may answer.
        case dismissal
    }

    /// Shows one question until it is answered, or its task is cancelled.
    typealias Ask = @Sendable (PromptOffer, _ attend: @escaping @Sendable () -> Void) async throws -> PromptReply

    let client: VoiceGateClient
    let output: Output
    let leaving: Leaving
    let ask: Ask

    /// Until the stream ends.
    ///
    /// - Parameters:
    ///   - onListening: from then on prompts come.
    ///   - onInterruption: the person wants to end it all.
    func serve(
        _ prompts: EventStream<PromptEvent>, onListening: () -> Void,
        onInterruption: @escaping @Sendable (CommandError) -> Void
    ) async throws {
        var questions: [String: Task<Void, Never>] = [:]
        func withdrawAll() async {
            for question in questions.values { question.cancel() }
            // The terminal is as it was only when the prompt has gone.
            for question in questions.values { await question.value }
        }
        do {
            for try await event in prompts {
                switch event {
                case .listening:
                    onListening()
                case .shown(let offer):
                    questions[offer.cookie] = Task { await answer(offer, onInterruption) }
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
        let attention = AttentionSignal(client: client, cookie: offer.cookie)
        do {
            while true {
                let reply = try await ask(offer, attention.renew)
                do {
                    let fidelity: Fidelity? = offer.offersFidelity && reply.answer.isYes ? reply.fidelity : nil
                    return try await client.answer(prompt: offer.cookie, reply.answer, fidelity: fidelity)
                } catch let error as ClientError where error.reply?.error.code == ErrorCode.tooEarly.rawValue {
                    // Nobody can have read it yet; so it is shown again.
                }
            }
        } catch  where Task.isCancelled {
            // Withdrawn: nobody waits for an answer.
        } catch let error as PromptingError where error.code == .interrupted {
            onInterruption(.interrupted)
        } catch let error as PromptingError where error.code == .noAnswer {
            await leave(offer)
        } catch {
            output.warn(Language.ofPerson.commandWording.answerNotGiven("\(error)"))
            await leave(offer)
        }
    }

    private func leave(_ offer: PromptOffer) async {
        switch leaving {
        case .later: try? await client.answer(prompt: offer.cookie, .later)
        case .dismissal: try? await client.dismiss(prompt: offer.cookie)
        }
    }
}

/// Tells the service that the person is busy with a prompt; once a second at the most, however many keys are pressed.
final class AttentionSignal: Sendable {
    private let client: VoiceGateClient
    private let cookie: String
    private let last = Mutex(ContinuousClock.Instant?.none)

    init(client: VoiceGateClient, cookie: String) {
        self.client = client
        self.cookie = cookie
    }

    func renew() {
        let isDue = last.withLock { last in
            let now = ContinuousClock.now
            if let last, last.duration(to: now) < .seconds(1) { return false }
            last = now
            return true
        }
        guard isDue else { return }
        // Nobody waits for it: should it fail, the prompt ends a little sooner.
        Task { try? await client.attend(prompt: cookie) }
    }
}

extension PromptOffer {
    var notice: DisplayedNotice {
        DisplayedNotice(
            title: title, usageDescription: usageDescription, items: items.map { (name: $0.name, text: $0.text) },
            answers: answers, language: Language(tag: language) ?? .english)
    }
}

/// One question to the person at this terminal, with what the service says about it.
struct TerminalQuestion: Sendable {
    private let terminal = TerminalPrompt()

    /// - Parameter attend: to be called while the person is busy with the question.
    /// - Throws: `PromptingError`
    func ask(_ offer: PromptOffer, _ attend: @escaping @Sendable () -> Void) async throws -> PromptReply {
        try await terminal.ask(offer.notice, offersFidelity: offer.offersFidelity, onAttention: attend)
    }
}
