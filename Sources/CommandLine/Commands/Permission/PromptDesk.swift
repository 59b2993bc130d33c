import Authorization
import SocketAPI
import VoiceGateClient

import struct Prompting.PromptReply
import struct Prompting.PromptingError

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
