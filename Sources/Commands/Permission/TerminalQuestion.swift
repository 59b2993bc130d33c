import Authorization
import SocketAPI

/// One question to the person at this terminal.
struct TerminalQuestion: Sendable {
    let output: Output

    func ask(_ offer: PromptOffer) async throws -> Answer {
        .later
    }
}
