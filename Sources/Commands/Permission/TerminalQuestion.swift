import Authorization
import SocketAPI

import struct Prompting.DisplayedNotice
import struct Prompting.PromptingError
import struct Prompting.TerminalPrompt

/// One question to the person at this terminal, with what the service says about it.
struct TerminalQuestion: Sendable {
    private let terminal = TerminalPrompt()

    /// - Throws: `CommandError.interrupted` when the person wants to end it all.
    func ask(_ offer: PromptOffer) async throws -> Answer {
        let notice = DisplayedNotice(
            title: offer.title, usageDescription: offer.usageDescription,
            items: offer.items.map { (name: $0.name, text: $0.text) }, answers: offer.answers,
            language: Language(tag: offer.language) ?? .english)
        do {
            return try await terminal.ask(notice)
        } catch let error as PromptingError where error.code == .interrupted {
            throw CommandError.interrupted
        } catch let error as PromptingError where error.code == .noAnswer && !Task.isCancelled {
            // The person left the question without an answer, which stores none.
            return .later
        }
    }
}
