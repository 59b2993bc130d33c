import Authorization
import SocketAPI

import struct Prompting.PromptReply
import struct Prompting.TerminalPrompt

/// One question to the person at this terminal, with what the service says about it.
struct TerminalQuestion: Sendable {
    private let terminal = TerminalPrompt()

    /// - Parameter attend: to be called while the person is busy with the question.
    /// - Throws: `PromptingError`
    func ask(_ offer: PromptOffer, _ attend: @escaping @Sendable () -> Void) async throws -> PromptReply {
        try await terminal.ask(offer.notice, offersFidelity: offer.offersFidelity, onAttention: attend)
    }
}
