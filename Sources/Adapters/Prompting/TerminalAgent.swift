import Authorization

/// Asks at the service's own terminal (`voicegated --agent terminal`).
public struct TerminalAgent: Agent {
    private let terminal: TerminalPrompt

    public init(terminal: TerminalPrompt = TerminalPrompt()) { self.terminal = terminal }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let reply = try await terminal.ask(prompt)
        return AgentReply(answer: reply.answer, fidelity: reply.fidelity, indication: .terminal)
    }
}
